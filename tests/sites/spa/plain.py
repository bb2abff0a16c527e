"""Build sites from the folders of `pages/`: applications written by hand, without a known router."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.sites.spa.kinds import HERE, Means, Origins, Route, SpaSite
from tests.sites.table_site import Answer, ReceivedRequest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LEAF = "<!doctype html><title>{title}</title><h1>{title}</h1><p>There is nothing more on this page.</p>"


def read_pages(name: str) -> dict[str, Answer]:
    """Return the pages of a folder by their path; `index.html` is `/`."""
    folder = HERE / "pages" / name
    texts = {"/" + path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*.html"))}
    return {path.removesuffix(".html").removesuffix("index"): Answer(text) for path, text in texts.items()}


def in_json(value: object) -> Answer:
    return Answer(json.dumps(value), type="application/json")


def folder(
    name: str,
    *routes: Route,
    more: Mapping[str, Answer] | None = None,
    not_pages: Iterable[str] = (),
    endpoints: Iterable[tuple[str, str]] = (),
) -> SpaSite:
    """Return a site with the pages of its folder, those of `more`, and a short page at every other route."""
    leaves = {route.path: Answer(LEAF.format(title=route.title)) for route in routes if "#" not in route.path}
    pages = {**leaves, **read_pages(name), **(more or {})}

    def answer(request: ReceivedRequest, _: Origins) -> Answer | None:
        return pages.get(request.path)

    return SpaSite(name, answer, routes, not_pages=frozenset(not_pages), endpoints=frozenset(endpoints))


def many(means: Means, paths: Iterable[str], on: str) -> tuple[Route, ...]:
    """Return pages whose heading is their path."""
    return tuple(Route(path, means, path, on) for path in paths)


HASH_PLAIN = folder(
    "hash-plain",
    Route("/", "start", "Garden"),
    Route("/#/plants", "hash", "Plants"),
    Route("/#/plants/rose", "hash", "Rose", on="/#/plants"),
    Route("/#/plants/fern", "hash", "Fern", on="/#/plants"),
    Route("/#/plants/moss", "click", "Moss", on="/#/plants/fern", at=("#moss",)),
    Route("/#!/calendar", "hash", "Calendar"),
    Route("/#/tools", "click", "Tools", at=("#tools",)),
    not_pages=("/#/", "/#/home", "/#prices", "/#where", "/#"),
)

OLDER = {batch: [f"/older/{batch}-{item}" for item in range(1, 11)] for batch in range(1, 6)}
NEWS = [f"/news/{batch}-{item}" for batch in range(1, 6) for item in range(1, 11)]
OLDEST = [f"/oldest/{batch}-{item}" for batch in range(1, 3) for item in range(1, 11)]
SCROLL = folder(
    "scroll",
    Route("/", "start", "News"),
    Route("/older", "static", "Older news"),
    Route("/oldest", "static", "Oldest news", on="/older"),
    *many("link", NEWS[:10], "/"),
    *many("scroll", NEWS[10:], "/"),
    *many("link", OLDER[1], "/older"),
    *many("scroll", (path for batch in range(2, 6) for path in OLDER[batch]), "/older"),
    *many("link", OLDEST[:10], "/oldest"),
    *many("scroll", OLDEST[10:], "/oldest"),
    more={f"/api/older?batch={batch}": in_json(paths) for batch, paths in OLDER.items()},
    endpoints=(("GET", f"/api/older?batch={batch}") for batch in OLDER),
)

SHADOW = folder(
    "shadow",
    Route("/", "start", "Shadows"),
    Route("/in-the-light", "static", "In the light"),
    Route("/slotted", "static", "Slotted"),
    *many("shadow", ["/open-root", "/declared-open", "/nested-1"], "/"),
    *many("closed-shadow", ["/closed-root", "/declared-closed", "/nested-2", "/nested-3"], "/"),
    Route("/clicked-in-open", "click", "/clicked-in-open", at=("#open-host",)),
    Route("/clicked-in-closed", "click", "/clicked-in-closed", at=("#closed-host",)),
)

MENUS = folder(
    "menus",
    Route("/", "start", "Menus"),
    Route("/in-details", "static", "In details"),
    Route("/in-lazy-details", "details", "In lazy details", at=("#lazy > summary",)),
    Route("/in-inner-details", "details", "In inner details", at=("#lazy-outer > summary", "#lazy-inner > summary")),
    Route("/by-mouseenter", "hover", "By mouseenter", at=("#hover-menu",)),
    Route("/by-mouseover", "hover", "By mouseover", at=("#over-menu",)),
    Route("/by-pointerenter", "hover", "By pointerenter", at=("#pointer-menu",)),
    Route("/by-focusin", "focus", "By focusin", at=("#focus-menu",)),
    Route("/by-enter", "key", "By Enter", at=("#key-menu", "Enter")),
    Route("/by-space", "key", "By space", at=("#space-menu", "Space")),
    Route("/in-panel", "reveal", "In the panel", at=("#expand",)),
    Route("/in-tab", "reveal", "In the tab", at=("#tab-2",)),
)

REVEAL = folder(
    "reveal",
    Route("/", "start", "Steps"),
    Route("/treasure", "reveal", "The treasure", at=("#step-1", "#step-2", "#step-3", "#step-4")),
    *(
        Route(f"/more/{click}-{item}", "reveal", f"More {click}-{item}", at=("#load-more",) * click)
        for click in range(1, 5)
        for item in range(1, 4)
    ),
)

WAYS = folder(
    "ways",
    Route("/", "start", "Ways"),
    Route("/by-push", "click", "By push", at=("#push",)),
    Route("/by-replace-state", "click", "By replaceState", at=("#replace-state",)),
    Route("/by-open", "open", "By open", at=("#open",)),
    Route("/by-open-late", "open", "By open, late", at=("#open-late",)),
    Route("/by-blank-link", "open", "By a blank link", at=("#blank-link",)),
    Route("/by-assign", "assign", "By assign", at=("#assign",)),
    Route("/by-href", "assign", "By href", at=("#href",)),
    Route("/by-replace", "assign", "By replace", at=("#replace",)),
    Route("/by-made-link", "assign", "By a made link", at=("#made-link",)),
    Route("/by-row", "assign", "By row", at=("#row",)),
    Route("/by-attribute", "assign", "By attribute", at=("#attribute",)),
    Route("/by-mousedown", "assign", "By mousedown", at=("#key-only",)),
    Route("/by-navigate", "navigation", "By navigate", at=("#navigate",)),
    Route("/by-intercepted", "navigation", "By intercepted", at=("#intercepted",)),
    Route("/#/by-hash", "click", "By hash", at=("#hash",)),
    Route("/search?q=tea", "form", "Search", at=("#search",)),
    Route("/results?kind=new", "form", "Results", at=("#submit-form",)),
    Route("/pusher", "static", "Pusher"),
    Route("/pushed", "push", "Pushed", on="/pusher"),
    Route("/pushed/further", "push", "Pushed further", on="/pusher"),
    Route("/replacer", "static", "Replacer"),
    Route("/replaced", "push", "Replaced", on="/replacer"),
    Route("/frames", "static", "Frames"),
    Route("/framed", "frame", "Framed", on="/frames"),
    Route("/from-frame", "frame", "From frame", on="/frames"),
    Route("/from-srcdoc", "frame", "From srcdoc", on="/frames"),
    Route("/from-written-frame", "frame", "From a written frame", on="/frames"),
    Route("/from-template", "template", "From a template", on="/frames"),
    Route("/requests", "static", "Requests"),
    *many("link", ["/item/1", "/item/2", "/user/me"], "/requests"),
    *(Route(path, "reveal", path, "/requests", ("#more",)) for path in ("/item/3", "/item/4")),
    more={
        "/api/items?page=1": in_json(["/item/1", "/item/2"]),
        "/api/items?page=2": in_json(["/item/3", "/item/4"]),
        "/api/user": in_json(["/user/me"]),
        "/api/settings": in_json({"theme": "dark"}),
    },
    endpoints=(("GET", f"/api/{name}") for name in ("items?page=1", "items?page=2", "user", "settings")),
)


def numbered(name: str, title: str, prefix: str, max_number: int) -> SpaSite:
    """Return a site whose first page has far too many links: a prefix and a number; all these pages exist."""
    first = read_pages(name)["/"]

    def answer(request: ReceivedRequest, _: Origins) -> Answer | None:
        number = request.path.removeprefix(prefix)
        if request.path != "/" and not (number.isdecimal() and 1 <= int(number) <= max_number):
            return None
        return first if request.path == "/" else Answer(LEAF.format(title=number))

    return SpaSite(name, answer, (Route("/", "start", title),))


MANY_LINKS = numbered("many-links", "Many links", "/many/", 100_000)
ENDLESS = numbered("endless-scroll", "Endless", "/endless/", 10**9)
