"""Starting a command: Ctrl-C during imports, mistyped names, closed pipes."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from sample.serve import sample_site

from headwater.cli.main import COMMANDS
from headwater.settings import SECTIONS
from tests.commands import HEADWATER, headwater

if TYPE_CHECKING:
    from pathlib import Path

INTERRUPTED_WHILE_IMPORTING = """
import builtins, os, signal
original = builtins.__import__
def interrupt(name, *rest):
    if name == "headwater.cli.main":
        os.kill(os.getpid(), signal.SIGINT)
    return original(name, *rest)
builtins.__import__ = interrupt
from headwater.__main__ import main
main()
"""


def test_ctrl_c_during_imports_prints_one_word() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED_WHILE_IMPORTING], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, b"", b"Interrupted\n")


INTERRUPTED_IN_CALLBACK = """
import sys, weakref
from headwater.cli.main import _on_unraisable

class Thing: ...

def call_back(_): raise KeyboardInterrupt

sys.unraisablehook = _on_unraisable
thing = Thing()
reference = weakref.ref(thing, call_back)
del thing
print("not interrupted")
"""


def test_ctrl_c_in_a_callback_of_the_interpreter_is_not_ignored() -> None:
    """Python ignores exceptions in its own callbacks, for example during an import, and would continue."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED_IN_CALLBACK], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Interrupted\n")


def test_every_command_starts_and_ends_in_a_new_process(tmp_path: Path) -> None:
    """Other tests fork commands from a process that has imported all modules already."""
    with sample_site() as origin:
        given = {
            "discover": ((origin, "--max-depth", "1"), 0), "crawl": ((origin, "--max-depth", "1"), 0),
            "resume": ((), 0), "export": ((), 0), "diff": ((), 4), "audit": ((), 0), "scans": ((), 0),
            "watch": ((origin, "--once", "--max-depth", "1"), 0), "history": ((origin,), 0),
            "explain": ((origin, "--base", origin), 0), "normalize": ((origin,), 0), "robots": ((origin, "/"), 0),
            "sitemap": ((origin,), 0), "settings": ((), 0), "completion": (("bash",), 0),
            "dive": (("--match", "/nothing/*"), 2), "search": (("lake",), 2), "ask": (("Which lake?",), 2),
            "submit": ((origin,), 2), "worker": ((), 2), "status": ((), 2),
            "pause": ((origin,), 2), "cancel": ((origin,), 2),
            "serve": (("--port", "x"), 2), "mcp": (("--port", "x"), 2),
        }  # fmt: skip
        assert {*given, "doctor"} == set(COMMANDS)  # test_doctor starts a new process
        for name, (arguments, code) in given.items():
            result = headwater(name, *arguments, cwd=tmp_path, is_new=True)
            assert (result.code, "Traceback" in result.err) == (code, False), result


def test_the_order_of_sets_does_not_change_the_result(tmp_path: Path) -> None:
    """Python orders sets of texts differently in every process; forked processes share one order."""
    with sample_site() as origin:
        arguments = ("discover", origin, "--format", "jsonl", "--list", "all", "--quiet")
        written = [
            re.sub(
                r'"(first_seen|last_seen|response_ms)": ("[^"]*"|\d+)',
                "",
                headwater(*arguments, "--db", f"{seed}.db", cwd=tmp_path, environment={"PYTHONHASHSEED": seed}).out,
            )
            for seed in ("1", "2", "3")
        ]
    assert written[0]
    assert written == written[:1] * 3


@pytest.mark.parametrize("arguments", ["discover {site}", "crawl {site}", "crawl {site} --format jsonl", "{site}"])
def test_a_closed_pipe_is_not_an_error(arguments: str, tmp_path: Path) -> None:
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
def test_similar_names_are_suggested_for_mistyped_commands_and_flags(arguments: tuple[str, ...], advice: str) -> None:
    result = headwater(*arguments)
    assert (result.code, advice in result.err) == (2, True), result.err


def test_help_lists_options_under_the_titles_of_their_sections() -> None:
    text = headwater("discover", "--help").out
    titles = [line.removesuffix(":") for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert titles[0] == "Options"
    assert titles[1:] == [title for section, title in SECTIONS.items() if section != "dive"]
    assert text.index("--stream") < text.index("Scope of a scan:") < text.index("--subdomains")


def test_flags_without_a_command_run_discover(tmp_path: Path) -> None:
    with sample_site() as origin:
        short = headwater("--url", origin, "--max-parallel", "10", "--quiet", "--db", str(tmp_path / "a.db"))
        named = headwater("discover", origin, "--max-parallel", "10", "--quiet", "--db", str(tmp_path / "b.db"))
    assert (short.code, short.out) == (0, named.out)
    assert named.out
