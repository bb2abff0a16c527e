"""Sites of a fleet in PostgreSQL: submitted, claimed by one worker at a time under an epoch, requeued, finished."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from headwater.errors import LeaseLostError, StoreError
from headwater.store.common.readers import parse_seeds, register_parsers
from headwater.store.postgres.database import PostgresDatabase
from headwater.store.postgres.session import PostgresSession
from headwater.store.queries import load_queries
from headwater.store.records import Scan
from headwater.store.rows import build_scan_values, build_site_key, timestamp
from headwater.urls.parsing import get_authority, parse_seed_url, parse_seed_without_credentials

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from headwater.store.common.database import Session
    from headwater.store.postgres.connection import ServerConnection

_BATCH_SIZE = 10_000
STUCK_AFTER_SECONDS = 300.0
"""Seconds without a stored batch after which a running site counts as stuck."""

MAX_FAILURES = 5
"""Consecutive failures after which a site is not retried until it is submitted again."""


class Claim(NamedTuple):
    """Site that a worker has claimed; the claim is valid while `epoch` is the site's current epoch."""

    site: int
    epoch: int
    seeds: tuple[str, ...]
    settings: Mapping[str, object]
    scan: int | None
    failures: int
    every: float | None
    is_fixed: bool
    pace: float | None


register_parsers(Claim, {"seeds": parse_seeds, "settings": json.loads})


class SubmitResult(NamedTuple):
    """Number of submitted sites that are new, that were queued again, and that were waiting or running already."""

    new: int = 0
    again: int = 0
    known: int = 0


class SubmitOptions(NamedTuple):
    """Settings, priority and schedule of submitted sites."""

    settings: Mapping[str, object]
    priority: int = 0
    every: float | None = None
    is_fixed: bool = False


class WorkerStatus(NamedTuple):
    """Worker process as of its last heartbeat."""

    name: str
    age: float
    silent: float
    pages: int
    slices: int
    sites: int
    rate: float


class ActiveSite(NamedTuple):
    """Site that is being scanned; `idle` is the time since the last update, in seconds."""

    seed: str
    slices: int
    pages: int
    idle: float


class FailingSite(NamedTuple):
    """Site that is stuck or failed last time."""

    site: int
    seed: str
    state: str
    failures: int
    error: str
    idle: float


def _parse_first_seed(text: str) -> str:
    return parse_seeds(text)[0]


register_parsers(ActiveSite, {"seed": _parse_first_seed})
register_parsers(FailingSite, {"seed": _parse_first_seed})


class FleetStatus(NamedTuple):
    """Status of the fleet."""

    states: Mapping[str, int]
    due: int
    workers: tuple[WorkerStatus, ...]
    active_sites: tuple[ActiveSite, ...]
    failing_sites: tuple[FailingSite, ...]


def parse_site_seed(text: str) -> str:
    """Return the URL of a submitted site as it is requested."""
    return parse_seed_without_credentials(text, "give them to `headwater worker`")


