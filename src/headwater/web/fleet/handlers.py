"""API routes about a fleet; they do the same as the commands submit, status, pause, resume and cancel."""

from collections.abc import Callable, Sequence

from msgspec import UNSET
from starlette.requests import Request

from headwater.errors import UrlError
from headwater.runner.scan_setup import public_settings
from headwater.store.browse_store import BrowseStore
from headwater.store.postgres.fleet import Fleet, SubmitOptions, parse_site_seed
from headwater.store.postgres.fleet_view import FleetView
from headwater.web.fleet.inputs import SiteListQuery, SitePath, SubmitSites, UpdateSite
from headwater.web.fleet.records import FleetSummary, SiteList, SiteView, SubmittedSites
from headwater.web.fleet.views import list_sites, make_fleet_summary, require_fleet, require_site, require_site_row
from headwater.web.scans.actions import resolve_settings, validate_seeds
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.parameters import NoParameters
from headwater.web.serving.problems import Problem

CACHE_SECONDS = 1.0
"""Seconds for which one summary of the fleet serves all clients."""


async def fleet(request: Request, given: NoParameters) -> FleetSummary:
    """Return the state of the fleet."""
    return await get_app_state(request).readers.read_cached(make_fleet_summary, CACHE_SECONDS)


async def sites(request: Request, given: SiteListQuery) -> SiteList:
    """Return sites, newest first."""
    return await get_app_state(request).readers.read(list_sites, given, given.limit, given.numbers)


async def site(request: Request, given: SitePath) -> SiteView:
    """Return one site."""
    return await get_app_state(request).readers.read(require_site, given.site)


async def submit_sites(request: Request, given: SubmitSites) -> SubmittedSites:
    """Submit sites to the fleet."""
    readers, body = get_app_state(request).readers, given.body
    await readers.read(require_fleet)
    chosen = resolve_settings(request, body.settings, body.preset)
    seeds = _parse_seeds(body.urls)
    validate_seeds(seeds, chosen)
    options = SubmitOptions(public_settings(chosen), body.priority, body.every, body.fixed and body.every is not None)
    return SubmittedSites(*await readers.read(lambda store: require_fleet(store).submit(seeds, options)))


async def pause_site(request: Request, given: SitePath) -> SiteView:
    """Pause a site."""
    return await _change_state(request, given.site, lambda fleet: fleet.pause)


async def resume_site(request: Request, given: SitePath) -> SiteView:
    """Resume a paused site."""
    return await _change_state(request, given.site, lambda fleet: fleet.resume)


async def cancel_site(request: Request, given: SitePath) -> SiteView:
    """Cancel a site."""
    return await _change_state(request, given.site, lambda fleet: fleet.cancel)


async def update_site(request: Request, given: UpdateSite) -> SiteView:
    """Change the priority of a site, or how often it is scanned."""
    body = given.body
    if body.priority is UNSET and body.every is UNSET:
        raise Problem(422, "expected priority, every or both")
    priority = None if body.priority is UNSET else body.priority
    schedule = None if body.every is UNSET else (body.every, body.fixed)

    def change(store: BrowseStore) -> SiteView:
        require_site(store, given.site)
        FleetView(require_fleet(store)).update_schedule(given.site, priority, schedule)
        return require_site(store, given.site)

    return await get_app_state(request).readers.read(change)


async def _change_state(
    request: Request, number: int, get_method: Callable[[Fleet], Callable[[Sequence[int]], int]]
) -> SiteView:
    def change(store: BrowseStore) -> SiteView:
        state = require_site_row(store, number).state
        if not get_method(require_fleet(store))([number]):
            raise Problem(409, f"The site is {state}")
        return require_site(store, number)

    return await get_app_state(request).readers.read(change)


def _parse_seeds(urls: Sequence[str]) -> list[str]:
    try:
        return [parse_site_seed(url) for url in urls]
    except UrlError as error:
        raise Problem(422, str(error), "urls") from None
