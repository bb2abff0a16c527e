"""What the API does about dives: they are started, stopped, run again, asked; bodies are checked here."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response, StreamingResponse

from headwater.dive import Answer, Passages, Piece, Selection, begin, list_dives
from headwater.errors import HeadwaterError, ModelError
from headwater.settings import SETTINGS
from headwater.web.dives.handlers import get_dive
from headwater.web.dives.views import dive_row, hit_row
from headwater.web.jobs.allowed_settings import ALLOWED_SETTINGS
from headwater.web.scans.actions import parse_settings, read_json_body, resolve_settings, validate_seeds
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping

    from starlette.requests import Request

    from headwater.settings import Settings
    from headwater.store import Dive
    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Scan

MAX_SELECTORS = 20
MAX_SELECTOR_LENGTH = 500
MAX_QUESTION_LENGTH = 2000


async def start_dive(request: Request, _: dict[str, Any]) -> Response:
    """Start a dive, or run the one there is into the same pages again."""
    body = await read_json_body(request, {"scan", "clusters", "match", "all_languages", "settings"})
    scan = _parse_number(body, "scan")
    selection = Selection(
        _parse_selectors(body, "clusters"), _parse_selectors(body, "match"), _parse_flag(body, "all_languages")
    )
    if not selection.clusters and not selection.include:
        raise Problem(422, "name clusters, or patterns of URLs", "clusters")
    number = await _enqueue_dive(request, scan, selection, parse_settings(body))
    return JSONResponse({"dive": number}, 201, {"Location": f"/api/v1/dives/{number}"})


async def cancel_dive(request: Request, given: dict[str, Any]) -> Response:
    """Stop a dive."""
    view = await get_app_state(request).dive_events.view(given["dive"])
    if not view["is_live"]:
        raise Problem(409, f"dive {given['dive']} has ended")
    await get_app_state(request).jobs.stop_job(("dive", given["dive"]))
    return JSONResponse({"dive": given["dive"]})


async def rerun_dive(request: Request, given: dict[str, Any]) -> Response:
    """Run a dive again, with what it was started with; one that was stopped goes on."""
    found = await get_dive(request, given["dive"])
    chosen = found.selection
    selection = Selection(tuple(chosen["clusters"]), tuple(chosen["include"]), bool(chosen["all_languages"]))
    asked = await get_app_state(request).readers.read(
        lambda store: store.last_event(found.scan, _request_event_kind(found.number))
    )
    number = await _enqueue_dive(request, found.scan, selection, dict(asked.data) if asked else {})
    return JSONResponse({"dive": number})


async def ask_dive(request: Request, given: dict[str, Any]) -> Response:
    """Answer a question, as JSON lines: the passages, pieces of the answer, the whole. Hanging up ends it."""
    body = await read_json_body(request, {"question", "keep"})
    question = body.get("question")
    if not _is_valid_text(question, MAX_QUESTION_LENGTH) or not str(question).strip():
        raise Problem(422, f"expected a question of at most {MAX_QUESTION_LENGTH:,} characters", "question")
    found = await get_dive(request, given["dive"])
    keeps = _parse_flag(body, "keep", default=True)
    parts = get_app_state(request).dive_service.ask(found.number, str(question).strip(), keeps=keeps)
    try:
        first = await anext(parts)
    except ModelError as error:
        raise Problem(502, str(error)) from None
    return StreamingResponse(
        _stream_lines(first, parts), media_type="application/x-ndjson", headers={"X-Accel-Buffering": "no"}
    )


async def clear_messages(request: Request, given: dict[str, Any]) -> Response:
    """Forget the conversation."""
    await get_dive(request, given["dive"])
    count = await get_app_state(request).readers.read(lambda store: store.dives.forget_messages(given["dive"]))
    return JSONResponse({"forgotten": count})


async def _enqueue_dive(request: Request, scan: int, selection: Selection, asked: dict[str, object]) -> int:
    desk, jobs = get_app_state(request).readers, get_app_state(request).jobs
    found = await desk.scan(scan)
    chosen = resolve_settings(request, {**_scan_settings(found), **asked}, None)
    validate_seeds(found.seeds, chosen)
    jobs.check_capacity()
    before = await desk.read(_find_same_dive, found, selection)
    if before is not None:
        await jobs.wait_for_end(("dive", before.number))
        if (await desk.read(dive_row, before, ""))["state"] == "running" and before.state == "running":
            raise Problem(409, f"dive {before.number} runs in another process")
    dive = await desk.read(_create_dive, found, selection, chosen, asked)
    jobs.dive(dive.number, found.number, found.seeds, chosen)
    return dive.number


def _create_dive(
    store: BrowseStore, scan: Scan, selection: Selection, chosen: Settings, asked: Mapping[str, object]
) -> Dive:
    dive = begin(store, selection, chosen, scan.number)
    store.add_event(scan.number, _request_event_kind(dive.number), asked)
    return dive


def _find_same_dive(store: BrowseStore, scan: Scan, selection: Selection) -> Dive | None:
    """The dive into these pages, if there is one."""
    known = list_dives(store)
    wanted = (tuple(scan.seeds), selection.record())
    return next((one for one in known if (one.seeds, one.selection) == wanted), None)


def _scan_settings(scan: Scan) -> dict[str, Any]:
    """How politely the scan was made; what a dive is made with, the server and the request decide."""
    return {
        name: value
        for name, value in scan.settings.items()
        if name in ALLOWED_SETTINGS and SETTINGS[name].section != "dive"
    }


def _request_event_kind(dive: int) -> str:
    """The event that keeps what a request chose for a dive."""
    return f"dive-{dive}-asked"


async def _stream_lines(
    first: Passages | Piece | Answer, parts: AsyncGenerator[Passages | Piece | Answer]
) -> AsyncIterator[str]:
    async with aclosing(parts):
        yield _encode_part(first)
        try:
            async for part in parts:
                yield _encode_part(part)
        except HeadwaterError as error:
            yield json.dumps({"kind": "failure", "detail": str(error)}) + "\n"


def _encode_part(part: Passages | Piece | Answer) -> str:
    if isinstance(part, Passages):
        passages = [{"number": number, **hit_row(hit)} for number, hit in enumerate(part.hits, 1)]
        return json.dumps({"kind": "passages", "passages": passages}) + "\n"
    return json.dumps({"kind": "piece" if isinstance(part, Piece) else "answer", **part._asdict()}) + "\n"


def _parse_number(body: Mapping[str, Any], name: str) -> int:
    """A whole number, which JSON may write as 1.0 too."""
    given = body.get(name)
    if isinstance(given, bool) or not isinstance(given, int | float) or not 1 <= given < 1 << 53 or given % 1:
        raise Problem(422, f"expected the number of a {name}", name)
    return int(given)


def _parse_selectors(body: Mapping[str, Any], name: str) -> tuple[str, ...]:
    given = body.get(name, [])
    if (
        not isinstance(given, list)
        or len(given) > MAX_SELECTORS
        or not all(_is_valid_text(part, MAX_SELECTOR_LENGTH) for part in given)
    ):
        raise Problem(422, f"expected a list of at most {MAX_SELECTORS} texts", name)
    return tuple(dict.fromkeys(given))


def _parse_flag(body: Mapping[str, Any], name: str, *, default: bool = False) -> bool:
    given = body.get(name, default)
    if not isinstance(given, bool):
        raise Problem(422, "expected true or false", name)
    return given


def _is_valid_text(given: object, longest: int) -> bool:
    """A text that can be written down, of some length."""
    if not isinstance(given, str) or not 1 <= len(given) <= longest:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in given)
