"""Read a fleet for display: its sites page by page, its queue, its workers and their sites."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.store.common.readers import parse_seeds, register_parsers
from headwater.store.postgres.database import PostgresDatabase
from headwater.store.queries import load_queries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from headwater.store.postgres.fleet import FailingSite, Fleet, WorkerStatus

_QUERIES = load_queries("postgres", "fleet_view.sql")
_MAX_ACTIVE_SITES = 500
_MAX_FAILING_SITES = 20
SITE_STATES = ("waiting", "queued", "working", "paused", "done", "failed", "cancelled")


class RecentScan(NamedTuple):
    """Recent scan of a site."""

    number: int
    state: str
    started: str


class SiteRow(NamedTuple):
    """Site as lists show it."""

    number: int
    seeds: tuple[str, ...]
    state: str
    priority: int
    due: str | None
    every: float | None
    is_fixed: bool
    pace: float | None
    pages: int
    scans: int
    slices: int
    failures: int
    error: str
    touched: str
    worker: str | None
    recent: tuple[RecentScan, ...]


class WorkerRow(NamedTuple):
    """Worker process, and some of the sites it is working on."""

    worker: WorkerStatus
    seeds: tuple[str, ...]


class FleetOverview(NamedTuple):
    """Status of a fleet; `jobs` are the numbers of waiting, running and failed jobs."""

    states: Mapping[str, int]
    due: int
    jobs: tuple[int, int, int]
    workers: tuple[WorkerRow, ...]
    failing_sites: tuple[FailingSite, ...]


class SiteFilter(NamedTuple):
    """Conditions for sites; empty ones are ignored."""

    state: str = ""
    text: str = ""
    before: int | None = None
    numbers: Sequence[int] = ()


class FleetView:
    """Reads a fleet, and changes priority and schedule of its sites."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._db = PostgresDatabase(fleet.server, queries=_QUERIES)

    def sites(self, wanted: SiteFilter, limit: int) -> list[SiteRow]:
        """Return submitted sites, newest first."""
        conditions = {
            "before": wanted.before is not None,
            "in_state": bool(wanted.state),
            "submitted": not wanted.state,
            "with_text": bool(wanted.text),
            "of_numbers": bool(wanted.numbers),
        }
        chosen = " AND ".join(_QUERIES[name] for name, applies in conditions.items() if applies)
        db = PostgresDatabase(self._fleet.server, queries={"sites": _QUERIES["sites"].format(conditions=chosen)})
        values = {**wanted._asdict(), "text": wanted.text.lower(), "numbers": list(wanted.numbers)}
        return db.select(SiteRow, "sites", limit=limit, **values)

    def site(self, number: int) -> SiteRow | None:
        """Return one site."""
        return next(iter(self.sites(SiteFilter(numbers=(number,)), 1)), None)

    def overview(self) -> FleetOverview:
        """Return the status of the fleet, with the sites of each worker."""
        status = self._fleet.status(_MAX_FAILING_SITES)
        work: dict[str, list[str]] = {}
        for name, seeds in self._db.rows("sites_by_worker", limit=_MAX_ACTIVE_SITES):
            work.setdefault(name, []).append(json.loads(seeds)[0])
        return FleetOverview(
            states=status.states,
            due=status.due,
            jobs=self._count_jobs(),
            workers=tuple(
                WorkerRow(worker=worker, seeds=tuple(work.get(worker.name, ()))) for worker in status.workers
            ),
            failing_sites=status.failing_sites,
        )

    def update_schedule(self, site: int, priority: int | None, schedule: tuple[float | None, bool] | None) -> bool:
        """Change the priority of a site, its schedule, or both; return False if it does not exist."""
        every, is_fixed = schedule or (None, False)
        changed = self._db.execute(
            "update_schedule", site=site, priority=priority, has_schedule=schedule is not None, every=every,
            is_fixed=is_fixed,
        )  # fmt: skip
        return changed > 0

    def _count_jobs(self) -> tuple[int, int, int]:
        if not self._db.value("has_queue"):
            return 0, 0, 0
        ((waiting, running, failed),) = self._db.rows("jobs")
        return waiting, running, failed


def _format_time(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat(timespec="seconds")


def _parse_recent(scans: Sequence[Sequence[Any]] | None) -> tuple[RecentScan, ...]:
    return tuple(RecentScan(number=number, state=state, started=started) for number, state, started in scans or ())


register_parsers(
    SiteRow,
    {"seeds": parse_seeds, "due": _format_time, "touched": _format_time, "recent": _parse_recent},
)
