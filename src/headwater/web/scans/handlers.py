"""What the API answers: one function a route, each given its checked parameters."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response, StreamingResponse

from headwater.classify import SHOWN_CLUSTERS
from headwater.export.records import record
from headwater.fetch.credentials import origin_of
from headwater.store.scan_index.filters import Filter
from headwater.urls.parse import seed_url
from headwater.web.jobs.allowed_settings import OFFERED, values_of_presets
from headwater.web.scans import views as reading
from headwater.web.scans.changes import pair
from headwater.web.serving.app_state import office
from headwater.web.serving.cursors import read_cursor, write_cursor
from headwater.web.serving.streaming import TYPES, ZIP, export, is_zipped

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from starlette.requests import Request

    from headwater.model import Page
    from headwater.store.browse import Browse
    from headwater.store.scan_index.index import Look
    from headwater.store.store import Scan
    from headwater.web.scans.changes import Differences
    from headwater.web.serving.app_state import Office

STREAM_STEP = 500
_PLACES: Mapping[str, type | tuple[type, ...]] = {"lastmod": str, "priority": (int, float)}


async def health(_: Request, __: dict[str, Any]) -> Response:
    """Nothing but that it lives."""
    return JSONResponse({"state": "alive"})


async def document(request: Request, _: dict[str, Any]) -> Response:
    """The OpenAPI document."""
    return JSONResponse(office(request).document)


async def settings(_: Request, __: dict[str, Any]) -> Response:
    """What can be set for a scan."""
    rows = [
        {"name": row.name, "help": row.help, "section": row.section, "allowed": row.kind.allowed, "unit": row.kind.unit,
         "default": row.default}
        for row in OFFERED.values()
    ]  # fmt: skip
    return JSONResponse({"presets": values_of_presets(), "settings": rows})


async def scans(request: Request, given: dict[str, Any]) -> Response:
    """Scans, the newest first."""
    after = read_cursor(given.get("cursor"), int)

    def ask(store: Browse) -> list[dict[str, Any]]:
        return [reading.scan_row(store, scan) for scan in store.scans(given["limit"] + 1, after[0] if after else None)]

    rows = await office(request).desk.read(ask)
    shown = rows[: given["limit"]]
    more = (shown[-1]["number"],) if len(rows) > len(shown) else None
    return JSONResponse({"scans": shown, "cursor": write_cursor(more)})


async def scan(request: Request, given: dict[str, Any]) -> Response:
    """A scan with its stages."""
    found = await office(request).desk.scan(given["scan"])
    return JSONResponse(await office(request).desk.read(reading.scan_view, found))


async def events(request: Request, given: dict[str, Any]) -> Response:
    """What happens, as it happens; a browser that comes back says what it has heard."""
    found = await office(request).desk.scan(given["scan"])
    heard = request.headers.get("last-event-id", "")
    after = int(heard) if heard.isdecimal() and len(heard) < 16 else given["after"]
    stream = office(request).live.stream(found.number, after)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def stream(request: Request, given: dict[str, Any]) -> Response:
    """Pages as they are found."""
    found = await office(request).desk.scan(given["scan"])
    return StreamingResponse(_lines(office(request), found.number), media_type="application/x-ndjson")


async def pages(request: Request, given: dict[str, Any]) -> Response:
    """URLs, filtered and sorted."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    rows = await desk.look(found, list_pages, found, given)
    return JSONResponse(rows)


async def page(request: Request, given: dict[str, Any]) -> Response:
    """Everything known of a page."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    return JSONResponse(await desk.look(found, reading.page_view, found, given["page"]))


async def facets(request: Request, given: dict[str, Any]) -> Response:
    """How many URLs there are of each kind."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    return JSONResponse(await desk.look(found, count_facets, filter_of(given)))


