"""A fleet as the API and the screen show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.postgres.fleet_view import FleetView, SiteFilter, SiteRow
from headwater.web.fleet.records import FailingSiteView, FleetSummary, QueueCounts, SiteList, SiteView, WorkerView
from headwater.web.serving.cursors import cut_page, decode_offset
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from headwater.store.browse_store import BrowseStore
    from headwater.store.postgres.fleet import Fleet
    from headwater.web.fleet.inputs import FleetQuery

NO_FLEET = "A SQLite store has no fleet. Start the server with --db postgresql://…"


def require_fleet(store: BrowseStore) -> Fleet:
    """Return the fleet of a store; raise Problem if the store cannot have one."""
    if store.fleet is None:
        raise Problem(404, NO_FLEET)
    return store.fleet


def make_fleet_summary(store: BrowseStore) -> FleetSummary:
    """Return the state of the fleet."""
    overview = FleetView(require_fleet(store)).overview()
    waiting, doing, failed = overview.jobs
    return FleetSummary(
        sites=overview.states,
        due=overview.due,
        queue=QueueCounts(waiting=waiting, doing=doing, failed=failed),
        pages_per_second=round(sum(row.worker.rate for row in overview.workers), 2),
        workers=tuple(WorkerView.make(row.worker, row.seeds) for row in overview.workers),
        failing_sites=tuple(FailingSiteView(*site) for site in overview.failing_sites),
    )


def list_sites(store: BrowseStore, query: FleetQuery, limit: int, numbers: str = "") -> SiteList:
    """Return a part of the list of sites, or the sites with these numbers."""
    chosen = tuple(int(number) for number in numbers.split(",") if number)
    limit = max(limit, len(chosen))
    wanted = SiteFilter(query.state, query.text, decode_offset(query.cursor), chosen)
    rows = FleetView(require_fleet(store)).sites(wanted, limit + 1)
    shown, cursor = cut_page(rows, limit, lambda row: row.number)
    return SiteList(sites=tuple(SiteView.make(row) for row in shown), cursor=cursor)


def require_site_row(store: BrowseStore, number: int) -> SiteRow:
    """Return a site of the store by its number; raise Problem if it does not exist."""
    found = FleetView(require_fleet(store)).site(number)
    if found is None:
        raise Problem(404, f"The fleet has no site {number}")
    return found


def require_site(store: BrowseStore, number: int) -> SiteView:
    """Return a site by its number; raise Problem if it does not exist."""
    return SiteView.make(require_site_row(store, number))
