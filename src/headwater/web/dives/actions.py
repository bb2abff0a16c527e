"""API routes that start, stop and repeat dives, and answer questions."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing

from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import StreamingResponse

from headwater.dive import Answer, AnswerDelta, Passages, Selection, create_dive, list_dives
from headwater.errors import HeadwaterError, ModelError
from headwater.settings import SETTINGS, Settings
from headwater.store import Dive
from headwater.store.browse_store import BrowseStore
from headwater.store.records import Scan
from headwater.web.dives.handlers import get_dive
from headwater.web.dives.inputs import AskDive, DivePath, StartDive
from headwater.web.dives.records import DeletedMessages, DiveReference
from headwater.web.dives.views import make_dive_row, make_hit_row
from headwater.web.records import encode_json
from headwater.web.scans.actions import get_own_settings, resolve_settings, validate_seeds
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.problems import Problem

AnswerPart = Passages | AnswerDelta | Answer


async def start_dive(request: Request, given: StartDive) -> DiveReference:
    """Start a dive; if there is one into the same pages, run that again."""
    body = given.body
    clusters, match = tuple(dict.fromkeys(body.clusters)), tuple(dict.fromkeys(body.match))
    if not clusters and not match:
        raise Problem(422, "expected at least one cluster or URL pattern", "clusters")
    return await _enqueue_dive(request, body.scan, Selection(clusters, match, body.all_languages), body.settings)


async def cancel_dive(request: Request, given: DivePath) -> DiveReference:
    """Stop a dive."""
    app = get_app_state(request)
    if not (await app.dive_events.view(given.dive)).is_live:
        raise Problem(409, f"Dive {given.dive} has ended")
    await app.jobs.stop_job(("dive", given.dive))
    return DiveReference(dive=given.dive)


async def rerun_dive(request: Request, given: DivePath) -> DiveReference:
    """Run a dive again with the settings it was started with; a stopped one continues."""
    found = await get_dive(request, given.dive)
    chosen = found.selection
    selection = Selection(tuple(chosen["clusters"]), tuple(chosen["include"]), bool(chosen["all_languages"]))
    started = await get_app_state(request).readers.read(
        lambda store: store.last_event(found.scan, _get_request_kind(found.number))
    )
    return await _enqueue_dive(request, found.scan, selection, started.data if started else {})


async def ask_dive(request: Request, given: AskDive) -> StreamingResponse:
    """Stream an answer as JSON lines: the passages, pieces of text, the whole answer. Disconnecting cancels it."""
    question = given.body.question.strip()
    if not question:
        raise Problem(422, "expected a question", "question")
    found = await get_dive(request, given.dive)
    parts = get_app_state(request).dive_service.ask(found.number, question, keep=given.body.keep)
    try:
        first = await anext(parts)
    except ModelError as error:
        raise Problem(502, str(error)) from None
    return StreamingResponse(
        _stream_lines(first, parts), media_type="application/x-ndjson", headers={"X-Accel-Buffering": "no"}
    )


async def clear_messages(request: Request, given: DivePath) -> DeletedMessages:
    """Delete the conversation with a dive."""
    await get_dive(request, given.dive)
    count = await get_app_state(request).readers.read(lambda store: store.dives.delete_messages(given.dive))
    return DeletedMessages(forgotten=count)


async def _enqueue_dive(
    request: Request, scan: int, selection: Selection, given: Mapping[str, object]
) -> DiveReference:
    readers, jobs = get_app_state(request).readers, get_app_state(request).jobs
    found = await readers.scan(scan)
    chosen = resolve_settings(request, {**_get_scan_settings(found), **given}, None)
    validate_seeds(found.seeds, chosen)
    jobs.check_capacity()
    existing = await readers.read(_find_same_dive, found, selection)
    if existing is not None:
        await jobs.wait_for_end(("dive", existing.number))
        row = await readers.read(make_dive_row, existing)
        if row.state == "running" and existing.state == "running":
            raise Problem(409, f"Dive {existing.number} runs in another process")
    dive = await readers.read(_create_dive, found, selection, chosen, given)
    jobs.enqueue_dive(dive.number, found.number, found.seeds, chosen)
    return DiveReference(dive=dive.number)


def _create_dive(
    store: BrowseStore, scan: Scan, selection: Selection, chosen: Settings, given: Mapping[str, object]
) -> Dive:
    dive = create_dive(store, selection, chosen, scan.number)
    store.add_event(scan.number, _get_request_kind(dive.number), dict(given))
    return dive


def _find_same_dive(store: BrowseStore, scan: Scan, selection: Selection) -> Dive | None:
    """Return the dive into the same pages, if there is one."""
    wanted = (tuple(scan.seeds), selection.to_record())
    return next((dive for dive in list_dives(store) if (dive.seeds, dive.selection) == wanted), None)


def _get_scan_settings(scan: Scan) -> dict[str, object]:
    """Return the settings that a dive takes over from its scan; those about dives come from server and request."""
    return {name: value for name, value in get_own_settings(scan).items() if SETTINGS[name].section != "dive"}


def _get_request_kind(dive: int) -> str:
    """Return the kind of the event that keeps the settings a request chose for a dive."""
    return f"dive-{dive}-asked"


async def _stream_lines(first: AnswerPart, parts: AsyncGenerator[AnswerPart]) -> AsyncIterator[bytes]:
    async with aclosing(parts):
        yield _encode_part(first)
        try:
            async for part in parts:
                yield _encode_part(part)
        except HeadwaterError as error:
            yield _encode_line({"kind": "failure", "detail": str(error)})


def _encode_part(part: AnswerPart) -> bytes:
    if isinstance(part, Passages):
        passages = [{"number": number, **asdict(make_hit_row(hit))} for number, hit in enumerate(part.hits, 1)]
        return _encode_line({"kind": "passages", "passages": passages})
    return _encode_line({"kind": "piece" if isinstance(part, AnswerDelta) else "answer", **part._asdict()})


def _encode_line(values: Mapping[str, object]) -> bytes:
    return encode_json(values) + b"\n"