async def export_pages(request: Request, given: dict[str, Any]) -> Response:
    """URLs as a file."""
    desk, style, wanted = office(request).desk, given["format"], filter_of(given)
    found = await desk.scan(given["scan"])
    count = await desk.look(found, lambda _, look: look.count(wanted))
    sort, descending = order_of(given)

    def rows() -> Iterator[Page]:
        with desk.opened(found) as (store, look):
            for numbers in look.walk(wanted, sort, descending=descending):
                for _, row in store.pages_by_number(found.number, numbers):
                    yield row

    origin = origin_of(seed_url(found.seeds[0]))
    chunks = export(rows, style, ", ".join(found.seeds), origin, count)
    media, extension = ZIP if is_zipped(style, count) else TYPES[style]
    name = f"headwater-{found.number}.{extension}"
    return StreamingResponse(
        chunks, media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


async def explain(request: Request, given: dict[str, Any]) -> Response:
    """How a URL came into the scan, or why it did not."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    return JSONResponse(await desk.read(reading.explain_url, found, given["url"]))


async def evidence(request: Request, given: dict[str, Any]) -> Response:
    """What was done, and what came of it."""
    desk, limit = office(request).desk, given["limit"]
    found = await desk.scan(given["scan"])
    after = read_cursor(given.get("cursor"), int) or (0,)
    rows = await desk.read(lambda store: store.evidence_after(found.number, given.get("kind", ""), after[0], limit + 1))
    more = (rows[limit - 1].number,) if len(rows) > limit else None
    return JSONResponse({"evidence": [reading.evidence_row(one) for one in rows[:limit]], "cursor": write_cursor(more)})


async def tree(request: Request, given: dict[str, Any]) -> Response:
    """What lies in a folder of the site."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])

    def ask(store: Browse, look: Look) -> dict[str, Any]:
        place = {"after_folder": given["after_folder"], "after_page": given["after_page"]}
        return reading.tree_view(store, look, found, given.get("path", ""), **place)

    return JSONResponse(await desk.look(found, ask))


async def sections(request: Request, given: dict[str, Any]) -> Response:
    """The largest parts of the site."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    return JSONResponse(await desk.look(found, lambda _, look: reading.sections_view(look, given["limit"])))


async def graph(request: Request, given: dict[str, Any]) -> Response:
    """The pages that matter most, and their links."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    return JSONResponse(await desk.look(found, reading.graph_view, found, given["limit"]))


async def skipped(request: Request, given: dict[str, Any]) -> Response:
    """Refused URLs by reason."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    return JSONResponse({"reasons": await desk.look(found, reading.skipped_view, found)})


async def clusters(request: Request, given: dict[str, Any]) -> Response:
    """Return the clusters that say most about the site."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    rows = await desk.look(found, lambda _, look: look.clusters())
    return JSONResponse({"clusters": rows[: given["limit"]], "total": len(rows)})


async def changes(request: Request, given: dict[str, Any]) -> Response:
    """What changed since another scan."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    after = read_cursor(given.get("cursor"), int) or (0,)
    return JSONResponse(await desk.read(list_changes, office(request).differences, found, given, max(0, after[0])))


def list_pages(store: Browse, look: Look, scan: Scan, given: Mapping[str, Any]) -> dict[str, Any]:
    """A part of the list of URLs, as the API and the page show it."""
    wanted, (sort, descending) = filter_of(given), order_of(given)
    after = read_cursor(given.get("cursor"), _PLACES.get(sort, int), int)
    part = look.slice(wanted, sort, descending=descending, after=after, limit=given["limit"])
    rows = store.pages_by_number(scan.number, [row.page for row in part.rows])
    is_all = part.cursor is None and after is None
    return {
        "pages": [reading.page_row(number, row) for number, row in rows],
        "total": len(part.rows) if is_all else look.count(wanted),
        "is_estimate": not is_all and look.is_estimate(wanted),
        "cursor": write_cursor(part.cursor),
        "as_of": datetime.fromtimestamp(look.about["made"], UTC).isoformat(timespec="seconds"),
    }


def count_facets(store: Browse, look: Look, wanted: Filter) -> dict[str, Any]:
    """The facets of a filter, each as it would be without its own value."""
    counted = look.facets(wanted)
    return {
        "total": look.count(wanted),
        "is_estimate": look.is_estimate(wanted),
        "facets": {
            name: [{"value": str(value), "count": count} for value, count in values] for name, values in counted.items()
        },
        "clusters": shown_clusters(look.clusters(), wanted.cluster),
    }


def shown_clusters(clusters: list[dict[str, Any]], chosen: int = 0) -> list[dict[str, Any]]:
    """Return the clusters that are listed unless all are asked for, and the one that is chosen."""
    rest = clusters[SHOWN_CLUSTERS:]
    return clusters[:SHOWN_CLUSTERS] + [one for one in rest if one["number"] == chosen]


def list_changes(
    store: Browse, differences: Differences, new: Scan, given: Mapping[str, Any], after: int
) -> dict[str, Any]:
    """A part of what changed."""
    old, new = pair(store, new, given.get("against"))
    found, limit = differences.between(store, old, new), given["limit"]
    more = (after + limit,) if len(found.rows) > after + limit else None
    return {
        "old": old.number,
        "new": new.number,
        "counts": found.counts,
        "is_capped": found.is_capped,
        "changes": found.rows[after : after + limit],
        "cursor": write_cursor(more),
    }


def filter_of(given: Mapping[str, Any]) -> Filter:
    """The filter that parameters describe."""
    return Filter(**{name: given[name] for name in Filter._fields if name in given})


def order_of(given: Mapping[str, Any]) -> tuple[str, bool]:
    """What to sort by, and whether the other way round."""
    return given["sort"].removeprefix("-"), given["sort"].startswith("-")


async def _lines(office: Office, number: int) -> AsyncIterator[str]:
    """What is there, then what comes, until the scan has ended."""
    after, is_live = 0, True
    while is_live:
        is_live = (await office.desk.read(reading.live_state, number))["is_live"]
        while rows := await office.desk.read(lambda store, place: store.pages_after(number, place, STREAM_STEP), after):
            after = rows[-1][0]
            yield "".join(json.dumps(record(row), ensure_ascii=False) + "\n" for _, row in rows)
        if is_live:
            await office.live.pause()
