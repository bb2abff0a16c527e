"""Measure CPU time, wall time and peak memory of commands, and print results."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Usage(NamedTuple):
    """CPU and wall time in seconds, peak RSS in MB."""

    cpu: float
    wall: float
    rss: int


def measure_and_count(command: list[str]) -> tuple[int, Usage]:
    """Run a command that prints a number; return the number and the usage."""
    with tempfile.TemporaryFile() as output:
        usage = measure_usage(command, stdout=output)
        output.seek(0)
        return int(output.read().split()[-1]), usage


def measure_usage(
    command: list[str], stdin: IO[bytes] | None = None, stdout: IO[bytes] | int = subprocess.DEVNULL
) -> Usage:
    """Run a command to its end and return its usage; it must succeed."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL, env=_environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return Usage(usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss // 1024)


def _environment() -> dict[str, str]:
    """Return the environment with which Python caches bytecode, as it does by default."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def measure_cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a function in this process."""
    started = time.process_time()
    work()
    return time.process_time() - started


def measure_wall(work: Callable[[], object]) -> float:
    """Return the wall time of a function in seconds."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def read_cpu_seconds(pid: int, *, with_children: bool = False) -> float:
    """Return the CPU seconds that a running process has used, optionally with its ended children; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11 : 15 if with_children else 13])) / os.sysconf("SC_CLK_TCK")


def say(line: str) -> None:
    """Print a line of the result at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
