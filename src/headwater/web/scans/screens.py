"""The screens: one function each, asking what the API asks, drawn by templates."""

from __future__ import annotations

from base64 import b64encode
from collections import defaultdict
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from headwater.classify import DEFAULT_CLUSTER_LIMIT, MAX_CLUSTERS
from headwater.settings import PRESETS
from headwater.store.scan_index.filters import FACETS, Filter
from headwater.store.scan_index.index import SORTS
from headwater.urls.parsing import parse_seed_url
from headwater.web.fleet.screens import PARAMETERS as FLEET_PARAMETERS
from headwater.web.fleet.screens import fleet_screen
from headwater.web.jobs.allowed_settings import (
    ALLOWED_SETTINGS,
    MAIN_SETTINGS,
    group_other_settings,
    list_preset_values,
)
from headwater.web.routes import CURSOR, FILTER_PARAMETERS, PAGE, SCAN, SORT
from headwater.web.scans import views
from headwater.web.scans.actions import RESUMABLE_STATES
from headwater.web.scans.handlers import count_facets, list_changes, list_pages, parse_filter, select_clusters
from headwater.web.scans.scan_diffs import find_scan_pair
from headwater.web.serving.access_control import SECURITY_HEADERS
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.cursors import decode_cursor
from headwater.web.serving.parameters import Parameter, enum_schema, integer_schema
from headwater.web.serving.problems import Problem
from headwater.web.serving.route import limit_parameter
from headwater.web.serving.streaming import EXPORT_TYPES
from headwater.web.serving.templating import render

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Scan
    from headwater.store.scan_index.index import ScanIndex

    Handler = Callable[[Request, dict[str, Any]], Awaitable[Response]]

_STYLE = (files("headwater.web") / "static" / "style.css").read_text("utf-8")
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
MAX_RECENT_SCANS = 30
PAGE_SIZE = 100
INDEX_TIMEOUT = 1.5
"""Seconds a screen waits for a scan to be laid out before it says that this is going on."""

SHOWN_FACETS = ("list", "state", "status", "source", "region", "language", "depth", "verified", "gap", "reason")
FACET_TITLES = {"gap": "Sitemap against links"}
VALUE_TITLES = {
    "gap": {"orphans": "only in sitemaps", "gaps": "linked, in no sitemap", "both": "both"},
    "verified": {"yes": "visited", "no": "not visited"},
    "status": {"none": "not asked"},
    "depth": {"none": "no click leads there"},
}
COLUMNS = (("url", "URL"), ("title", "Title"), ("status", "Status"), ("depth", "Depth"), ("priority", "Priority"))


class Screen(NamedTuple):
    """One screen."""

    path: str
    handler: Handler
    parameters: tuple[Parameter, ...] = ()


def render_login(*, is_wrong: bool = False) -> Response:
    """Asks for the token; says nothing else. Its style stands in it, for the files beside it need the token too."""
    policy = SECURITY_HEADERS["Content-Security-Policy"].replace(
        "style-src 'self'", f"style-src 'sha256-{_STYLE_HASH}'"
    )
    return render("login.html", 401, {"Content-Security-Policy": policy}, style=Markup(_STYLE), is_wrong=is_wrong)  # noqa: S704


async def home(request: Request, _: dict[str, Any]) -> Response:
    """A field for URLs, the options that matter, and the scans there are."""

    def ask(store: BrowseStore) -> list[dict[str, Any]]:
        return [views.scan_row(store, scan) for scan in store.scans(MAX_RECENT_SCANS)]

    return render(
        "start.html",
        scans=await get_app_state(request).readers.read(ask),
        presets=list_preset_values(),
        first=[ALLOWED_SETTINGS[name] for name in MAIN_SETTINGS],
        sections=group_other_settings(),
        names=list(PRESETS),
        allow_private=get_app_state(request).allow_private,
        has_fleet=True,
    )


async def scan(request: Request, given: dict[str, Any]) -> Response:
    """A scan as it happens, or how it went."""
    found = await get_app_state(request).readers.scan(given["scan"])
    view = await get_app_state(request).readers.read(views.scan_view, found)
    return render_scan_screen("scan.html", found, "scan", view=view, can_resume=view["state"] in RESUMABLE_STATES)


async def urls(request: Request, given: dict[str, Any]) -> Response:
    """The table of URLs."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    wanted = parse_filter(given)
    part = await desk.look(found, list_pages, found, {**given, "limit": PAGE_SIZE}, patience=INDEX_TIMEOUT)
    is_slow = bool(wanted.text or wanted.cluster or wanted.under)
    counted = None if is_slow else await desk.look(found, count_facets, wanted)
    clusters = await desk.look(found, lambda _, look: select_clusters(look.clusters(), wanted.cluster))
    return render_scan_screen(
        "urls.html", found, "urls", part=part, given=_active_filter(given), counted=counted, columns=COLUMNS,
        formats=list(EXPORT_TYPES), sorts=list(SORTS), wanted=wanted, can_dive=_can_dive(_active_filter(given)),
        **_facet_context(clusters, wanted),
    )  # fmt: skip


async def facets(request: Request, given: dict[str, Any]) -> Response:
    """The facets alone, for filters whose counts take a moment."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    wanted = parse_filter(given)
    counted = await desk.look(found, count_facets, wanted)
    words = _facet_context(counted["clusters"], wanted)
    return render("facets.html", scan=found, counted=counted, given=_active_filter(given), wanted=wanted, **words)


