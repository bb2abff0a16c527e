"""What the API answers: one function a route, each given its checked parameters."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response, StreamingResponse

from headwater.classify import DEFAULT_CLUSTER_LIMIT
from headwater.export.records import make_record
from headwater.fetch.credentials import origin_of
from headwater.store.scan_index.filters import Filter
from headwater.urls.parsing import parse_seed_url
from headwater.web.jobs.allowed_settings import ALLOWED_SETTINGS, list_preset_values
from headwater.web.scans import views
from headwater.web.scans.scan_diffs import find_scan_pair
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.cursors import decode_cursor, encode_cursor
from headwater.web.serving.streaming import EXPORT_TYPES, ZIP_TYPE, should_zip, stream_export

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from starlette.requests import Request

    from headwater.model import Page
    from headwater.store.browse_store import BrowseStore
    from headwater.store.scan_index.index import ScanIndex
    from headwater.store.store import Scan
    from headwater.web.scans.scan_diffs import ScanDiffCache
    from headwater.web.serving.app_state import AppState

STREAM_BATCH_SIZE = 500
_CURSOR_TYPES: Mapping[str, type | tuple[type, ...]] = {"lastmod": str, "priority": (int, float)}


async def health(_: Request, __: dict[str, Any]) -> Response:
    """Nothing but that it lives."""
    return JSONResponse({"state": "alive"})


async def document(request: Request, _: dict[str, Any]) -> Response:
    """The OpenAPI document."""
    return JSONResponse(get_app_state(request).openapi_document)


async def settings(_: Request, __: dict[str, Any]) -> Response:
    """What can be set for a scan."""
    rows = [
        {"name": row.name, "help": row.help, "section": row.section, "allowed": row.kind.allowed, "unit": row.kind.unit,
         "default": row.default}
        for row in ALLOWED_SETTINGS.values()
    ]  # fmt: skip
    return JSONResponse({"presets": list_preset_values(), "settings": rows})


async def scans(request: Request, given: dict[str, Any]) -> Response:
    """Scans, the newest first."""
    after = decode_cursor(given.get("cursor"), int)

    def ask(store: BrowseStore) -> list[dict[str, Any]]:
        return [views.scan_row(store, scan) for scan in store.scans(given["limit"] + 1, after[0] if after else None)]

    rows = await get_app_state(request).readers.read(ask)
    shown = rows[: given["limit"]]
    more = (shown[-1]["number"],) if len(rows) > len(shown) else None
    return JSONResponse({"scans": shown, "cursor": encode_cursor(more)})


async def scan(request: Request, given: dict[str, Any]) -> Response:
    """A scan with its stages."""
    found = await get_app_state(request).readers.scan(given["scan"])
    return JSONResponse(await get_app_state(request).readers.read(views.scan_view, found))


async def events(request: Request, given: dict[str, Any]) -> Response:
    """What happens, as it happens; a browser that comes back says what it has heard."""
    found = await get_app_state(request).readers.scan(given["scan"])
    heard = request.headers.get("last-event-id", "")
    after = int(heard) if heard.isdecimal() and len(heard) < 16 else given["after"]
    stream = get_app_state(request).scan_events.stream(found.number, after)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def stream(request: Request, given: dict[str, Any]) -> Response:
    """Pages as they are found."""
    found = await get_app_state(request).readers.scan(given["scan"])
    return StreamingResponse(_stream_pages(get_app_state(request), found.number), media_type="application/x-ndjson")


async def pages(request: Request, given: dict[str, Any]) -> Response:
    """URLs, filtered and sorted."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    rows = await desk.look(found, list_pages, found, given)
    return JSONResponse(rows)


async def page(request: Request, given: dict[str, Any]) -> Response:
    """Everything known of a page."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    return JSONResponse(await desk.look(found, views.page_view, found, given["page"]))


async def facets(request: Request, given: dict[str, Any]) -> Response:
    """How many URLs there are of each kind."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    return JSONResponse(await desk.look(found, count_facets, parse_filter(given)))


