"""What a command costs: CPU, wall time, peak memory."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from typing import IO, NamedTuple


class Usage(NamedTuple):
    """CPU and wall time in seconds, peak RSS in MB."""

    cpu: float
    wall: float
    rss: int


def counted_usage_of(command: list[str]) -> tuple[int, Usage]:
    """The same for a command that prints a number."""
    with tempfile.TemporaryFile() as output:
        usage = usage_of(command, stdout=output)
        output.seek(0)
        return int(output.read().split()[-1]), usage


def usage_of(command: list[str], stdin: IO[bytes] | None = None, stdout: IO[bytes] | int = subprocess.DEVNULL) -> Usage:
    """Run a command to its end; it must succeed."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL, env=_environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return Usage(usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss // 1024)


def _environment() -> dict[str, str]:
    """Python may keep its bytecode, as it does everywhere but where it is told not to."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