async def page(request: Request, given: dict[str, Any]) -> Response:
    """Everything known of a page."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    view = await desk.look(found, views.page_view, found, given["page"], patience=INDEX_TIMEOUT)
    return render_scan_screen("page.html", found, "urls", view=view)


async def site_map(request: Request, given: dict[str, Any]) -> Response:
    """The site as a tree, a treemap and a graph."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])

    def ask(store: BrowseStore, look: ScanIndex) -> dict[str, Any]:
        top = views.tree_view(store, look, found, "")
        gaps = {str(value): count for value, count in look.facets(Filter())["gap"]}
        return {"tree": top, "gaps": gaps, "listed": int(look.metadata["listed"])}

    return render_scan_screen(
        "map.html", found, "map", view=given["view"], **await desk.look(found, ask, patience=INDEX_TIMEOUT)
    )


async def skipped(request: Request, given: dict[str, Any]) -> Response:
    """Refused URLs by reason."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    rows = await desk.look(found, views.skipped_view, found, patience=INDEX_TIMEOUT)
    return render_scan_screen(
        "skipped.html", found, "skipped", rows=rows, keeps=bool(found.settings.get("keep_skipped"))
    )


async def changes(request: Request, given: dict[str, Any]) -> Response:
    """What changed between two scans."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    after = decode_cursor(given.get("cursor"), int) or (0,)
    others = await desk.read(
        lambda store: [one for one in store.scans_with_same_seeds(found.number, 200) if one != found]
    )

    def ask(store: BrowseStore) -> dict[str, Any] | None:
        try:
            find_scan_pair(store, found, given.get("against"))
        except Problem:
            return None
        differences = get_app_state(request).diff_cache
        return list_changes(store, differences, found, {**given, "limit": PAGE_SIZE}, max(0, after[0]))

    part = await desk.read(ask)
    return render_scan_screen("changes.html", found, "changes", part=part, others=others, given=_active_filter(given))


async def clusters(request: Request, given: dict[str, Any]) -> Response:
    """Return the screen with the clusters that say most about the site, or with all."""
    desk = get_app_state(request).readers
    found = await desk.scan(given["scan"])
    rows = await desk.look(found, lambda _, look: look.clusters(), patience=INDEX_TIMEOUT)
    by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows[: given["limit"]]:
        by_kind[row["kind"]].append(row)
    return render_scan_screen(
        "clusters.html", found, "clusters", by_kind=by_kind, can_dive=True, total=len(rows), most=MAX_CLUSTERS,
        is_cut=given["limit"] < len(rows),
    )  # fmt: skip


def render_scan_screen(name: str, scan: Scan, section: str, **values: Any) -> Response:  # noqa: ANN401
    """A screen about a scan."""
    host = parse_seed_url(scan.seeds[0]).partition("://")[2].strip("/")
    return render(name, scan=scan, section=section, title=f"{host} · Headwater", **values)


def _active_filter(given: Mapping[str, Any]) -> dict[str, Any]:
    """The filter as it stands in the address: what is as usual is left out."""
    usual = {"kind": "page", "sort": "url"}
    return {name: value for name, value in given.items() if name not in {"scan", "cursor"} and usual.get(name) != value}


def _can_dive(shown: Mapping[str, Any]) -> bool:
    """Whether a dive can be made into exactly what is shown: a cluster, a folder, or both."""
    return set(shown) - {"sort"} != set() and set(shown) <= {"cluster", "under", "sort"}


def _facet_context(clusters: list[dict[str, Any]], wanted: Filter) -> dict[str, Any]:
    chosen = next((cluster["title"] for cluster in clusters if cluster["number"] == wanted.cluster), "")
    return {
        "shown_facets": SHOWN_FACETS, "facet_titles": FACET_TITLES, "value_titles": VALUE_TITLES, "clusters": clusters,
        "cluster_title": chosen, "facet_names": tuple(FACETS),
    }  # fmt: skip


_AGAINST = Parameter("against", integer_schema(1, (1 << 53) - 1), "The older scan")
_VIEW = Parameter("view", enum_schema("tree", "treemap", "graph", default="tree"), "How the site is drawn")

SCREENS: tuple[Screen, ...] = (
    Screen("/", home),
    Screen("/fleet", fleet_screen, FLEET_PARAMETERS),
    Screen("/scans/{scan}", scan, (SCAN,)),
    Screen("/scans/{scan}/urls", urls, (SCAN, *FILTER_PARAMETERS, SORT, CURSOR)),
    Screen("/scans/{scan}/facets", facets, (SCAN, *FILTER_PARAMETERS, SORT)),
    Screen("/scans/{scan}/pages/{page}", page, (SCAN, PAGE)),
    Screen("/scans/{scan}/map", site_map, (SCAN, _VIEW)),
    Screen("/scans/{scan}/skipped", skipped, (SCAN,)),
    Screen("/scans/{scan}/changes", changes, (SCAN, _AGAINST, CURSOR)),
    Screen("/scans/{scan}/clusters", clusters, (SCAN, limit_parameter(DEFAULT_CLUSTER_LIMIT, MAX_CLUSTERS))),
)
