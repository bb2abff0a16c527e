"""A fleet for those who look at it: its sites a page at a time, its queue, its workers and what they work on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.store.queries import load_queries

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from headwater.store.postgres.fleet import Fleet, WorkerStatus

_QUERIES = load_queries("postgres", "fleet_view.sql")
_MAX_ACTIVE_SITES = 500
STUCK_AFTER_SECONDS = 300.0
"""Seconds after which a site under way of which nothing was kept counts as stuck."""

SITE_STATES = ("waiting", "queued", "working", "paused", "done", "failed", "cancelled")


class RecentScan(NamedTuple):
    """One of the last scans of a site."""

    number: int
    state: str
    started: str


class SiteRow(NamedTuple):
    """A site as lists show it."""

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
    """A process that works, and some of the sites it has under way."""

    worker: WorkerStatus
    seeds: tuple[str, ...]


class FailingSite(NamedTuple):
    """A site that is stuck or failed last time."""

    site: int
    seed: str
    state: str
    failures: int
    error: str
    idle: float


class FleetOverview(NamedTuple):
    """How a fleet is doing; `jobs` are those that wait, are done now, and failed."""

    states: Mapping[str, int]
    due: int
    jobs: tuple[int, int, int]
    workers: tuple[WorkerRow, ...]
    failing_sites: tuple[FailingSite, ...]


class SiteFilter(NamedTuple):
    """Which sites are wanted; what is empty does not matter."""

    state: str = ""
    text: str = ""
    before: int | None = None
    numbers: Sequence[int] = ()


class FleetView:
    """Asks only; what changes sites is the fleet itself, but for their priority and rhythm."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet

    def sites(self, wanted: SiteFilter, limit: int) -> list[SiteRow]:
        """Sites that were submitted, the newest first."""
        names = [
            name
            for name, applies in (
                ("before", wanted.before is not None),
                ("in_state", wanted.state),
                ("submitted", not wanted.state),
                ("with_text", wanted.text),
                ("of_numbers", wanted.numbers),
            )
            if applies
        ]
        query = _QUERIES["sites"].format(conditions=" AND ".join(_QUERIES[name] for name in names))
        values = {**wanted._asdict(), "text": wanted.text.lower(), "numbers": list(wanted.numbers), "limit": limit}
        return [_parse_site_row(row) for row in self._ask(query, values)]

    def site(self, number: int) -> SiteRow | None:
        """One site."""
        return next(iter(self.sites(SiteFilter(numbers=(number,)), 1)), None)

    def overview(self, trouble: int = 20) -> FleetOverview:
        """How it is doing: what `headwater status` says, and what each worker is at."""
        status = self._fleet.status()
        work: dict[str, list[str]] = {}
        for name, seeds in self._ask(_QUERIES["work"], (_MAX_ACTIVE_SITES,)):
            work.setdefault(name, []).append(json.loads(seeds)[0])
        troubled = self._ask(_QUERIES["troubled"], {"stuck": STUCK_AFTER_SECONDS, "limit": trouble})
        return FleetOverview(
            status.states,
            status.due,
            self._jobs(),
            tuple(WorkerRow(worker, tuple(work.get(worker.name, ()))) for worker in status.workers),
            tuple(FailingSite(site, json.loads(seeds)[0], *rest) for site, seeds, *rest in troubled),
        )

    def update_schedule(self, site: int, priority: int | None, rhythm: tuple[float | None, bool] | None) -> bool:
        """Change how urgent a site is, how often it is scanned, or both; false if there is no such site."""
        every, is_fixed = rhythm or (None, False)
        values = {"site": site, "priority": priority, "has_rhythm": rhythm is not None, "every": every}
        return bool(self._ask(_QUERIES["set_wish"], {**values, "is_fixed": is_fixed}))

    def _jobs(self) -> tuple[int, int, int]:
        ((exists,),) = self._ask(_QUERIES["has_queue"], ())
        if not exists:
            return 0, 0, 0
        ((waiting, doing, failed),) = self._ask(_QUERIES["jobs"], ())
        return waiting, doing, failed

    def _ask(self, query: str, values: Any) -> list[Any]:  # noqa: ANN401  (whatever the query takes)
        return self._fleet.server.run(lambda connection: connection.execute(query, values).fetchall())


def _parse_site_row(row: Sequence[Any]) -> SiteRow:
    site = SiteRow(*row)
    return site._replace(
        seeds=tuple(json.loads(row[1])),
        due=_format_time(row[4]),
        touched=_format_time(row[13]) or "",
        recent=tuple(RecentScan(*one) for one in row[15] or ()),
    )


def _format_time(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat(timespec="seconds")
