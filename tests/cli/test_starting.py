"""Ctrl-C while the command is still starting."""

from __future__ import annotations

import signal
import subprocess
import sys

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
