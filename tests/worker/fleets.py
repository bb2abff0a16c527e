"""Real fleets: worker commands as people start them, and a look into their database."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from tests.cli.command_line import HEADWATER, Result, headwater

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.sites.many_sites import ManySites

PATIENCE = 120.0
PAGES = 40
GENTLE = ("--max-depth", "none", "--max-parallel", "1", "--stages", "crawl")
QUICK = ("--stall-limit", "3", "--grace", "5")


@dataclass
class WorkerCommand:
    """One `headwater worker` and the process it keeps."""

    process: subprocess.Popen[bytes]
    log: Path

    def children(self) -> list[int]:
        """The processes that work."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in listed if b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def stop(self) -> int:
        """SIGTERM, and how it ended."""
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(timeout=60)


@dataclass
class TestFleet:
    """A database and whoever works on it."""

    __test__ = False

    url: str
    folder: Path

    def run(self, *arguments: str, stdin: bytes = b"") -> Result:
        """A command of this fleet."""
        return headwater(*arguments, stdin=stdin, environment={"HEADWATER_DB": self.url})

    def start(self, name: str, *options: str) -> WorkerCommand:
        """A worker; its requests carry its name."""
        log = self.folder / f"{name}.log"
        clean = {key: value for key, value in os.environ.items() if not key.startswith("HEADWATER_")}
        with log.open("wb") as stream:
            process = subprocess.Popen(
                [HEADWATER, "worker", "--user-agent", name, *options],
                stderr=stream,
                stdout=stream,
                env={**clean, "HEADWATER_DB": self.url, "TMPDIR": str(self.folder)},
            )
        return WorkerCommand(process, log)

    @contextmanager
    def working(self, *options: str, name: str = "worker") -> Iterator[WorkerCommand]:
        """A worker for as long as it is wanted."""
        worker = self.start(name, *options)
        try:
            yield worker
        finally:
            kill(worker)

    def ask(self, query: str) -> list[Any]:
        """Rows of the database; it may be away for a while."""
        rows: list[Any] = until(lambda: self._ask(query))
        return rows[:-1]

    def _ask(self, query: str) -> list[Any] | None:
        try:
            with psycopg.connect(self.url, autocommit=True) as connection:
                return [*connection.execute(query.encode()).fetchall(), None]
        except psycopg.OperationalError:
            return None

    def states(self) -> dict[str, int]:
        """How many sites are in which state."""
        return dict(self.ask("SELECT state, count(*) FROM site GROUP BY state"))

    def one(self, query: str) -> Any:
        """The only value."""
        return self.ask(query)[0][0]


def until(look: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """What `look` gives once it is true."""
    end = time.monotonic() + patience
    while not (found := look()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.05)
    return found


def kill(*workers: WorkerCommand) -> None:
    """End them, whatever state they are in."""
    for worker in workers:
        pids: Sequence[int] = worker.children() if worker.process.poll() is None else []
        if worker.process.poll() is None:
            worker.process.kill()
        worker.process.wait()
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def pages_asked_for(sites: ManySites) -> Counter[tuple[int, str]]:
    """How often each page was."""
    return Counter((hit.port, hit.path) for hit in sites.hits() if re.fullmatch(r"/(p\d+)?", hit.path))
