"""API routes that read dives: one function per route, from its input record to its result record."""

from starlette.requests import Request
from starlette.responses import StreamingResponse

from headwater.dive import Results, SearchFilters, list_dives
from headwater.errors import ModelError
from headwater.store import Dive
from headwater.store.browse_store import BrowseStore
from headwater.web.dives.dive_export import DIVE_EXPORT_TYPES, stream_dive_export
from headwater.web.dives.inputs import (
    DiveExportQuery,
    DiveListQuery,
    DivePath,
    DocumentListQuery,
    DocumentQuery,
    SearchQuery,
)
from headwater.web.dives.records import (
    Conversation,
    DiveList,
    DiveRow,
    DiveView,
    DocumentList,
    DocumentView,
    SearchResults,
)
from headwater.web.dives.views import (
    MAX_MESSAGES,
    list_documents,
    make_dive_row,
    make_document_view,
    make_hit_row,
    make_message_row,
    require_dive,
)
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.cursors import cut_page, decode_offset
from headwater.web.serving.problems import Problem

MAX_DIVES = 1000


async def dives(request: Request, given: DiveListQuery) -> DiveList:
    """Return dives, newest first."""
    rows = await list_dive_rows(request, given.scan, decode_offset(given.cursor), given.limit + 1)
    shown, cursor = cut_page(rows, given.limit, lambda row: row.number)
    return DiveList(dives=tuple(shown), cursor=cursor)


async def dive(request: Request, given: DivePath) -> DiveView:
    """Return a dive with its stages."""
    return await get_app_state(request).dive_events.view(given.dive)


async def dive_events(request: Request, given: DivePath) -> StreamingResponse:
    """Stream the state of a dive whenever it changes."""
    await get_dive(request, given.dive)
    stream = get_app_state(request).dive_events.stream(given.dive)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def dive_documents(request: Request, given: DocumentListQuery) -> DocumentList:
    """Return the pages of a dive, read or not."""
    await get_dive(request, given.dive)
    return await get_app_state(request).readers.read(list_documents, given, given.limit)


async def dive_document(request: Request, given: DocumentQuery) -> DocumentView:
    """Return a page that was read, as Markdown."""
    await get_dive(request, given.dive)
    return await get_app_state(request).readers.read(make_document_view, given.dive, given.url)


async def dive_export(request: Request, given: DiveExportQuery) -> StreamingResponse:
    """Stream the pages that were read as a file."""
    readers = get_app_state(request).readers
    found = await get_dive(request, given.dive)
    media, end, _ = DIVE_EXPORT_TYPES[given.format]
    title = f"{(await readers.read(make_dive_row, found)).name} ({', '.join(found.seeds)})"
    chunks = stream_dive_export(readers.db, found.number, title, given.format)
    disposition = f'attachment; filename="headwater-dive-{found.number}-{end}"'
    return StreamingResponse(chunks, media_type=media, headers={"Content-Disposition": disposition})


async def dive_search(request: Request, given: SearchQuery) -> SearchResults:
    """Return the passages that match a query."""
    found = await get_dive(request, given.dive)
    results = await search_dive(request, found.number, given.q, given.filters, given.limit)
    return SearchResults(note=results.note, hits=tuple(make_hit_row(hit) for hit in results.hits))


async def dive_messages(request: Request, given: DivePath) -> Conversation:
    """Return the conversation with a dive."""
    await get_dive(request, given.dive)
    messages = await get_app_state(request).readers.read(lambda store: store.dives.messages(given.dive, MAX_MESSAGES))
    return Conversation(messages=tuple(make_message_row(message) for message in messages))


async def get_dive(request: Request, number: int) -> Dive:
    """Return a dive by its number; raise Problem if it does not exist."""
    return await get_app_state(request).readers.read(require_dive, number)


async def list_dive_rows(
    request: Request, scan: int = 0, before: int | None = None, limit: int = MAX_DIVES
) -> list[DiveRow]:
    """Return dives, newest first; only those of one scan if it is given."""
    app = get_app_state(request)

    def query(store: BrowseStore) -> list[DiveRow]:
        wanted = [
            one
            for one in reversed(list_dives(store))
            if (not scan or one.scan == scan) and (before is None or one.number < before)
        ]
        return [make_dive_row(store, one, app.jobs.get_job_state(("dive", one.number))) for one in wanted[:limit]]

    return await app.readers.read(query)


async def search_dive(request: Request, dive: int, query: str, filters: SearchFilters, limit: int) -> Results:
    """Return the passages that match a query; raise Problem if the model server fails."""
    try:
        return await get_app_state(request).dive_service.search(dive, query, limit, filters)
    except ModelError as error:
        raise Problem(502, str(error)) from None
