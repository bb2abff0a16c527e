"""The API as one table: path, handler, parameters, answers; routing, checks and the OpenAPI document follow from it."""

from __future__ import annotations

from headwater.classify import DEFAULT_CLUSTER_LIMIT, MAX_CLUSTERS
from headwater.store.scan_index.filters import FACETS, KINDS
from headwater.store.scan_index.index import SORTS
from headwater.web.dives.routes import DIVE_ROUTES
from headwater.web.fleet.routes import FLEET_ROUTES
from headwater.web.scans import actions, handlers
from headwater.web.serving.parameters import Parameter, enum_schema, integer_schema, string_schema
from headwater.web.serving.route import CURSOR, MAX_INTEGER, PAGE, SCAN, Route
from headwater.web.serving.route import limit_parameter as _limit
from headwater.web.serving.streaming import EXPORT_TYPES, ZIP_TYPE

__all__ = ["API_ROUTES", "CURSOR", "FILTER_PARAMETERS", "PAGE", "SCAN", "SORT", "Route"]

_FACET_SCHEMAS = {
    "status": string_schema("^(none|[1-5][0-9][0-9])$", 4),
    "depth": string_schema("^(none|[0-9]{1,6})$", 6),
    "language": string_schema("^[A-Za-z0-9-]+$", 35),
    "reason": string_schema("^[a-z0-9-]+$", 60),
}
_FACET_DESCRIPTIONS = {
    "list": "The list it stands in; without it the pages, or with a state, status or reason every list",
    "source": "What names the URL",
    "state": "What has become of it",
    "status": "What the server answered; `none` where it was not asked",
    "depth": "Clicks from the seed; `none` where no click led to it",
    "language": "The language; `none` where it is not known",
    "region": "Where on its page the link stands; `none` where there is no link",
    "verified": "Whether a request confirmed it",
    "gap": "Only in sitemaps (orphans), linked but in no sitemap (gaps), or both",
    "reason": "Why it was refused or failed",
}
FILTER_PARAMETERS: tuple[Parameter, ...] = (
    Parameter("kind", enum_schema(*KINDS, default="page"), "What a URL is listed as"),
    *(
        Parameter(
            name, enum_schema(*facet.options) if facet.options else _FACET_SCHEMAS[name], _FACET_DESCRIPTIONS[name]
        )
        for name, facet in FACETS.items()
    ),
    Parameter("cluster", integer_schema(1, MAX_INTEGER), "The number of a cluster"),
    Parameter("text", string_schema(), "Words that must all stand in the URL or the title"),
    Parameter("under", string_schema("^https?://", 2083), "Only what lies under this address"),
)
SORT = Parameter(
    "sort", enum_schema(*SORTS, *(f"-{name}" for name in SORTS), default="url"), "The order; a minus turns it round"
)

API_ROUTES: tuple[Route, ...] = (
    Route("GET", "/health", handlers.health, "Whether the server lives", "Health", is_public=True),
    Route("GET", "/api/v1/openapi.json", handlers.document, "This document", media_types=("application/json",)),
    Route("GET", "/api/v1/settings", handlers.settings, "What can be set for a scan", "SettingsTable"),
    Route("GET", "/api/v1/scans", handlers.scans, "Scans, the newest first", "ScanList", (_limit(50, 200), CURSOR)),
    Route(
        "POST", "/api/v1/scans", actions.start_scan, "Start a scan", "Begun", body="NewScan", status=201,
        problems=(403, 413, 415, 422, 429),
    ),
    Route("GET", "/api/v1/scans/{scan}", handlers.scan, "A scan with its stages", "ScanView", (SCAN,), problems=(404,)),
    Route(
        "POST", "/api/v1/scans/{scan}/cancel", actions.cancel_scan, "Stop a scan; what it found is kept", "Begun", (SCAN,),
        problems=(404, 409),
    ),
    Route(
        "POST", "/api/v1/scans/{scan}/resume", actions.resume_scan, "Go on with a scan that ended early", "Begun", (SCAN,),
        body="GoOn", problems=(403, 404, 409, 413, 415, 422, 429),
    ),
    Route(
        "POST", "/api/v1/scans/{scan}/again", actions.rescan, "Scan the same site again", "Begun", (SCAN,), status=201,
        problems=(403, 404, 422, 429),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/events", handlers.events, "What happens, as it happens (server-sent events)",
        parameters=(SCAN, Parameter("after", integer_schema(0, MAX_INTEGER, default=0), "The number of the last event known")),
        media_types=("text/event-stream",), problems=(404,),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/stream", handlers.stream, "Pages as they are found, as JSON lines",
        parameters=(SCAN,), media_types=("application/x-ndjson",), problems=(404,),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/pages", handlers.pages, "URLs, filtered and sorted", "PageList",
        (SCAN, *FILTER_PARAMETERS, SORT, CURSOR, _limit(100, 500)), problems=(404, 503),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/pages/{page}", handlers.page, "Everything known of a page", "PageView",
        (SCAN, PAGE), problems=(404, 503),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/facets", handlers.facets, "How many URLs there are of each kind", "Facets",
        (SCAN, *FILTER_PARAMETERS), problems=(404, 503),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/export", handlers.export_pages, "URLs as a file: exactly those of the filter",
        parameters=(SCAN, Parameter("format", enum_schema(*EXPORT_TYPES, default="jsonl"), "The format"), *FILTER_PARAMETERS, SORT),
        media_types=tuple(dict.fromkeys([*(name for name, _ in EXPORT_TYPES.values()), ZIP_TYPE[0]])), problems=(404, 503),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/explain", handlers.explain, "How a URL came into the scan, or why it did not",
        "Explanation", (SCAN, Parameter("url", string_schema(longest=2083), "The URL", is_required=True)), problems=(404,),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/evidence", handlers.evidence, "What was done, and what came of it", "EvidenceList",
        (SCAN, Parameter("kind", string_schema("^[a-z0-9_]+$", 40), "Only this kind"), CURSOR, _limit(100, 500)),
        problems=(404,),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/tree", handlers.tree, "What lies in a folder of the site", "Tree",
        (
            SCAN,
            Parameter("path", string_schema("^https?://", 2083), "The folder; without it, the hosts"),
            Parameter("after_folder", integer_schema(0, MAX_INTEGER, default=0), "Go on behind this folder"),
            Parameter("after_page", integer_schema(0, MAX_INTEGER, default=0), "Go on behind this page"),
        ),
        problems=(404, 503),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/sections", handlers.sections, "The largest parts of the site", "Sections",
        (SCAN, _limit(500, 2000)), problems=(404, 503),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/graph", handlers.graph, "The pages that matter most, and their links", "Graph",
        (SCAN, _limit(150, 500)), problems=(404, 503),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/skipped", handlers.skipped, "Refused URLs by reason", "Skipped", (SCAN,),
        problems=(404, 503),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/clusters", handlers.clusters, "The clusters that say most about the site",
        "Clusters", (SCAN, _limit(DEFAULT_CLUSTER_LIMIT, MAX_CLUSTERS)), problems=(404, 503),
    ),
    Route(
        "GET", "/api/v1/scans/{scan}/changes", handlers.changes, "What changed since another scan", "Changes",
        (SCAN, Parameter("against", integer_schema(1, MAX_INTEGER), "The older scan"), CURSOR, _limit(100, 500)), problems=(404,),
    ),
    *DIVE_ROUTES,
    *FLEET_ROUTES,
)  # fmt: skip
