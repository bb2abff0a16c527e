"""Real fleets: worker commands, and queries of their database."""

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
PATIENT = ("--stall-limit", "15", "--grace", "20")
"""Options for tests in which no worker may lose a site, although a busy machine may delay its heartbeats."""


@dataclass
class TestFleet:
    """A database and the workers that use it."""

    __test__ = False

    url: str
    folder: Path

    def run(self, *arguments: str, stdin: bytes = b"") -> Result:
        """Run a command with the database of this fleet."""
        return headwater(*arguments, stdin=stdin, environment={"HEADWATER_DB": self.url})

    @contextmanager
    def running_worker(self, *options: str, name: str = "worker") -> Iterator[Command]:
        """Run a worker inside the block; its requests have its name as user agent."""
        environment = {"HEADWATER_DB": self.url, "TMPDIR": str(self.folder)}
        with running(self.folder, "worker", "--user-agent", name, *options, environment=environment) as worker:
            yield worker

    def query(self, statement: str) -> list[Any]:
        """Return rows of the database; wait while it is unavailable."""
        rows: list[Any] = until(lambda: self._try_query(statement))
        return rows[:-1]

    def _try_query(self, statement: str) -> list[Any] | None:
        try:
            with psycopg.connect(self.url, autocommit=True) as connection:
                return [*connection.execute(statement.encode()).fetchall(), None]
        except psycopg.OperationalError:
            return None

    def states(self) -> dict[str, int]:
        """Return the number of sites by state."""
        return dict(self.query("SELECT state, count(*) FROM site GROUP BY state"))

    def query_value(self, statement: str) -> Any:
        """Return the only value of a query."""
        return self.query(statement)[0][0]


def count_page_requests(sites: ManySites) -> Counter[tuple[int, str]]:
    """Return the number of requests of each page."""
    return Counter((hit.port, hit.path) for hit in sites.hits() if re.fullmatch(r"/(p\d+)?", hit.path))