class Fleet:
    """Submitted sites: waiting, being scanned, paused or done."""

    def __init__(self, server: ServerConnection) -> None:
        self.server = server
        queries = {**load_queries("postgres"), **load_queries("postgres", "fleet.sql")}
        self._db = PostgresDatabase(server, queries=queries)

    def submit(self, seeds: Iterable[str], options: SubmitOptions) -> SubmitResult:
        """Put sites into the queue, all of them or none; sites that wait or run already stay as they are."""
        rest, tries = iter(seeds), iter((1,))

        def insert(session: Session) -> SubmitResult:
            if next(tries, None) is None:
                raise StoreError(f"The connection to {self.server.display_url} was lost; nothing was submitted")
            total = SubmitResult()
            session.execute("create_submitted_table")
            while rows := [build_site_key((seed,)) for seed in islice(rest, _BATCH_SIZE)]:
                total = SubmitResult(*map(sum, zip(total, _submit(session, rows, options), strict=True)))
            return total

        return self._db.transact(insert)

    def claim(self, site: int, worker: int | None) -> Claim | None:
        """Claim a site, so that its last worker can no longer write; None if it should not be worked on now."""
        return self._db.find(Claim, "claim", site=site, worker=worker)

    def create_scan(self, claim: Claim, settings: Mapping[str, object]) -> Scan:
        """Add a scan of a claimed site."""
        values = build_scan_values(claim.seeds, settings, json.dumps(list(claim.seeds)))

        def insert(session: Session) -> Scan:
            number = session.insert("add_scan", **values)
            if not session.execute("set_scan", scan=number, site=claim.site, epoch=claim.epoch):
                raise LeaseLostError(f"another worker took over site {claim.site}: epoch {claim.epoch} has ended")
            return session.select(Scan, "scan_by_number", number=number)[0]

        return self._db.transact(insert)

    def requeue_site(self, claim: Claim, delay: float) -> bool:
        """Let a site wait for its next slice; return False if it was paused or taken over meanwhile."""
        return bool(self._db.value("requeue_site", site=claim.site, epoch=claim.epoch, delay=delay) == "waiting")

    def postpone(self, claim: Claim, error: str) -> None:
        """Retry a failed site later, after a delay that grows; after `MAX_FAILURES` failures it fails for good."""
        self._db.execute("postpone", site=claim.site, epoch=claim.epoch, error=error[:500], max_failures=MAX_FAILURES)

    def finish(self, claim: Claim, pace: float | None, error: str = "") -> None:
        """Finish the scan of a site; a site with a schedule waits for its next scan."""
        self._db.execute("finish", site=claim.site, epoch=claim.epoch, pace=pace, error=error)

    def find_sites(self, name: str) -> list[tuple[int, str, str]]:
        """Return number, seeds and state of the site with this seed, or of all sites of this host."""
        href = parse_seed_url(name)
        by_seed = self._db.rows("find_sites", seeds=json.dumps([href]))
        return by_seed or self._db.rows("find_sites_by_host", host=get_authority(href))

    def pause(self, sites: Sequence[int]) -> int:
        """Pause sites, and return how many were paused; a running slice ends soon."""
        return self._db.execute("pause", sites=list(sites))

    def resume(self, sites: Sequence[int]) -> int:
        """Resume paused sites, and return how many there were."""
        return self._db.execute("resume", sites=list(sites))

    def cancel(self, sites: Sequence[int]) -> int:
        """Cancel sites, and return how many there were; their workers can no longer write."""

        def cancel(session: Session) -> int:
            rows = session.rows("cancel", sites=list(sites))
            scans = [scan for _, scan in rows if scan is not None]
            session.execute("cancel_scans", now=timestamp(), scans=scans)
            return len(rows)

        return self._db.transact(cancel)

    def status(self, limit: int = 10) -> FleetStatus:
        """Return the status of the fleet, with at most `limit` active and failing sites."""
        return FleetStatus(
            states=dict(self._db.rows("state_counts")),
            due=self._db.value("count_due"),
            workers=tuple(self._db.select(WorkerStatus, "workers")),
            active_sites=tuple(self._db.select(ActiveSite, "active_sites", limit=limit)),
            failing_sites=tuple(self._db.select(FailingSite, "failing_sites", stuck=STUCK_AFTER_SECONDS, limit=limit)),
        )


def _submit(session: Session, rows: list[tuple[str, str]], options: SubmitOptions) -> SubmitResult:
    assert isinstance(session, PostgresSession)
    session.copy("copy_submitted", rows)
    ((known, busy),) = session.rows("count_known")
    values = {**options._asdict(), "settings": json.dumps(options.settings), "now": timestamp()}
    changed = session.execute("submit", **values)
    session.execute("empty_submitted")
    return SubmitResult(new=changed - known, again=known - busy, known=busy)
