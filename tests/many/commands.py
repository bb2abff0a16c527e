"""`headwater discover` over a list as people start it, and a look at what it does meanwhile."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.cli.command_line import HEADWATER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 60.0


class Command:
    """A command under way; what it says to people goes into a file."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process, self._log = process, log

    def said(self) -> str:
        """What it told people so far."""
        return self._log.read_text()

    def children(self) -> list[int]:
        """Its processes."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in listed if b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def end(self) -> int:
        """Its exit code."""
        return self.process.wait(timeout=PATIENCE)


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[Command]:
    """The command with these arguments; it does not outlive the block."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HEADWATER_")}
    log = folder / "said.txt"
    with log.open("wb") as stream:
        process = subprocess.Popen([HEADWATER, *arguments], stdout=subprocess.DEVNULL, stderr=stream, env=clean)
    try:
        yield Command(process, log)
    finally:
        process.kill()
        process.wait()


def until(condition: Callable[[], object]) -> None:
    """Wait for it."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Whether a process lives."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
