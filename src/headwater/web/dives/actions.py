"""What the API does about dives: they are started, stopped, run again, asked; bodies are checked here."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response, StreamingResponse

from headwater.dive import Answer, Passages, Piece, Selection, begin, list_dives
from headwater.errors import HeadwaterError, ModelError
from headwater.settings import SETTINGS
from headwater.web.dives.handlers import found_dive
from headwater.web.dives.views import dive_row, hit_row
from headwater.web.jobs.allowed_settings import OFFERED
from headwater.web.scans.actions import body_of, check_targets, chosen_settings, settings_in
from headwater.web.serving.app_state import office
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping

    from starlette.requests import Request

    from headwater.settings import Settings
    from headwater.store import Dive
    from headwater.store.browse import Browse
    from headwater.store.store import Scan

MAX_PARTS = 20
MAX_PART = 500
MAX_QUESTION = 2000


async def start_dive(request: Request, _: dict[str, Any]) -> Response:
    """Start a dive, or run the one there is into the same pages again."""
    body = await body_of(request, {"scan", "clusters", "match", "all_languages", "settings"})
    scan = _number(body, "scan")
    selection = Selection(_parts(body, "clusters"), _parts(body, "match"), _flag(body, "all_languages"))
    if not selection.clusters and not selection.include:
        raise Problem(422, "name clusters, or patterns of URLs", "clusters")
    number = await _begin(request, scan, selection, settings_in(body))
    return JSONResponse({"dive": number}, 201, {"Location": f"/api/v1/dives/{number}"})


async def cancel_dive(request: Request, given: dict[str, Any]) -> Response:
    """Stop a dive."""
    view = await office(request).dive_live.view(given["dive"])
    if not view["is_live"]:
        raise Problem(409, f"dive {given['dive']} has ended")
    await office(request).jobs.stop_order(("dive", given["dive"]))
    return JSONResponse({"dive": given["dive"]})


async def again_dive(request: Request, given: dict[str, Any]) -> Response:
    """Run a dive again, with what it was started with; one that was stopped goes on."""
    found = await found_dive(request, given["dive"])
    chosen = found.selection
    selection = Selection(tuple(chosen["clusters"]), tuple(chosen["include"]), bool(chosen["all_languages"]))
    asked = await office(request).desk.read(lambda store: store.last_event(found.scan, _asked(found.number)))
    number = await _begin(request, found.scan, selection, dict(asked.data) if asked else {})
    return JSONResponse({"dive": number})


async def ask_dive(request: Request, given: dict[str, Any]) -> Response:
    """Answer a question, as JSON lines: the passages, pieces of the answer, the whole. Hanging up ends it."""
    body = await body_of(request, {"question", "keep"})
    question = body.get("question")
    if not _is_text(question, MAX_QUESTION) or not str(question).strip():
        raise Problem(422, f"expected a question of at most {MAX_QUESTION:,} characters", "question")
    found = await found_dive(request, given["dive"])
    keeps = _flag(body, "keep", default=True)
    parts = office(request).librarian.ask(found.number, str(question).strip(), keeps=keeps)
    try:
        first = await anext(parts)
    except ModelError as error:
        raise Problem(502, str(error)) from None
    return StreamingResponse(
        _lines(first, parts), media_type="application/x-ndjson", headers={"X-Accel-Buffering": "no"}
    )


async def forget_messages(request: Request, given: dict[str, Any]) -> Response:
    """Forget the conversation."""
    await found_dive(request, given["dive"])
    count = await office(request).desk.read(lambda store: store.dives.forget_messages(given["dive"]))
    return JSONResponse({"forgotten": count})


async def _begin(request: Request, scan: int, selection: Selection, asked: dict[str, object]) -> int:
    desk, jobs = office(request).desk, office(request).jobs
    found = await desk.scan(scan)
    chosen = chosen_settings(request, {**_own(found), **asked}, None)
    check_targets(found.seeds, chosen)
    jobs.check_room()
    before = await desk.read(_same, found, selection)
    if before is not None:
        await jobs.wait_for_end(("dive", before.number))
        if (await desk.read(dive_row, before, ""))["state"] == "running" and before.state == "running":
            raise Problem(409, f"dive {before.number} runs in another process")
    dive = await desk.read(_begun, found, selection, chosen, asked)
    jobs.dive(dive.number, found.number, found.seeds, chosen)
    return dive.number


def _begun(store: Browse, scan: Scan, selection: Selection, chosen: Settings, asked: Mapping[str, object]) -> Dive:
    dive = begin(store, selection, chosen, scan.number)
    store.add_event(scan.number, _asked(dive.number), asked)
    return dive


def _same(store: Browse, scan: Scan, selection: Selection) -> Dive | None:
    """The dive into these pages, if there is one."""
    known = list_dives(store)
    wanted = (tuple(scan.seeds), selection.record())
    return next((one for one in known if (one.seeds, one.selection) == wanted), None)


def _own(scan: Scan) -> dict[str, Any]:
    """How politely the scan was made; what a dive is made with, the server and the request decide."""
    return {
        name: value for name, value in scan.settings.items() if name in OFFERED and SETTINGS[name].section != "dive"
    }


def _asked(dive: int) -> str:
    """The event that keeps what a request chose for a dive."""
    return f"dive-{dive}-asked"


async def _lines(
    first: Passages | Piece | Answer, parts: AsyncGenerator[Passages | Piece | Answer]
) -> AsyncIterator[str]:
    async with aclosing(parts):
        yield _line(first)
        try:
            async for part in parts:
                yield _line(part)
        except HeadwaterError as error:
            yield json.dumps({"kind": "failure", "detail": str(error)}) + "\n"


def _line(part: Passages | Piece | Answer) -> str:
    if isinstance(part, Passages):
        passages = [{"number": number, **hit_row(hit)} for number, hit in enumerate(part.hits, 1)]
        return json.dumps({"kind": "passages", "passages": passages}) + "\n"
    return json.dumps({"kind": "piece" if isinstance(part, Piece) else "answer", **part._asdict()}) + "\n"


def _number(body: Mapping[str, Any], name: str) -> int:
    """A whole number, which JSON may write as 1.0 too."""
    given = body.get(name)
    if isinstance(given, bool) or not isinstance(given, int | float) or not 1 <= given < 1 << 53 or given % 1:
        raise Problem(422, f"expected the number of a {name}", name)
    return int(given)


def _parts(body: Mapping[str, Any], name: str) -> tuple[str, ...]:
    given = body.get(name, [])
    if not isinstance(given, list) or len(given) > MAX_PARTS or not all(_is_text(part, MAX_PART) for part in given):
        raise Problem(422, f"expected a list of at most {MAX_PARTS} texts", name)
    return tuple(dict.fromkeys(given))


def _flag(body: Mapping[str, Any], name: str, *, default: bool = False) -> bool:
    given = body.get(name, default)
    if not isinstance(given, bool):
        raise Problem(422, "expected true or false", name)
    return given


def _is_text(given: object, longest: int) -> bool:
    """A text that can be written down, of some length."""
    if not isinstance(given, str) or not 1 <= len(given) <= longest:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in given)
