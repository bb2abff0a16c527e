"""Find processes and temporary files that a test run has left behind.

Python itself reports unclosed sockets and files of the test process as ResourceWarning, which is an error.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.commands import is_alive

VARIABLE = "PYTEST_RUN_FOLDER"
"""An environment variable that every process of a test run inherits; its value is the run's temporary folder."""

SETTLING = 60.0
"""Seconds that processes have to end by themselves after the last test."""


def leaked_processes(run_folder: Path) -> list[str]:
    """Return the command lines of processes of this run that are still alive."""
    deadline = time.monotonic() + SETTLING
    while (pids := _processes_of(run_folder)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return [f"{pid}: {_command_line(pid)}" for pid in pids]


def leaked_files(run_folder: Path) -> list[str]:
    """Return the temporary files and folders that this run created and did not delete."""
    return sorted(str(path) for path in run_folder.iterdir())


def _processes_of(run_folder: Path) -> list[int]:
    marker = f"{VARIABLE}={run_folder}".encode()
    pids = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal())
    return [pid for pid in pids if pid != os.getpid() and is_alive(pid) and marker in _environment(pid)]


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []  # the process has ended, or belongs to another user


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200]
    except OSError:
        return "(ended)"
