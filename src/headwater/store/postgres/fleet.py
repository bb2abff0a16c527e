"""The sites of a fleet, in PostgreSQL: which there are, whose turn it is, and who has which one under which epoch."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.errors import LeaseLostError, StoreError
from headwater.store.queries import load_queries
from headwater.store.rows import build_site_key, parse_scan_row, timestamp
from headwater.urls.parsing import get_authority, parse_seed_url, parse_seed_without_credentials

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from psycopg import Connection

    from headwater.store.postgres.connection import ServerConnection
    from headwater.store.store import Scan

_QUERIES = load_queries("postgres", "fleet.sql")
_STORE_QUERIES = load_queries("postgres")
_BATCH_SIZE = 10_000
MAX_FAILURES = 5
"""So many failures in a row, and a site is left alone until it is submitted again."""


class Claim(NamedTuple):
    """A site that a worker has until its epoch is past."""

    site: int
    epoch: int
    seeds: tuple[str, ...]
    settings: Mapping[str, object]
    scan: int | None
    failures: int
    every: float | None
    is_fixed: bool
    pace: float | None


class SubmitResult(NamedTuple):
    """What became of a list of sites."""

    new: int = 0
    again: int = 0
    known: int = 0


class SubmitOptions(NamedTuple):
    """How sites are to be worked."""

    settings: Mapping[str, object]
    priority: int = 0
    every: float | None = None
    is_fixed: bool = False


class WorkerStatus(NamedTuple):
    """A process that works sites, as it said of itself last."""

    name: str
    age: float
    silent: float
    pages: int
    slices: int
    sites: int
    rate: float


class FleetStatus(NamedTuple):
    """How the fleet is doing."""

    states: Mapping[str, int]
    due: int
    workers: tuple[WorkerStatus, ...]
    busy: tuple[tuple[Any, ...], ...]
    failing_sites: tuple[tuple[Any, ...], ...]


def parse_site_seed(text: str) -> str:
    """What was named as a site, as it is requested."""
    return parse_seed_without_credentials(text, "give them to `headwater worker`")


class Fleet:
    """Sites that wait, are worked on, rest or are done."""

    def __init__(self, server: ServerConnection) -> None:
        self.server = server

    def submit(self, seeds: Iterable[str], wish: SubmitOptions) -> SubmitResult:
        """Let sites wait for their turn, all of them or none; those that wait or run already are left as they are."""
        rest, tries = iter(seeds), iter((1,))

        def insert(connection: Connection[Any]) -> SubmitResult:
            if next(tries, None) is None:
                raise StoreError(f"{self.server.display_url} was lost on the way; nothing was submitted")
            total = SubmitResult()
            with connection.transaction():
                connection.execute(_QUERIES["make_submitted"])
                while rows := [build_site_key((seed,)) for seed in islice(rest, _BATCH_SIZE)]:
                    total = SubmitResult(*map(sum, zip(total, self._add(connection, rows, wish), strict=True)))
            return total

        return self.server.run(insert, "could not be written")

    def _add(self, connection: Connection[Any], rows: list[tuple[str, str]], wish: SubmitOptions) -> SubmitResult:
        with connection.cursor() as cursor:
            with cursor.copy(_QUERIES["copy_submitted"]) as copy:
                for row in rows:
                    copy.write_row(row)
            known, busy = cursor.execute(_QUERIES["known"]).fetchone() or (0, 0)
            values = {**wish._asdict(), "settings": json.dumps(wish.settings), "now": timestamp()}
            cursor.execute(_QUERIES["submit"], values)
            touched = cursor.rowcount
            cursor.execute(_QUERIES["empty_submitted"])
        return SubmitResult(touched - known, known - busy, busy)

    def claim(self, site: int, worker: int | None) -> Claim | None:
        """Take a site; whoever had it before can no longer write. None if it is not to be worked on now."""
        row = self._row("claim", {"site": site, "worker": worker})
        if row is None:
            return None
        number, epoch, seeds, settings, *rest = row
        return Claim(number, epoch, tuple(json.loads(seeds)), json.loads(settings), *rest)

    def begin(self, claim: Claim, settings: Mapping[str, object]) -> Scan:
        """A new scan of a claimed site."""
        seeds = json.dumps(list(claim.seeds))

        def insert(connection: Connection[Any]) -> Scan:
            with connection.transaction():
                values = (seeds, json.dumps(settings), timestamp(), seeds)
                scan = parse_scan_row(connection.execute(_STORE_QUERIES["add_scan"], values).fetchone() or ())
                cursor = connection.execute(_QUERIES["set_scan"], (scan.number, claim.site, claim.epoch))
                if not cursor.rowcount:
                    raise LeaseLostError(f"site {claim.site} was taken over: epoch {claim.epoch} is past")
                return scan

        return self.server.run(insert, "could not be written")

    def scan_state(self, scan: int | None) -> str:
        """The state of a scan; empty if there is none."""
        row = self._row("scan_state", (scan,)) if scan is not None else None
        return "" if row is None else str(row[0])

    def requeue_site(self, claim: Claim, delay: float) -> bool:
        """Let the site wait for its next slice; false if it is not to go on."""
        row = self._row("hand_back", {"site": claim.site, "epoch": claim.epoch, "delay": delay})
        return row is not None and row[0] == "waiting"

    def postpone(self, claim: Claim, error: str) -> None:
        """Something went wrong: the site waits a while, each time longer; after a few times it is given up."""
        values = {"site": claim.site, "epoch": claim.epoch, "error": error[:500], "most": MAX_FAILURES}
        self._run("postpone", values)

    def finish(self, claim: Claim, pace: float | None, error: str = "") -> None:
        """The scan is over; a site with a rhythm waits for its next one."""
        self._run("finish", {"site": claim.site, "epoch": claim.epoch, "pace": pace, "error": error})

    def find(self, name: str) -> list[tuple[int, str, str]]:
        """Number, seed and state of the site with this seed, or of all sites of this host."""
        href = parse_seed_url(name)
        return self._rows("find_sites", (json.dumps([href]),)) or self._rows("find_host", (get_authority(href),))

    def pause(self, sites: Sequence[int]) -> int:
        """Let these sites rest; a slice under way ends soon. Gives how many do."""
        return len(self._rows("pause", (list(sites),)))

    def resume(self, sites: Sequence[int]) -> int:
        """Let these sites go on. Gives how many do."""
        return len(self._rows("resume", (list(sites),)))

    def cancel(self, sites: Sequence[int]) -> int:
        """Give these sites up; whoever works on them can write no more. Gives how many there were."""

        def change(connection: Connection[Any]) -> int:
            with connection.transaction():
                rows = connection.execute(_QUERIES["cancel"], (list(sites),)).fetchall()
                scans = [scan for _, scan in rows if scan is not None]
                connection.execute(_QUERIES["cancel_scans"], (timestamp(), scans))
                return len(rows)

        return self.server.run(change, "could not be written")

    def status(self, stuck: float = 300.0, limit: int = 10) -> FleetStatus:
        """How the fleet is doing; a site is stuck if nothing of it was kept for so many seconds."""
        workers = tuple(WorkerStatus(*row) for row in self._rows("workers", ()))
        busy = tuple((*json.loads(seeds)[:1], *rest) for seeds, *rest in self._rows("busy", (limit,)))
        troubled = tuple(
            (*json.loads(seeds)[:1], *rest) for seeds, *rest in self._rows("troubled", {"stuck": stuck, "limit": limit})
        )
        due = self._row("due", ())
        return FleetStatus(dict(self._rows("states", ())), due[0] if due else 0, workers, busy, troubled)

    def _rows(self, query: str, values: Any) -> list[Any]:  # noqa: ANN401  (whatever the query takes)
        return self.server.run(lambda connection: connection.execute(_QUERIES[query], values).fetchall())

    def _row(self, query: str, values: Any) -> Any:  # noqa: ANN401  (whatever the query takes)
        return next(iter(self._rows(query, values)), None)

    def _run(self, query: str, values: Mapping[str, object]) -> None:
        self.server.run(lambda connection: connection.execute(_QUERIES[query], values), "could not be written")
