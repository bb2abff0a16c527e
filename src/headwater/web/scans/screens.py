"""The screens: one function each, asking what the API asks, drawn by templates."""

from __future__ import annotations

from base64 import b64encode
from collections import defaultdict
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from headwater.classify import MAX_CLUSTERS, SHOWN_CLUSTERS
from headwater.settings import PRESETS
from headwater.store.scan_index.filters import FACETS, Filter
from headwater.store.scan_index.index import SORTS
from headwater.urls.parse import seed_url
from headwater.web.fleet.screens import PARAMETERS as FLEET_PARAMETERS
from headwater.web.fleet.screens import fleet_screen
from headwater.web.jobs.allowed_settings import FIRST, OFFERED, sections, values_of_presets
from headwater.web.routes import CURSOR, FILTER, PAGE, SCAN, SORT
from headwater.web.scans import views as reading
from headwater.web.scans.actions import RESUMABLE
from headwater.web.scans.changes import pair
from headwater.web.scans.handlers import count_facets, filter_of, list_changes, list_pages, shown_clusters
from headwater.web.serving.app_state import office
from headwater.web.serving.cursors import read_cursor
from headwater.web.serving.guard import HEADERS
from headwater.web.serving.parameters import Parameter, choice, whole
from headwater.web.serving.problems import Problem
from headwater.web.serving.route import limit_of
from headwater.web.serving.streaming import TYPES
from headwater.web.serving.templating import render

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from headwater.store.browse import Browse
    from headwater.store.scan_index.index import Look
    from headwater.store.store import Scan

    Handler = Callable[[Request, dict[str, Any]], Awaitable[Response]]

_STYLE = (files("headwater.web") / "static" / "style.css").read_text("utf-8")
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
RECENT = 30
ROWS = 100
PATIENCE = 1.5
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


def login_page(*, is_wrong: bool = False) -> Response:
    """Asks for the token; says nothing else. Its style stands in it, for the files beside it need the token too."""
    policy = HEADERS["Content-Security-Policy"].replace("style-src 'self'", f"style-src 'sha256-{_STYLE_HASH}'")
    return render("login.html", 401, {"Content-Security-Policy": policy}, style=Markup(_STYLE), is_wrong=is_wrong)  # noqa: S704


async def start(request: Request, _: dict[str, Any]) -> Response:
    """A field for URLs, the options that matter, and the scans there are."""

    def ask(store: Browse) -> list[dict[str, Any]]:
        return [reading.scan_row(store, scan) for scan in store.scans(RECENT)]

    return render(
        "start.html",
        scans=await office(request).desk.read(ask),
        presets=values_of_presets(),
        first=[OFFERED[name] for name in FIRST],
        sections=sections(),
        names=list(PRESETS),
        allow_private=office(request).allow_private,
        has_fleet=True,
    )


async def scan(request: Request, given: dict[str, Any]) -> Response:
    """A scan as it happens, or how it went."""
    found = await office(request).desk.scan(given["scan"])
    view = await office(request).desk.read(reading.scan_view, found)
    return screen_of("scan.html", found, "scan", view=view, can_resume=view["state"] in RESUMABLE)


async def urls(request: Request, given: dict[str, Any]) -> Response:
    """The table of URLs."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    wanted = filter_of(given)
    part = await desk.look(found, list_pages, found, {**given, "limit": ROWS}, patience=PATIENCE)
    is_slow = bool(wanted.text or wanted.cluster or wanted.under)
    counted = None if is_slow else await desk.look(found, count_facets, wanted)
    clusters = await desk.look(found, lambda _, look: shown_clusters(look.clusters(), wanted.cluster))
    return screen_of(
        "urls.html", found, "urls", part=part, given=_shown(given), counted=counted, columns=COLUMNS,
        formats=list(TYPES), sorts=list(SORTS), wanted=wanted, can_dive=_can_dive(_shown(given)),
        **_facet_words(clusters, wanted),
    )  # fmt: skip


async def facets(request: Request, given: dict[str, Any]) -> Response:
    """The facets alone, for filters whose counts take a moment."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    wanted = filter_of(given)
    counted = await desk.look(found, count_facets, wanted)
    words = _facet_words(counted["clusters"], wanted)
    return render("facets.html", scan=found, counted=counted, given=_shown(given), wanted=wanted, **words)


