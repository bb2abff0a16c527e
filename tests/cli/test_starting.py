"""The command itself: Ctrl-C while it is starting, mistyped names, readers that have gone."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from sample.serve import sample_site

from tests.commands import HEADWATER, headwater

if TYPE_CHECKING:
    from pathlib import Path

INTERRUPTED_WHILE_READING = """
import builtins, os, signal
read = builtins.__import__
def slowly(name, *rest):
    if name == "headwater.cli.main":
        os.kill(os.getpid(), signal.SIGINT)
    return read(name, *rest)
builtins.__import__ = slowly
from headwater.__main__ import main
main()
"""


def test_an_interruption_while_modules_are_read_is_told_in_one_word() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED_WHILE_READING], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, b"", b"interrupted\n")


SWALLOWED = """
import sys, weakref
from headwater.cli.main import _on_unraisable

class Thing: ...

def call_back(_): raise KeyboardInterrupt

sys.unraisablehook = _on_unraisable
thing = Thing()
reference = weakref.ref(thing, call_back)
del thing
print("it went on")
"""


def test_an_interruption_that_python_would_swallow_is_one() -> None:
    """Python ignores what a callback of its own raises, as while it imports a module, and would go on."""
    done = subprocess.run([sys.executable, "-c", SWALLOWED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize("arguments", ["discover {site}", "crawl {site}", "crawl {site} --format jsonl", "{site}"])
def test_a_reader_that_has_gone_is_no_error(arguments: str, tmp_path: Path) -> None:
    with sample_site() as origin:
        line = f"{HEADWATER} {arguments.format(site=origin)} --quiet | true; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert not list(tmp_path.glob("*.lock"))


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("discver", "https://e.com"), "Did you mean 'discover'?"),
        (("exprot",), "Did you mean 'export'?"),
        (("xyzzy",), "No such command 'xyzzy'.\n"),
        (("discover", "https://e.com", "--max-paralel", "3"), "'--max-parallel'"),
    ],
)
def test_mistyped_commands_and_flags(arguments: tuple[str, ...], advice: str) -> None:
    result = headwater(*arguments)
    assert (result.code, advice in result.err) == (2, True), result.err


def test_flags_alone_mean_discover(tmp_path: Path) -> None:
    with sample_site() as origin:
        short = headwater("--url", origin, "--max-parallel", "10", "--quiet", "--db", str(tmp_path / "a.db"))
        named = headwater("discover", origin, "--max-parallel", "10", "--quiet", "--db", str(tmp_path / "b.db"))
    assert (short.code, short.out) == (0, named.out)
    assert named.out
