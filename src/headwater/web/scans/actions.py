"""What the API does, where `answers` only tells: scans are started, stopped, gone on with; bodies are checked here."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response

from headwater.errors import HeadwaterError, SettingError, UrlError
from headwater.web.jobs.allowed_settings import (
    ALLOWED_SETTINGS,
    MAX_SEED_LENGTH,
    MAX_SEEDS,
    check_seeds,
    merge_settings,
)
from headwater.web.scans import views
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request

    from headwater.settings import Settings
    from headwater.store.browse_store import BrowseStore

_SURROGATE = re.compile("[\ud800-\udfff]")
RESUMABLE_STATES = frozenset({"interrupted", "limited", "incomplete", "stalled", "paused"})


async def start_scan(request: Request, _: dict[str, Any]) -> Response:
    """Start a scan."""
    body = await read_json_body(request, {"urls", "preset", "settings"})
    seeds = body.get("urls")
    if not isinstance(seeds, list) or not 1 <= len(seeds) <= MAX_SEEDS or not all(_is_seed(seed) for seed in seeds):
        raise Problem(422, f"expected a list of 1 to {MAX_SEEDS} URLs", "urls")
    preset = body.get("preset")
    if preset is not None and not isinstance(preset, str):
        raise Problem(422, "expected a name", "preset")
    chosen = resolve_settings(request, parse_settings(body), preset)
    return await _enqueue_scan(request, seeds, chosen)


async def cancel_scan(request: Request, given: dict[str, Any]) -> Response:
    """Stop a scan, whoever runs it."""
    number, (desk, jobs, *_) = given["scan"], get_app_state(request)
    await desk.scan(number)
    if jobs.holds(number):
        await jobs.stop(number)
    else:
        await desk.read(_request_stop, number)
    return JSONResponse({"scan": number})


async def resume_scan(request: Request, given: dict[str, Any]) -> Response:
    """Go on with a scan that ended early; its own settings hold, but for what the request and the server decide."""
    found = await get_app_state(request).readers.scan(given["scan"])
    more = parse_settings(await read_json_body(request, {"settings"}, is_optional=True))
    state = await get_app_state(request).readers.read(views.live_state, found.number)
    if state["state"] not in RESUMABLE_STATES:
        raise Problem(409, f"scan {found.number} is {state['state']}")
    if await get_app_state(request).readers.read(_resume_in_fleet, found.number):
        return JSONResponse({"scan": found.number})
    own = {name: value for name, value in found.settings.items() if name in ALLOWED_SETTINGS}
    chosen = resolve_settings(request, {**own, **more}, None)
    validate_seeds(found.seeds, chosen)
    await get_app_state(request).jobs.resume_scan(found.number, found.seeds, chosen)
    return JSONResponse({"scan": found.number})


async def rescan(request: Request, given: dict[str, Any]) -> Response:
    """Scan the same site again."""
    found = await get_app_state(request).readers.scan(given["scan"])
    own = {name: value for name, value in found.settings.items() if name in ALLOWED_SETTINGS}
    return await _enqueue_scan(request, found.seeds, resolve_settings(request, own, None))


def _request_stop(store: BrowseStore, scan: int) -> None:
    """A site of a fleet rests, as by `headwater pause`; any other scan finds the wish in the store."""
    state = views.live_state(store, scan)
    if not state["is_live"]:
        raise Problem(409, f"scan {scan} is {state['state']}")
    site = store.fleet_site(scan)
    if site is None or store.fleet is None:
        store.request_stop(scan)
    else:
        store.fleet.pause([site.number])


def _resume_in_fleet(store: BrowseStore, scan: int) -> bool:
    """Whether a fleet goes on with it; it must not be worked here as well."""
    site = store.fleet_site(scan)
    if site is None or store.fleet is None:
        return False
    if site.state == "paused":
        store.fleet.resume([site.number])
    return True


async def _enqueue_scan(request: Request, seeds: Sequence[str], chosen: Settings) -> Response:
    validate_seeds(seeds, chosen)
    number = await get_app_state(request).jobs.add(seeds, chosen)
    return JSONResponse({"scan": number}, 201, {"Location": f"/api/v1/scans/{number}"})


def validate_seeds(seeds: Sequence[str], chosen: Settings) -> None:
    """A problem unless every seed may be requested."""
    try:
        check_seeds(seeds, chosen)
    except UrlError as error:
        raise Problem(422, str(error), "urls") from None
    except SettingError as error:
        raise Problem(422, error.problem, error.name) from None


def resolve_settings(request: Request, given: Mapping[str, object], preset: str | None) -> Settings:
    """What the request gives before what the server was started with; a problem if a value is not allowed."""
    try:
        return merge_settings(given, preset, get_app_state(request).layers, get_app_state(request).fixed_settings)
    except SettingError as error:
        raise Problem(422, error.problem, error.name) from None
    except HeadwaterError as error:
        raise Problem(422, str(error)) from None


async def read_json_body(request: Request, names: set[str], *, is_optional: bool = False) -> dict[str, Any]:
    """A request's JSON object, which has these fields at most."""
    raw = await request.body()
    if not raw and is_optional:
        return {}
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem(415, "the body must be application/json")
    try:
        body = json.loads(raw)
        text = json.dumps(body, ensure_ascii=False)
    except (ValueError, RecursionError):
        raise Problem(400, "the body is no JSON") from None
    if _SURROGATE.search(text):
        raise Problem(422, "the body has half of a surrogate pair")  # which no store takes
    if not isinstance(body, dict):
        raise Problem(422, "the body must be an object")
    for name in body:
        if name not in names:
            raise Problem(422, "there is no such field", name[:80])
    return body


def parse_settings(body: Mapping[str, Any]) -> dict[str, object]:
    """The settings that a body gives."""
    given = body.get("settings", {})
    if not isinstance(given, dict):
        raise Problem(422, "expected an object of names and values", "settings")
    return given


def _is_seed(seed: object) -> bool:
    return isinstance(seed, str) and 1 <= len(seed) <= MAX_SEED_LENGTH and seed.isprintable()