async def page(request: Request, given: dict[str, Any]) -> Response:
    """Everything known of a page."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    view = await desk.look(found, reading.page_view, found, given["page"], patience=PATIENCE)
    return screen_of("page.html", found, "urls", view=view)


async def map_(request: Request, given: dict[str, Any]) -> Response:
    """The site as a tree, a treemap and a graph."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])

    def ask(store: Browse, look: Look) -> dict[str, Any]:
        top = reading.tree_view(store, look, found, "")
        gaps = {str(value): count for value, count in look.facets(Filter())["gap"]}
        return {"tree": top, "gaps": gaps, "listed": int(look.about["listed"])}

    return screen_of("map.html", found, "map", view=given["view"], **await desk.look(found, ask, patience=PATIENCE))


async def skipped(request: Request, given: dict[str, Any]) -> Response:
    """Refused URLs by reason."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    rows = await desk.look(found, reading.skipped_view, found, patience=PATIENCE)
    return screen_of("skipped.html", found, "skipped", rows=rows, keeps=bool(found.settings.get("keep_skipped")))


async def changes(request: Request, given: dict[str, Any]) -> Response:
    """What changed between two scans."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    after = read_cursor(given.get("cursor"), int) or (0,)
    others = await desk.read(lambda store: [one for one in store.scans_like(found.number, 200) if one != found])

    def ask(store: Browse) -> dict[str, Any] | None:
        try:
            pair(store, found, given.get("against"))
        except Problem:
            return None
        differences = office(request).differences
        return list_changes(store, differences, found, {**given, "limit": ROWS}, max(0, after[0]))

    part = await desk.read(ask)
    return screen_of("changes.html", found, "changes", part=part, others=others, given=_shown(given))


async def clusters(request: Request, given: dict[str, Any]) -> Response:
    """Return the screen with the clusters that say most about the site, or with all."""
    desk = office(request).desk
    found = await desk.scan(given["scan"])
    rows = await desk.look(found, lambda _, look: look.clusters(), patience=PATIENCE)
    by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows[: given["limit"]]:
        by_kind[row["kind"]].append(row)
    return screen_of(
        "clusters.html", found, "clusters", by_kind=by_kind, can_dive=True, total=len(rows), most=MAX_CLUSTERS,
        is_cut=given["limit"] < len(rows),
    )  # fmt: skip


def screen_of(name: str, scan: Scan, section: str, **values: Any) -> Response:  # noqa: ANN401
    """A screen about a scan."""
    host = seed_url(scan.seeds[0]).partition("://")[2].strip("/")
    return render(name, scan=scan, section=section, title=f"{host} · Headwater", **values)


def _shown(given: Mapping[str, Any]) -> dict[str, Any]:
    """The filter as it stands in the address: what is as usual is left out."""
    usual = {"kind": "page", "sort": "url"}
    return {name: value for name, value in given.items() if name not in {"scan", "cursor"} and usual.get(name) != value}


def _can_dive(shown: Mapping[str, Any]) -> bool:
    """Whether a dive can be made into exactly what is shown: a cluster, a folder, or both."""
    return set(shown) - {"sort"} != set() and set(shown) <= {"cluster", "under", "sort"}


def _facet_words(clusters: list[dict[str, Any]], wanted: Filter) -> dict[str, Any]:
    chosen = next((cluster["title"] for cluster in clusters if cluster["number"] == wanted.cluster), "")
    return {
        "shown_facets": SHOWN_FACETS, "facet_titles": FACET_TITLES, "value_titles": VALUE_TITLES, "clusters": clusters,
        "cluster_title": chosen, "facet_names": tuple(FACETS),
    }  # fmt: skip


_AGAINST = Parameter("against", whole(1, (1 << 53) - 1), "The older scan")
_VIEW = Parameter("view", choice("tree", "treemap", "graph", default="tree"), "How the site is drawn")

SCREENS: tuple[Screen, ...] = (
    Screen("/", start),
    Screen("/fleet", fleet_screen, FLEET_PARAMETERS),
    Screen("/scans/{scan}", scan, (SCAN,)),
    Screen("/scans/{scan}/urls", urls, (SCAN, *FILTER, SORT, CURSOR)),
    Screen("/scans/{scan}/facets", facets, (SCAN, *FILTER, SORT)),
    Screen("/scans/{scan}/pages/{page}", page, (SCAN, PAGE)),
    Screen("/scans/{scan}/map", map_, (SCAN, _VIEW)),
    Screen("/scans/{scan}/skipped", skipped, (SCAN,)),
    Screen("/scans/{scan}/changes", changes, (SCAN, _AGAINST, CURSOR)),
    Screen("/scans/{scan}/clusters", clusters, (SCAN, limit_of(SHOWN_CLUSTERS, MAX_CLUSTERS))),
)
