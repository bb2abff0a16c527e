"""API routes that read scans: one function per route, from its input record to its result record."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Concatenate, ParamSpec, TypeVar

from starlette.requests import Request
from starlette.responses import StreamingResponse

from headwater.errors import SettingError
from headwater.export.records import make_record
from headwater.export.tables import check_extra
from headwater.model import Page, StoredLink
from headwater.pages.extraction import list_extracted_names
from headwater.settings.choices import FIELD_FORMATS
from headwater.store.browse_store import BrowseStore
from headwater.store.records import Scan, read_extract_setting
from headwater.store.scan_index.index import ScanIndex
from headwater.urls.parsing import get_origin, parse_seed_url
from headwater.web.jobs.allowed_settings import ALLOWED_SETTINGS, list_preset_values
from headwater.web.records import encode_json
from headwater.web.scans import page_views, site_views, views
from headwater.web.scans.inputs import (
    ChangesQuery,
    ClustersQuery,
    EventsQuery,
    EvidenceQuery,
    ExplainQuery,
    ExportQuery,
    FilterQuery,
    GraphQuery,
    PageListQuery,
    PagePath,
    ScanListQuery,
    SectionsQuery,
    TreeQuery,
)
from headwater.web.scans.page_ranking import check_rankable, read_ranked
from headwater.web.scans.records import (
    Changes,
    Clusters,
    EvidenceList,
    EvidenceRow,
    Explanation,
    Facets,
    Graph,
    PageView,
    ScanList,
    ScanView,
    Sections,
    SelectedPages,
    SettingInfo,
    SettingsTable,
    Skipped,
    Tree,
)
from headwater.web.scans.scan_diffs import list_changes
from headwater.web.serving.app_state import AppState, get_app_state
from headwater.web.serving.cursors import cut_page, decode_offset
from headwater.web.serving.parameters import NoParameters, ScanPath
from headwater.web.serving.problems import Problem
from headwater.web.serving.streaming import (
    EXPORT_TYPES,
    ZIP_TYPE,
    ExportedDocument,
    ExportSource,
    should_zip,
    stream_export,
)

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

STREAM_BATCH_SIZE = 500


async def settings(request: Request, given: NoParameters) -> SettingsTable:
    """Return the settings that a request may choose."""
    return SettingsTable(
        presets=list_preset_values(),
        settings=tuple(
            SettingInfo(
                name=row.name,
                help=row.help,
                section=row.section,
                allowed=row.kind.allowed,
                unit=row.kind.unit,
                default=row.default,
            )
            for row in ALLOWED_SETTINGS.values()
        ),
    )


async def scans(request: Request, given: ScanListQuery) -> ScanList:
    """Return scans, newest first."""
    readers = get_app_state(request).readers
    rows = await readers.read(views.list_scan_rows, given.limit + 1, decode_offset(given.cursor))
    shown, cursor = cut_page(rows, given.limit, lambda row: row.number)
    return ScanList(scans=tuple(shown), cursor=cursor)


async def scan(request: Request, given: ScanPath) -> ScanView:
    """Return a scan with its stages."""
    readers = get_app_state(request).readers
    return await readers.read(views.make_scan_view, await readers.scan(given.scan))


async def events(request: Request, given: EventsQuery) -> StreamingResponse:
    """Stream the events of a scan; a browser that reconnects sends the number of the last one it received."""
    app = get_app_state(request)
    found = await app.readers.scan(given.scan)
    received = request.headers.get("last-event-id", "")
    after = int(received) if received.isdecimal() and len(received) < 16 else given.after
    stream = app.scan_events.stream(found.number, after)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def stream(request: Request, given: ScanPath) -> StreamingResponse:
    """Stream pages as JSON lines while they are found."""
    app = get_app_state(request)
    found = await app.readers.scan(given.scan)
    return StreamingResponse(_stream_pages(app, found.number), media_type="application/x-ndjson")


async def pages(request: Request, given: PageListQuery) -> SelectedPages:
    """Return URLs, filtered, and sorted or ranked."""
    return await _query_scan(request, given.scan, page_views.select_pages, given, get_app_state(request).ranking_cache)


async def page(request: Request, given: PagePath) -> PageView:
    """Return everything known about a page."""
    return await _query_scan(request, given.scan, page_views.make_page_view, given.page)


async def facets(request: Request, given: FilterQuery) -> Facets:
    """Return the number of URLs for each value of each facet."""
    return await _query_scan(request, given.scan, page_views.count_facets, given.filter)


async def export_pages(request: Request, given: ExportQuery) -> StreamingResponse:
    """Stream the filtered URLs as a file."""
    app, style, wanted = get_app_state(request), given.format, given.filter
    try:
        check_extra(style)
    except SettingError as error:
        raise Problem(422, error.problem, "format") from None
    if given.fields and style not in FIELD_FORMATS:
        raise Problem(400, f"{style} has no fields to choose; use {', '.join(FIELD_FORMATS)}", "fields")
    readers, found = app.readers, await app.readers.scan(given.scan)
    count = await readers.query_index(found, lambda _, index: index.count(wanted))
    if given.search:
        check_rankable(count)

    def rows() -> Iterator[Page]:
        with readers.open_index(found) as (store, index):
            if given.search:
                ranking = app.ranking_cache.get_ranking(store, index, found, wanted, given.search)
                yield from (row for _, row in read_ranked(store, found, ranking))
                return
            for numbers in index.walk(wanted, given.column, descending=given.is_descending):
                for _, row in store.pages_by_number(found.number, numbers):
                    yield row

    def links() -> Iterator[StoredLink]:
        with readers.open_index(found) as (store, _):
            yield from store.links.edges(found.number)

    origin = get_origin(parse_seed_url(found.seeds[0]))
    fields = given.chosen_fields if style == "text" or not given.search else given.returned_fields
    names = list_extracted_names(read_extract_setting(found))
    document = ExportedDocument(style, ", ".join(found.seeds), origin, fields, names)
    chunks = stream_export(ExportSource(rows, links), document, count)
    media, extension = ZIP_TYPE if should_zip(style, count) else EXPORT_TYPES[style]
    disposition = f'attachment; filename="headwater-{found.number}.{extension}"'
    return StreamingResponse(chunks, media_type=media, headers={"Content-Disposition": disposition})


async def explain(request: Request, given: ExplainQuery) -> Explanation:
    """Return the provenance of a URL, or the rule that skips it."""
    readers = get_app_state(request).readers
    found = await readers.scan(given.scan)
    return await readers.read(page_views.explain_url, found, given.url)


async def evidence(request: Request, given: EvidenceQuery) -> EvidenceList:
    """Return what the scan did and what came of it."""
    readers = get_app_state(request).readers
    found = await readers.scan(given.scan)
    after = decode_offset(given.cursor) or 0
    rows = await readers.read(lambda store: store.evidence_after(found.number, given.kind, after, given.limit + 1))
    shown, cursor = cut_page(rows, given.limit, lambda row: row.number)
    return EvidenceList(evidence=tuple(EvidenceRow(*step) for step in shown), cursor=cursor)


async def tree(request: Request, given: TreeQuery) -> Tree:
    """Return the folders and pages of a folder."""
    return await _query_scan(request, given.scan, site_views.make_tree, given)


async def sections(request: Request, given: SectionsQuery) -> Sections:
    """Return the largest folders of the site."""
    return await _query_scan(request, given.scan, site_views.list_sections, given.limit)


async def graph(request: Request, given: GraphQuery) -> Graph:
    """Return the pages with the highest priority and their links."""
    return await _query_scan(request, given.scan, site_views.make_graph, given.limit)


async def skipped(request: Request, given: ScanPath) -> Skipped:
    """Return skipped URLs by reason."""
    return await _query_scan(request, given.scan, page_views.list_skipped)


async def clusters(request: Request, given: ClustersQuery) -> Clusters:
    """Return the most informative clusters of the site."""
    return await _query_scan(request, given.scan, site_views.list_clusters, given.limit)


async def changes(request: Request, given: ChangesQuery) -> Changes:
    """Return what changed since an earlier scan."""
    app = get_app_state(request)
    found = await app.readers.scan(given.scan)
    return await app.readers.read(list_changes, app.diff_cache, found, given, given.limit)


async def _query_scan(
    request: Request,
    number: int,
    query: Callable[Concatenate[BrowseStore, ScanIndex, Scan, Parameters], Result],
    *values: Parameters.args,
    **named: Parameters.kwargs,
) -> Result:
    """Run `query(store, index, scan, *values)` for the scan with this number."""
    readers = get_app_state(request).readers
    found = await readers.scan(number)
    return await readers.query_index(found, query, found, *values, **named)


async def _stream_pages(app: AppState, number: int) -> AsyncIterator[bytes]:
    """Yield the pages found so far, then new ones, until the scan has ended."""
    after, is_live = 0, True
    while is_live:
        is_live = (await app.readers.read(views.get_scan_status, number)).is_live
        while rows := await app.readers.read(_read_batch, number, after):
            after = rows[-1][0]
            yield b"".join(encode_json(make_record(row)) + b"\n" for _, row in rows)
        if is_live:
            await app.scan_events.pause()


def _read_batch(store: BrowseStore, scan: int, after: int) -> list[tuple[int, Page]]:
    return store.pages_after(scan, after, STREAM_BATCH_SIZE)