async def export_pages(request: Request, given: dict[str, Any]) -> Response:
    """URLs as a file."""
    desk, style, wanted = get_app_state(request).readers, given["format"], parse_filter(given)
    found = await desk.scan(given["scan"])
    count = await desk.look(found, lambda _, look: look.count(wanted))
    sort, descending = parse_sort(given)

    def rows() -> Iterator[Page]:
        with desk.opened(found) as (store, look):
            for numbers in look.walk(wanted, sort, descending=descending):
                for _, row in store.pages_by_number(found.number, numbers):
                    yield row

    origin = origin_of(parse_seed_url(found.seeds[0]))
    chunks = stream_export(rows, style, ", ".join(found.seeds), origin, count)
    media, extension = ZIP_TYPE if should_zip(style, count) else EXPORT_TYPES[style]
    name = f"headwater-{found.number}.{extension}"
    return StreamingResponse(
        chunks, media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


async def explain(request: Request, given: dict[str, Any]) -> Response:
    """How a URL came into the scan, or why it did not."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    return JSONResponse(await desk.read(views.explain_url, found, given["url"]))


async def evidence(request: Request, given: dict[str, Any]) -> Response:
    """What was done, and what came of it."""
    desk, limit = get_app_state(request).readers, given["limit"]
    found = await desk.scan(given["scan"])
    after = decode_cursor(given.get("cursor"), int) or (0,)
    rows = await desk.read(lambda store: store.evidence_after(found.number, given.get("kind", ""), after[0], limit + 1))
    more = (rows[limit - 1].number,) if len(rows) > limit else None
    return JSONResponse({"evidence": [views.evidence_row(one) for one in rows[:limit]], "cursor": encode_cursor(more)})


async def tree(request: Request, given: dict[str, Any]) -> Response:
    """What lies in a folder of the site."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])

    def ask(store: BrowseStore, look: ScanIndex) -> dict[str, Any]:
        place = {"after_folder": given["after_folder"], "after_page": given["after_page"]}
        return views.tree_view(store, look, found, given.get("path", ""), **place)

    return JSONResponse(await desk.look(found, ask))


async def sections(request: Request, given: dict[str, Any]) -> Response:
    """The largest parts of the site."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    return JSONResponse(await desk.look(found, lambda _, look: views.sections_view(look, given["limit"])))


async def graph(request: Request, given: dict[str, Any]) -> Response:
    """The pages that matter most, and their links."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    return JSONResponse(await desk.look(found, views.graph_view, found, given["limit"]))


async def skipped(request: Request, given: dict[str, Any]) -> Response:
    """Refused URLs by reason."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    return JSONResponse({"reasons": await desk.look(found, views.skipped_view, found)})


async def clusters(request: Request, given: dict[str, Any]) -> Response:
    """Return the clusters that say most about the site."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    rows = await desk.look(found, lambda _, look: look.clusters())
    return JSONResponse({"clusters": rows[: given["limit"]], "total": len(rows)})


async def changes(request: Request, given: dict[str, Any]) -> Response:
    """What changed since another scan."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    after = decode_cursor(given.get("cursor"), int) or (0,)
    return JSONResponse(
        await desk.read(list_changes, get_app_state(request).diff_cache, found, given, max(0, after[0]))
    )


def list_pages(store: BrowseStore, look: ScanIndex, scan: Scan, given: Mapping[str, Any]) -> dict[str, Any]:
    """A part of the list of URLs, as the API and the page show it."""
    wanted, (sort, descending) = parse_filter(given), parse_sort(given)
    after = decode_cursor(given.get("cursor"), _CURSOR_TYPES.get(sort, int), int)
    part = look.slice(wanted, sort, descending=descending, after=after, limit=given["limit"])
    rows = store.pages_by_number(scan.number, [row.page for row in part.rows])
    is_all = part.cursor is None and after is None
    return {
        "pages": [views.page_row(number, row) for number, row in rows],
        "total": len(part.rows) if is_all else look.count(wanted),
        "is_estimate": not is_all and look.is_estimated(wanted),
        "cursor": encode_cursor(part.cursor),
        "as_of": datetime.fromtimestamp(look.metadata["made"], UTC).isoformat(timespec="seconds"),
    }


def count_facets(store: BrowseStore, look: ScanIndex, wanted: Filter) -> dict[str, Any]:
    """The facets of a filter, each as it would be without its own value."""
    counted = look.facets(wanted)
    return {
        "total": look.count(wanted),
        "is_estimate": look.is_estimated(wanted),
        "facets": {
            name: [{"value": str(value), "count": count} for value, count in values] for name, values in counted.items()
        },
        "clusters": select_clusters(look.clusters(), wanted.cluster),
    }


def select_clusters(clusters: list[dict[str, Any]], chosen: int = 0) -> list[dict[str, Any]]:
    """Return the clusters that are listed unless all are asked for, and the one that is chosen."""
    rest = clusters[DEFAULT_CLUSTER_LIMIT:]
    return clusters[:DEFAULT_CLUSTER_LIMIT] + [one for one in rest if one["number"] == chosen]


def list_changes(
    store: BrowseStore, differences: ScanDiffCache, new: Scan, given: Mapping[str, Any], after: int
) -> dict[str, Any]:
    """A part of what changed."""
    old, new = find_scan_pair(store, new, given.get("against"))
    found, limit = differences.get_diff(store, old, new), given["limit"]
    more = (after + limit,) if len(found.rows) > after + limit else None
    return {
        "old": old.number,
        "new": new.number,
        "counts": found.counts,
        "is_capped": found.is_capped,
        "changes": found.rows[after : after + limit],
        "cursor": encode_cursor(more),
    }


def parse_filter(given: Mapping[str, Any]) -> Filter:
    """The filter that parameters describe."""
    return Filter(**{name: given[name] for name in Filter._fields if name in given})


def parse_sort(given: Mapping[str, Any]) -> tuple[str, bool]:
    """What to sort by, and whether the other way round."""
    return given["sort"].removeprefix("-"), given["sort"].startswith("-")


async def _stream_pages(office: AppState, number: int) -> AsyncIterator[str]:
    """What is there, then what comes, until the scan has ended."""
    after, is_live = 0, True
    while is_live:
        is_live = (await office.readers.read(views.live_state, number))["is_live"]
        while rows := await office.readers.read(
            lambda store, place: store.pages_after(number, place, STREAM_BATCH_SIZE), after
        ):
            after = rows[-1][0]
            yield "".join(json.dumps(make_record(row), ensure_ascii=False) + "\n" for _, row in rows)
        if is_live:
            await office.scan_events.pause()
