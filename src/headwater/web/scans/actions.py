"""What the API does, where `answers` only tells: scans are started, stopped, gone on with; bodies are checked here."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response

from headwater.errors import HeadwaterError, SettingError, UrlError
from headwater.web.jobs.allowed_settings import MAX_SEED, MAX_SEEDS, OFFERED, check_seeds, choose
from headwater.web.scans import views as reading
from headwater.web.serving.app_state import office
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request

    from headwater.settings import Settings
    from headwater.store.browse import Browse

_SURROGATE = re.compile("[\ud800-\udfff]")
RESUMABLE = frozenset({"interrupted", "limited", "incomplete", "stalled", "paused"})


async def start(request: Request, _: dict[str, Any]) -> Response:
    """Start a scan."""
    body = await body_of(request, {"urls", "preset", "settings"})
    seeds = body.get("urls")
    if not isinstance(seeds, list) or not 1 <= len(seeds) <= MAX_SEEDS or not all(_is_seed(seed) for seed in seeds):
        raise Problem(422, f"expected a list of 1 to {MAX_SEEDS} URLs", "urls")
    preset = body.get("preset")
    if preset is not None and not isinstance(preset, str):
        raise Problem(422, "expected a name", "preset")
    chosen = chosen_settings(request, settings_in(body), preset)
    return await _begin(request, seeds, chosen)


async def cancel(request: Request, given: dict[str, Any]) -> Response:
    """Stop a scan, whoever runs it."""
    number, (desk, jobs, *_) = given["scan"], office(request)
    await desk.scan(number)
    if jobs.holds(number):
        await jobs.stop(number)
    else:
        await desk.read(_wish_to_stop, number)
    return JSONResponse({"scan": number})


async def resume(request: Request, given: dict[str, Any]) -> Response:
    """Go on with a scan that ended early; its own settings hold, but for what the request and the server decide."""
    found = await office(request).desk.scan(given["scan"])
    more = settings_in(await body_of(request, {"settings"}, is_optional=True))
    state = await office(request).desk.read(reading.live_state, found.number)
    if state["state"] not in RESUMABLE:
        raise Problem(409, f"scan {found.number} is {state['state']}")
    if await office(request).desk.read(_goes_on_in_fleet, found.number):
        return JSONResponse({"scan": found.number})
    own = {name: value for name, value in found.settings.items() if name in OFFERED}
    chosen = chosen_settings(request, {**own, **more}, None)
    check_targets(found.seeds, chosen)
    await office(request).jobs.go_on(found.number, found.seeds, chosen)
    return JSONResponse({"scan": found.number})


async def again(request: Request, given: dict[str, Any]) -> Response:
    """Scan the same site again."""
    found = await office(request).desk.scan(given["scan"])
    own = {name: value for name, value in found.settings.items() if name in OFFERED}
    return await _begin(request, found.seeds, chosen_settings(request, own, None))


def _wish_to_stop(store: Browse, scan: int) -> None:
    """A site of a fleet rests, as by `headwater pause`; any other scan finds the wish in the store."""
    state = reading.live_state(store, scan)
    if not state["is_live"]:
        raise Problem(409, f"scan {scan} is {state['state']}")
    site = store.fleet_site(scan)
    if site is None or store.fleet is None:
        store.ask_to_stop(scan)
    else:
        store.fleet.pause([site.number])


def _goes_on_in_fleet(store: Browse, scan: int) -> bool:
    """Whether a fleet goes on with it; it must not be worked here as well."""
    site = store.fleet_site(scan)
    if site is None or store.fleet is None:
        return False
    if site.state == "paused":
        store.fleet.resume([site.number])
    return True


async def _begin(request: Request, seeds: Sequence[str], chosen: Settings) -> Response:
    check_targets(seeds, chosen)
    number = await office(request).jobs.add(seeds, chosen)
    return JSONResponse({"scan": number}, 201, {"Location": f"/api/v1/scans/{number}"})


def check_targets(seeds: Sequence[str], chosen: Settings) -> None:
    """A problem unless every seed may be requested."""
    try:
        check_seeds(seeds, chosen)
    except UrlError as error:
        raise Problem(422, str(error), "urls") from None
    except SettingError as error:
        raise Problem(422, error.problem, error.name) from None


def chosen_settings(request: Request, given: Mapping[str, object], preset: str | None) -> Settings:
    """What the request gives before what the server was started with; a problem if a value is not allowed."""
    try:
        return choose(given, preset, office(request).layers, office(request).fixed)
    except SettingError as error:
        raise Problem(422, error.problem, error.name) from None
    except HeadwaterError as error:
        raise Problem(422, str(error)) from None


async def body_of(request: Request, names: set[str], *, is_optional: bool = False) -> dict[str, Any]:
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


def settings_in(body: Mapping[str, Any]) -> dict[str, object]:
    """The settings that a body gives."""
    given = body.get("settings", {})
    if not isinstance(given, dict):
        raise Problem(422, "expected an object of names and values", "settings")
    return given


def _is_seed(seed: object) -> bool:
    return isinstance(seed, str) and 1 <= len(seed) <= MAX_SEED and seed.isprintable()
