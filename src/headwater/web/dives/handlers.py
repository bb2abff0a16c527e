"""What the API answers about dives: one function a route, each given its checked parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response, StreamingResponse

from headwater.dive import SearchFilters, list_dives
from headwater.dive.content.markdown_blocks import remove_repeated_blocks
from headwater.errors import ModelError
from headwater.web.dives.dive_export import DIVE_EXPORT_TYPES, stream_dive_export
from headwater.web.dives.views import (
    MAX_MESSAGES,
    dive_row,
    document_row,
    document_view,
    hit_row,
    message_row,
    require_dive,
)
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.cursors import decode_cursor, encode_cursor
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from starlette.requests import Request

    from headwater.dive import Results
    from headwater.store import Dive
    from headwater.store.browse_store import BrowseStore


async def dives(request: Request, given: dict[str, Any]) -> Response:
    """Dives, the newest first."""
    after, limit = decode_cursor(given.get("cursor"), int), given["limit"]
    rows = await list_dive_rows(request, given.get("scan"), after[0] if after else None, limit + 1)
    more = (rows[limit - 1]["number"],) if len(rows) > limit else None
    return JSONResponse({"dives": rows[:limit], "cursor": encode_cursor(more)})


async def dive(request: Request, given: dict[str, Any]) -> Response:
    """A dive with its stages."""
    return JSONResponse(await get_app_state(request).dive_events.view(given["dive"]))


async def dive_events(request: Request, given: dict[str, Any]) -> Response:
    """What happens, as it happens."""
    await get_dive(request, given["dive"])
    stream = get_app_state(request).dive_events.stream(given["dive"])
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def dive_documents(request: Request, given: dict[str, Any]) -> Response:
    """The pages of a dive, read or not."""
    await get_dive(request, given["dive"])
    return JSONResponse(await get_app_state(request).readers.read(list_documents, given))


async def dive_document(request: Request, given: dict[str, Any]) -> Response:
    """A page that was read, as Markdown."""
    await get_dive(request, given["dive"])
    return JSONResponse(await get_app_state(request).readers.read(read_document, given["dive"], given["url"]))


async def dive_export(request: Request, given: dict[str, Any]) -> Response:
    """The pages that were read, as a file."""
    found = await get_dive(request, given["dive"])
    media, end, _ = DIVE_EXPORT_TYPES[given["format"]]
    title = f"{(await get_app_state(request).readers.read(dive_row, found, ''))['name']} ({', '.join(found.seeds)})"
    chunks = stream_dive_export(get_app_state(request).readers.db, found.number, title, given["format"])
    name = f'attachment; filename="headwater-dive-{found.number}-{end}"'
    return StreamingResponse(chunks, media_type=media, headers={"Content-Disposition": name})


async def dive_search(request: Request, given: dict[str, Any]) -> Response:
    """The passages that fit a question."""
    found = await get_dive(request, given["dive"])
    results = await search_dive(request, found.number, given)
    return JSONResponse({"note": results.note, "hits": [hit_row(hit) for hit in results.hits]})


async def dive_messages(request: Request, given: dict[str, Any]) -> Response:
    """The conversation that was had with a dive."""
    await get_dive(request, given["dive"])
    turns = await get_app_state(request).readers.read(lambda store: store.dives.messages(given["dive"], MAX_MESSAGES))
    return JSONResponse({"messages": [message_row(turn) for turn in turns]})


async def get_dive(request: Request, number: int) -> Dive:
    """A dive by its number; a problem if there is none."""
    return await get_app_state(request).readers.read(require_dive, number)


async def list_dive_rows(
    request: Request, scan: int | None = None, before: int | None = None, limit: int = 1000
) -> list[dict[str, Any]]:
    """Dives as lists show them, the newest first; of one scan if it is named."""
    jobs = get_app_state(request).jobs

    def ask(store: Any) -> list[dict[str, Any]]:  # noqa: ANN401  (a store with dives)
        wanted = [
            one
            for one in reversed(list_dives(store))
            if (scan is None or one.scan == scan) and (before is None or one.number < before)
        ]
        return [dive_row(store, one, jobs.get_job_state(("dive", one.number))) for one in wanted[:limit]]

    return await get_app_state(request).readers.read(ask)


async def search_dive(request: Request, dive: int, given: dict[str, Any]) -> Results:
    """What the librarian finds; a server of models that fails is told as such."""
    filters = SearchFilters(given.get("cluster", ""), given.get("language", ""), given.get("path", ""))
    try:
        return await get_app_state(request).dive_service.search(dive, given["q"], given["limit"], filters)
    except ModelError as error:
        raise Problem(502, str(error)) from None


def list_documents(store: BrowseStore, given: dict[str, Any]) -> dict[str, Any]:
    """A part of the list of pages, as the API and the page show it."""
    after, limit = decode_cursor(given.get("cursor"), int) or (0,), given["limit"]
    rows = store.dives.documents(given["dive"], after[0], limit + 1, given.get("state", ""))
    more = (rows[limit - 1].number,) if len(rows) > limit else None
    return {"documents": [document_row(row) for row in rows[:limit]], "cursor": encode_cursor(more)}


def read_document(store: BrowseStore, dive: int, url: str) -> dict[str, Any]:
    """A page with its Markdown, without what all pages of the dive share."""
    page = store.dives.page(url, dive)
    if page is None:
        raise Problem(404, f"dive {dive} has not read {url[:200]}", "url")
    return document_view(page, remove_repeated_blocks(page.markdown, store.dives.repeated_blocks(dive)))
