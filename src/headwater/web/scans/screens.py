"""Screens about scans: one function per screen, showing the same records as the API."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from headwater.classify import MAX_CLUSTERS
from headwater.export.tables import is_installed
from headwater.store.browse_store import BrowseStore
from headwater.store.records import Scan
from headwater.store.scan_index.filters import Filter
from headwater.store.scan_index.index import ScanIndex
from headwater.urls.parsing import parse_seed_url
from headwater.web.jobs.allowed_settings import ALLOWED_SETTINGS, MAIN_SETTINGS, group_other_settings
from headwater.web.scans import page_views, site_views, views
from headwater.web.scans.actions import RESUMABLE_STATES
from headwater.web.scans.inputs import (
    ClustersQuery,
    ComparisonQuery,
    MapQuery,
    PagePath,
    SortedQuery,
    TreeQuery,
    UrlsQuery,
)
from headwater.web.scans.records import Changes, ClusterRow
from headwater.web.scans.scan_diffs import list_changes
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.parameters import NoParameters, ScanPath
from headwater.web.serving.problems import Problem
from headwater.web.serving.route import Screen
from headwater.web.serving.streaming import EXPORT_TYPES
from headwater.web.serving.templating import render

MAX_RECENT_SCANS = 30
PAGE_SIZE = 100
SHOWN_FACETS = (
    "list",
    "state",
    "status",
    "source",
    "region",
    "language",
    "depth",
    "verified",
    "gap",
    "reason",
    "words",
    "near_duplicate",
)
FACET_TITLES = {"gap": "Sitemap and links", "near_duplicate": "Near duplicates"}
VALUE_TITLES = {
    "gap": {"orphans": "only in sitemaps", "gaps": "linked, in no sitemap", "both": "both"},
    "verified": {"yes": "visited", "no": "not visited"},
    "status": {"none": "not requested"},
    "depth": {"none": "not linked"},
    "words": {"none": "not analyzed"},
}
COLUMNS = (("url", "URL"), ("title", "Title"), ("status", "Status"), ("depth", "Depth"), ("priority", "Priority"))
CHOSEN_FLAGS = frozenset({"analyze"})
"""Flags that the form for a new scan sets unless the user changes them."""

PRESET_DESCRIPTIONS = {
    "full": "Every page: navigation, sitemaps and all links",
    "waterfall": "Navigation, then sitemaps; links only if sitemaps list few pages",
    "docs": "Documentation: pages below the address",
    "scan": "At most 200 pages, two clicks deep, no query strings",
    "crawl": "Links only, without limits",
}


async def home(request: Request, given: NoParameters) -> Response:
    """Render the form that starts a scan, and the recent scans."""
    app = get_app_state(request)
    return render(
        "scans/start.html",
        scans=await app.readers.read(views.list_scan_rows, MAX_RECENT_SCANS),
        presets=PRESET_DESCRIPTIONS,
        main_settings=[ALLOWED_SETTINGS[name] for name in MAIN_SETTINGS],
        sections=group_other_settings(),
        chosen=CHOSEN_FLAGS,
        allow_private=app.allow_private,
        has_fleet=True,
    )


async def scan(request: Request, given: ScanPath) -> Response:
    """Render a scan, live while it runs."""
    readers = get_app_state(request).readers
    found = await readers.scan(given.scan)
    view = await readers.read(views.make_scan_view, found)
    can_resume = view.state in RESUMABLE_STATES
    return render_scan_screen("scans/scan.html", found, "scan", view=view, can_resume=can_resume)


async def urls(request: Request, given: UrlsQuery) -> Response:
    """Render the table of URLs."""
    readers, wanted = get_app_state(request).readers, given.filter
    found = await readers.scan(given.scan)
    part = await readers.query_ready_index(found, page_views.list_pages, found, given, PAGE_SIZE)
    is_slow = bool(wanted.text or wanted.cluster or wanted.under or wanted.extracted)
    counted = None if is_slow else await readers.query_index(found, page_views.count_facets, found, wanted)
    clusters = await readers.query_index(
        found, lambda _, index: page_views.select_clusters(index.clusters(), wanted.cluster)
    )
    active = _get_active_filter(given)
    return render_scan_screen(
        "scans/urls.html", found, "urls", part=part, given=active, counted=counted, columns=COLUMNS,
        formats=list(filter(is_installed, EXPORT_TYPES)), wanted=wanted, can_dive=_can_dive(active),
        **_make_facet_context(clusters, wanted),
    )  # fmt: skip


async def facets(request: Request, given: SortedQuery) -> Response:
    """Render the facets alone, for filters whose counts take a moment."""
    readers, wanted = get_app_state(request).readers, given.filter
    found = await readers.scan(given.scan)
    counted = await readers.query_index(found, page_views.count_facets, found, wanted)
    return render(
        "scans/facets.html", scan=found, counted=counted, given=_get_active_filter(given), wanted=wanted,
        **_make_facet_context(counted.clusters, wanted),
    )  # fmt: skip


async def page(request: Request, given: PagePath) -> Response:
    """Render everything known about a page."""
    readers = get_app_state(request).readers
    found = await readers.scan(given.scan)
    view = await readers.query_ready_index(found, page_views.make_page_view, found, given.page)
    return render_scan_screen("scans/page.html", found, "urls", view=view, details=page_views.list_details(view.page))


async def site_map(request: Request, given: MapQuery) -> Response:
    """Render the site as a tree, a treemap or a link graph."""
    readers = get_app_state(request).readers
    found = await readers.scan(given.scan)

    def query(store: BrowseStore, index: ScanIndex) -> dict[str, object]:
        gaps = {str(value): count for value, count in index.facets(Filter())["gap"]}
        tree = site_views.make_tree(store, index, found, TreeQuery(scan=given.scan))
        return {"tree": tree, "gaps": gaps, "listed": int(index.metadata["listed"])}

    values = await readers.query_ready_index(found, query)
    return render_scan_screen("scans/map.html", found, "map", view=given.view, **values)


async def skipped(request: Request, given: ScanPath) -> Response:
    """Render the skipped URLs by reason."""
    readers = get_app_state(request).readers
    found = await readers.scan(given.scan)
    rows = (await readers.query_ready_index(found, page_views.list_skipped, found)).reasons
    has_all = bool(found.settings.get("keep_skipped"))
    return render_scan_screen("scans/skipped.html", found, "skipped", rows=rows, has_all=has_all)


async def changes(request: Request, given: ComparisonQuery) -> Response:
    """Render the differences between two scans."""
    app = get_app_state(request)
    found = await app.readers.scan(given.scan)
    others = await app.readers.read(
        lambda store: [other for other in store.scans_with_same_seeds(found.number, 200) if other != found]
    )

    def query(store: BrowseStore) -> Changes | None:
        try:
            return list_changes(store, app.diff_cache, found, given, PAGE_SIZE)
        except Problem as problem:
            if problem.status != 404:
                raise
            return None

    part = await app.readers.read(query)
    return render_scan_screen(
        "scans/changes.html", found, "changes", part=part, others=others, given=_get_active_filter(given)
    )


async def clusters(request: Request, given: ClustersQuery) -> Response:
    """Render the most informative clusters, or all of them."""
    readers = get_app_state(request).readers
    found = await readers.scan(given.scan)
    listed = await readers.query_ready_index(found, site_views.list_clusters, found, given.limit)
    by_kind: dict[str, list[ClusterRow]] = defaultdict(list)
    for cluster in listed.clusters:
        by_kind[cluster.kind].append(cluster)
    return render_scan_screen(
        "scans/clusters.html", found, "clusters", by_kind=by_kind, total=listed.total, maximum=MAX_CLUSTERS,
        is_cut=given.limit < listed.total,
    )  # fmt: skip


def render_scan_screen(name: str, scan: Scan, section: str, **values: object) -> Response:
    """Return a screen about a scan."""
    host = parse_seed_url(scan.seeds[0]).partition("://")[2].strip("/")
    return render(name, scan=scan, section=section, title=f"{host} · Headwater", **values)


def _get_active_filter(given: SortedQuery | ComparisonQuery) -> dict[str, object]:
    """Return the filter as the address has it: without empty and default values."""
    defaults = {"kind": "page", "sort": "url"}
    values = {name: value for name, value in asdict(given).items() if name not in {"scan", "cursor"}}
    return {name: value for name, value in values.items() if value and defaults.get(name) != value}


def _can_dive(active: Mapping[str, object]) -> bool:
    """Return True if a dive can select exactly the URLs shown: by cluster, by folder, or by both."""
    return set(active) - {"sort"} != set() and set(active) <= {"cluster", "under", "sort"}


def _make_facet_context(clusters: Sequence[ClusterRow], wanted: Filter) -> dict[str, object]:
    chosen = next((cluster.title for cluster in clusters if cluster.number == wanted.cluster), "")
    return {
        "shown_facets": SHOWN_FACETS,
        "facet_titles": FACET_TITLES,
        "value_titles": VALUE_TITLES,
        "clusters": clusters,
        "cluster_title": chosen,
    }


SCAN_SCREENS: tuple[Screen, ...] = (
    Screen("/", home),
    Screen("/scans/{scan}", scan),
    Screen("/scans/{scan}/urls", urls),
    Screen("/scans/{scan}/facets", facets),
    Screen("/scans/{scan}/pages/{page}", page),
    Screen("/scans/{scan}/map", site_map),
    Screen("/scans/{scan}/skipped", skipped),
    Screen("/scans/{scan}/changes", changes),
    Screen("/scans/{scan}/clusters", clusters),
)
