"""What a command costs: CPU, wall time, peak memory."""

from __future__ import annotations

import os
import subprocess
import time
from typing import IO, NamedTuple


class Usage(NamedTuple):
    """CPU and wall time in seconds, peak RSS in MB."""

    cpu: float
    wall: float
    rss: int


def usage_of(command: list[str], stdin: IO[bytes] | None = None) -> Usage:
    """Run a command to its end; it must succeed."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return Usage(usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss // 1024)
