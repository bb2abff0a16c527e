"""What the API says of a fleet and does to it: the same as the commands submit, status, pause, resume and cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response

from headwater.errors import UrlError
from headwater.runner.scan_setup import public_settings
from headwater.store.postgres.fleet import SubmitOptions, parse_site_seed
from headwater.store.postgres.fleet_view import FleetView, SiteFilter
from headwater.web.jobs.allowed_settings import MAX_SEED_LENGTH
from headwater.web.scans.actions import parse_settings, read_json_body, resolve_settings, validate_seeds
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.cursors import decode_cursor, encode_cursor
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.requests import Request

    from headwater.store.browse_store import BrowseStore
    from headwater.store.postgres.fleet import Fleet
    from headwater.store.postgres.fleet_view import SiteRow

CACHE_SECONDS = 1.0
"""Seconds for which one answer about the whole fleet serves all who look."""

MAX_SITES = 500
MAX_PRIORITY = 1000
SHORTEST, LONGEST = 1.0, 10 * 365 * 86_400.0
NO_FLEET = "a store in one file has no fleet; serve a PostgreSQL: --db postgresql://…"


async def fleet(request: Request, _: dict[str, Any]) -> Response:
    """How the fleet is doing."""
    return JSONResponse(await get_app_state(request).readers.read_cached(overview, CACHE_SECONDS))


async def sites(request: Request, given: dict[str, Any]) -> Response:
    """Sites, the newest first."""
    return JSONResponse(await get_app_state(request).readers.read(list_sites, given))


async def site(request: Request, given: dict[str, Any]) -> Response:
    """One site."""
    return JSONResponse(await get_app_state(request).readers.read(_find_site, given["site"]))


async def submit_sites(request: Request, _: dict[str, Any]) -> Response:
    """Give sites to the fleet."""
    await get_app_state(request).readers.read(require_fleet)
    body = await read_json_body(request, {"urls", "preset", "settings", "priority", "every", "fixed"})
    preset = body.get("preset")
    if preset is not None and not isinstance(preset, str):
        raise Problem(422, "expected a name", "preset")
    chosen = resolve_settings(request, parse_settings(body), preset)
    seeds = _parse_seeds(body.get("urls"))
    validate_seeds(seeds, chosen)
    every, is_fixed = _parse_interval(body) or (None, False)
    wish = SubmitOptions(public_settings(chosen), _parse_priority(body) or 0, every, is_fixed)
    done = await get_app_state(request).readers.read(lambda store: require_fleet(store).submit(seeds, wish))
    return JSONResponse(done._asdict(), 201)


async def pause_site(request: Request, given: dict[str, Any]) -> Response:
    """Let a site rest."""
    return await _change_state(request, given["site"], lambda fleet: fleet.pause)


async def resume_site(request: Request, given: dict[str, Any]) -> Response:
    """Let a site go on."""
    return await _change_state(request, given["site"], lambda fleet: fleet.resume)


async def cancel_site(request: Request, given: dict[str, Any]) -> Response:
    """Give a site up."""
    return await _change_state(request, given["site"], lambda fleet: fleet.cancel)


async def update_site(request: Request, given: dict[str, Any]) -> Response:
    """How urgent a site is, and how often it is scanned."""
    await get_app_state(request).readers.read(_find_site, given["site"])
    body = await read_json_body(request, {"priority", "every", "fixed"})
    priority, rhythm = _parse_priority(body), _parse_interval(body)
    if priority is None and rhythm is None:
        raise Problem(422, "expected priority, every or both")

    def change(store: BrowseStore) -> dict[str, Any]:
        FleetView(require_fleet(store)).update_schedule(given["site"], priority, rhythm)
        return _find_site(store, given["site"])

    return JSONResponse(await get_app_state(request).readers.read(change))


def require_fleet(store: BrowseStore) -> Fleet:
    """The fleet; a problem if the store cannot have one."""
    if store.fleet is None:
        raise Problem(404, NO_FLEET)
    return store.fleet


def overview(store: BrowseStore) -> dict[str, Any]:
    """How the fleet is doing, as the API and the page show it."""
    told = FleetView(require_fleet(store)).overview()
    waiting, doing, failed = told.jobs
    return {
        "sites": dict(told.states),
        "due": told.due,
        "queue": {"waiting": waiting, "doing": doing, "failed": failed},
        "pages_per_second": round(sum(row.worker.rate for row in told.workers), 2),
        "workers": [{**row.worker._asdict(), "working": list(row.seeds)} for row in told.workers],
        "trouble": [one._asdict() for one in told.failing_sites],
    }


def list_sites(store: BrowseStore, given: Mapping[str, Any]) -> dict[str, Any]:
    """A part of the list of sites, or exactly those that are named by their numbers."""
    after = decode_cursor(given.get("cursor"), int)
    numbers = tuple(int(number) for number in given.get("numbers", "").split(",") if number)
    limit = max(given["limit"], len(numbers))
    wanted = SiteFilter(given.get("state", ""), given.get("text", ""), after[0] if after else None, numbers)
    rows = FleetView(require_fleet(store)).sites(wanted, limit + 1)
    more = (rows[limit - 1].number,) if len(rows) > limit else None
    return {"sites": [_site_row(row) for row in rows[:limit]], "cursor": encode_cursor(more)}


def _site_row(site: SiteRow) -> dict[str, Any]:
    return {**site._asdict(), "seeds": list(site.seeds), "recent": [scan._asdict() for scan in site.recent]}


def _find_site(store: BrowseStore, number: int) -> dict[str, Any]:
    found = FleetView(require_fleet(store)).site(number)
    if found is None:
        raise Problem(404, f"the fleet has no site {number}")
    return _site_row(found)


async def _change_state(
    request: Request, number: int, act: Callable[[Fleet], Callable[[Sequence[int]], int]]
) -> Response:
    def change(store: BrowseStore) -> dict[str, Any]:
        state = _find_site(store, number)["state"]
        if not act(require_fleet(store))([number]):
            raise Problem(409, f"the site is {state}")
        return _find_site(store, number)

    return JSONResponse(await get_app_state(request).readers.read(change))


def _parse_seeds(given: object) -> list[str]:
    if not isinstance(given, list) or not 1 <= len(given) <= MAX_SITES:
        raise Problem(422, f"expected a list of 1 to {MAX_SITES} URLs", "urls")
    if not all(isinstance(seed, str) and 1 <= len(seed) <= MAX_SEED_LENGTH and seed.isprintable() for seed in given):
        raise Problem(422, "expected URLs", "urls")
    try:
        return [parse_site_seed(seed) for seed in given]
    except UrlError as error:
        raise Problem(422, str(error), "urls") from None


def _parse_priority(body: Mapping[str, Any]) -> int | None:
    if "priority" not in body:
        return None
    value = body["priority"]
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or value != value // 1
        or abs(value) > MAX_PRIORITY
    ):
        raise Problem(422, f"expected a whole number from -{MAX_PRIORITY} to {MAX_PRIORITY}", "priority")
    return int(value)


def _parse_interval(body: Mapping[str, Any]) -> tuple[float | None, bool] | None:
    """Seconds between two scans, None for never again; nothing if the body does not say."""
    every, is_fixed = body.get("every"), body.get("fixed", False)
    if not isinstance(is_fixed, bool):
        raise Problem(422, "expected true or false", "fixed")
    if "every" not in body:
        return None
    if every is not None and (
        isinstance(every, bool) or not isinstance(every, int | float) or not SHORTEST <= every <= LONGEST
    ):
        raise Problem(422, f"expected seconds from {SHORTEST:g} to {LONGEST:g}, or null", "every")
    return every, is_fixed
