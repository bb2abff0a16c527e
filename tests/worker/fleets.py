"""Real fleets: worker commands as people start them, and queries of their database."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg

from tests.commands import Command, Result, headwater, running, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.sites.many_sites import ManySites

PAGES = 40
GENTLE = ("--max-depth", "none", "--max-parallel", "1", "--stages", "crawl")
QUICK = ("--stall-limit", "3", "--grace", "5")
PATIENT = ("--stall-limit", "60", "--grace", "20")
"""For tests in which nobody may lose a site: on a busy machine a worker may be silent for some seconds."""


@dataclass
class TestFleet:
    """A database and whoever works on it."""

    __test__ = False

    url: str
    folder: Path

    def run(self, *arguments: str, stdin: bytes = b"") -> Result:
        """A command of this fleet."""
        return headwater(*arguments, stdin=stdin, environment={"HEADWATER_DB": self.url})

    @contextmanager
    def working(self, *options: str, name: str = "worker") -> Iterator[Command]:
        """Run a worker for the length of the block; its requests carry its name."""
        environment = {"HEADWATER_DB": self.url, "TMPDIR": str(self.folder)}
        with running(self.folder, "worker", "--user-agent", name, *options, environment=environment) as worker:
            yield worker

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


def pages_asked_for(sites: ManySites) -> Counter[tuple[int, str]]:
    """How often each page was."""
    return Counter((hit.port, hit.path) for hit in sites.hits() if re.fullmatch(r"/(p\d+)?", hit.path))
