"""Build a site like Next.js does: pages drawn from embedded data, a build manifest, routes changed by pushState."""

from __future__ import annotations

import json
from typing import NamedTuple

from tests.sites.spa.kinds import HERE, Origins, Route, SpaSite
from tests.sites.table_site import Answer, ReceivedRequest

BUILD = "k3Jd0"
SHELL = (HERE / "pages" / "next" / "shell.html").read_text()


class View(NamedTuple):
    """A page: its heading, the targets of its links, and the targets of its cards, which have no href."""

    title: str
    links: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


VIEWS = {
    "/": View("Home", links=("/docs", "/blog"), cards=("/pricing",)),
    "/docs": View("Docs", links=("/docs/start", "/docs/deploy")),
    "/docs/start": View("Getting started"),
    "/docs/deploy": View("Deploying"),
    "/blog": View("Blog", links=("/blog/first",), cards=("/blog/second",)),
    "/blog/first": View("First post"),
    "/blog/second": View("Second post"),
    "/pricing": View("Pricing"),
    "/imprint": View("Imprint"),
    "/careers": View("Careers"),
}
PATTERNS = (
    "/",
    "/_app",
    "/_error",
    "/blog",
    "/blog/[slug]",
    "/careers",
    "/docs",
    "/docs/[...slug]",
    "/imprint",
    "/pricing",
)


def data_path(path: str) -> str:
    return f"/_next/data/{BUILD}{'/index' if path == '/' else path}.json"


def page(path: str, view: View) -> Answer:
    """Return a page as served: an empty root element and its data."""
    data = {"props": {"pageProps": view._asdict()}, "page": path, "query": {}, "buildId": BUILD}
    return Answer(SHELL.replace("{{title}}", view.title).replace("{{data}}", json.dumps(data)))


def manifest() -> Answer:
    """Return the build manifest: every page pattern with its scripts."""
    chunks = {pattern: [f"static/chunks/pages{pattern}.js"] for pattern in PATTERNS if not pattern.startswith("/_")}
    text = json.dumps({**chunks, "sortedPages": list(PATTERNS)})
    script = f"self.__BUILD_MANIFEST={text},self.__BUILD_MANIFEST_CB&&self.__BUILD_MANIFEST_CB();"
    return Answer(script, type="text/javascript; charset=utf-8")


ANSWERS = {
    f"/_next/static/{BUILD}/_buildManifest.js": manifest(),
    **{path: page(path, view) for path, view in VIEWS.items()},
    **{
        data_path(path): Answer(json.dumps({"pageProps": view._asdict()}), type="application/json")
        for path, view in VIEWS.items()
    },
}


def answer(request: ReceivedRequest, _: Origins) -> Answer | None:
    return ANSWERS.get(request.path)


NEXT = SpaSite(
    "next",
    answer,
    (
        Route("/", "start", "Home"),
        Route("/docs", "link", "Docs"),
        Route("/docs/start", "link", "Getting started", on="/docs"),
        Route("/docs/deploy", "link", "Deploying", on="/docs"),
        Route("/blog", "link", "Blog"),
        Route("/blog/first", "link", "First post", on="/blog"),
        Route("/blog/second", "click", "Second post", on="/blog", at=(".card",)),
        Route("/pricing", "click", "Pricing", at=(".card",)),
        Route("/imprint", "prefetch", "Imprint"),
        Route("/careers", "manifest", "Careers"),
    ),
    not_pages=frozenset({"/blog/[slug]", "/docs/[...slug]", "/_app", "/_error"}),
    endpoints=frozenset({("GET", data_path("/pricing")), ("GET", data_path("/blog/second"))}),
)
