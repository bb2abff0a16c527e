"""API routes about scans."""

from __future__ import annotations

from headwater.web.scans import actions, handlers
from headwater.web.serving.route import Route
from headwater.web.serving.streaming import EXPORT_TYPES, ZIP_TYPE

_SCANS = "/api/v1/scans"
_SCAN = f"{_SCANS}/{{scan}}"
_LOCATION = f"{_SCANS}/{{0.scan}}"
_BODY_PROBLEMS = (403, 413, 415, 422, 429)
_EXPORT_MEDIA_TYPES = tuple(dict.fromkeys([*(media for media, _ in EXPORT_TYPES.values()), ZIP_TYPE[0]]))

SCAN_ROUTES: tuple[Route, ...] = (
    Route("GET", "/api/v1/settings", handlers.settings, "List the settings of a scan"),
    Route("GET", _SCANS, handlers.scans, "List scans, newest first"),
    Route(
        "POST", _SCANS, actions.start_scan, "Start a scan", status=201, location=_LOCATION, problems=_BODY_PROBLEMS
    ),
    Route("GET", _SCAN, handlers.scan, "Get a scan with its stages", problems=(404,)),
    Route(
        "POST", f"{_SCAN}/cancel", actions.cancel_scan, "Stop a scan; the pages found are kept", problems=(404, 409)
    ),
    Route(
        "POST", f"{_SCAN}/resume", actions.resume_scan, "Resume a scan that ended early",
        problems=(404, 409, *_BODY_PROBLEMS),
    ),
    Route(
        "POST", f"{_SCAN}/again", actions.rescan, "Scan the same site again", status=201, location=_LOCATION,
        problems=(403, 404, 422, 429),
    ),
    Route(
        "GET", f"{_SCAN}/events", handlers.events, "Stream the events of a scan (server-sent events)",
        media_types=("text/event-stream",), problems=(404,),
    ),
    Route(
        "GET", f"{_SCAN}/stream", handlers.stream, "Stream pages as JSON lines while they are found",
        media_types=("application/x-ndjson",), problems=(404,),
    ),
    Route("GET", f"{_SCAN}/pages", handlers.pages, "List URLs, filtered and sorted", problems=(404, 503)),
    Route("GET", f"{_SCAN}/pages/{{page}}", handlers.page, "Get everything known about a page", problems=(404, 503)),
    Route("GET", f"{_SCAN}/facets", handlers.facets, "Count URLs by facet", problems=(404, 503)),
    Route(
        "GET", f"{_SCAN}/export", handlers.export_pages, "Export the filtered URLs as a file",
        media_types=_EXPORT_MEDIA_TYPES, problems=(404, 503),
    ),
    Route(
        "GET", f"{_SCAN}/explain", handlers.explain, "Explain how a URL was found, or why it was not", problems=(404,)
    ),
    Route("GET", f"{_SCAN}/evidence", handlers.evidence, "List the evidence of a scan", problems=(404,)),
    Route("GET", f"{_SCAN}/tree", handlers.tree, "List the folders and pages of a folder", problems=(404, 503)),
    Route("GET", f"{_SCAN}/sections", handlers.sections, "List the largest folders of the site", problems=(404, 503)),
    Route(
        "GET", f"{_SCAN}/graph", handlers.graph, "Get the pages with the highest priority and their links",
        problems=(404, 503),
    ),
    Route("GET", f"{_SCAN}/skipped", handlers.skipped, "List skipped URLs by reason", problems=(404, 503)),
    Route("GET", f"{_SCAN}/clusters", handlers.clusters, "List the most informative clusters", problems=(404, 503)),
    Route("GET", f"{_SCAN}/changes", handlers.changes, "List changes since an earlier scan", problems=(404,)),
)  # fmt: skip
