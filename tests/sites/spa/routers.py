"""Build sites from applications with real routers; their bundles are in `built/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.sites.spa.kinds import HERE, Origins, Route, SpaSite
from tests.sites.table_site import Answer, ReceivedRequest

if TYPE_CHECKING:
    from collections.abc import Iterable

SHELL = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><base href="/"></head>
<body>{root}<script src="/app.js"></script>{rest}</body></html>"""

# Anchors on a page with a hash router; like many such applications, this one scrolls to them by script.
ANCHORS = """<footer><a href="#how-to-read">How to read this</a> <a href="#thanks">Thanks</a>
<h2 id="how-to-read">How to read this</h2><p>From left to right.</p><h2 id="thanks">Thanks</h2><p>To all.</p></footer>
<script>document.querySelector("footer").addEventListener("click", (event) => {
  if (!event.target.hash) return;
  event.preventDefault();
  document.querySelector(event.target.hash).scrollIntoView();
});</script>"""
NOT_PAGES = frozenset({"/no-such-page"})


def application(
    name: str,
    *routes: Route,
    root: str = '<div id="root"></div>',
    rest: str = "",
    not_pages: Iterable[str] = NOT_PAGES,
) -> SpaSite:
    """Return an application in history mode: its page answers every path except missing files."""
    script = (HERE / "built" / f"{name}.js").read_bytes()
    shell = SHELL.format(title=name, root=root, rest=rest)

    def answer(request: ReceivedRequest, _: Origins) -> Answer | None:
        path = request.path.partition("?")[0]
        if path == "/app.js":
            return Answer(script, 200, "text/javascript; charset=utf-8", {"Cache-Control": "max-age=3600"})
        return None if "." in path else Answer(shell)

    return SpaSite(name, answer, routes, not_pages=frozenset(not_pages))


REACT = application(
    "react",
    Route("/", "start", "Home"),
    Route("/about", "link", "About"),
    Route("/old-about", "link", "About"),
    Route("/products", "link", "Products"),
    Route("/products/1", "link", "Product 1", on="/products"),
    Route("/products/2?colour=red", "link", "Product 2", on="/products"),
    Route("/products/3", "click", "Product 3", at=("#plain-button",)),
    Route("/contact", "click", "Contact", at=("#contact-card",)),
    Route("/help", "click", "Help", at=("#help-button",)),
    Route("/reports", "link", "Reports"),
    Route("/reports/yearly", "click", "Yearly report", on="/reports", at=("#yearly-card",)),
    Route("/press-kit", "route-table", "Press kit"),
)
REACT_DATA = application(
    "react-data",
    Route("/", "start", "Home"),
    Route("/guide", "link", "Guide"),
    Route("/guide/install", "link", "Installing", on="/guide"),
    Route("/tour", "click", "Tour", at=("#tour-card",)),
    Route("/team/history", "route-table", "Our history"),
)
VUE = application(
    "vue",
    Route("/", "start", "Home"),
    Route("/about", "link", "About"),
    Route("/opening-hours", "click", "Opening hours", at=("#opening-hours",)),
    Route("/events", "click", "Events", at=("#events",)),
    Route("/books", "link", "Books"),
    Route("/books/new", "click", "New books", at=("#new-books",)),
    Route("/books/odyssey", "link", "Book odyssey", on="/books"),
    Route("/books/iliad", "link", "Book iliad", on="/books"),
    Route("/archive", "link", "Archive"),
    Route("/archive/1900", "click", "Archive of 1900", on="/archive", at=("#year-1900",)),
    Route("/staff/rota", "route-table", "Rota"),
    root='<div id="app"></div>',
)
ANGULAR = application(
    "angular",
    Route("/", "start", "Home"),
    Route("/service-item/26754310", "click", "Service item 26754310", at=("div.service-item-container",)),
    Route("/about", "link", "About"),
    Route("/opening-hours", "click", "Opening hours", at=("#opening-hours",)),
    Route("/map", "click", "Map", at=("#map",)),
    Route("/treatments", "link", "Treatments"),
    Route("/treatments/sauna", "link", "Treatment sauna", on="/treatments"),
    Route("/treatments/mud", "link", "Treatment mud", on="/treatments"),
    Route("/vouchers", "link", "Vouchers"),
    Route("/vouchers/gift", "click", "A voucher to give away", on="/vouchers", at=("#gift-card",)),
    Route("/staff/rota", "nowhere", "Rota"),  # Angular's production build does not expose the route table
    root="<app-root></app-root>",
)
HASH = application(
    "hash",
    Route("/", "start", "Home"),
    Route("/#/chapters", "hash", "Chapters"),
    Route("/#/chapters/1", "hash", "Chapter 1", on="/#/chapters"),
    Route("/#/chapters/2", "hash", "Chapter 2", on="/#/chapters"),
    Route("/#/index", "hash", "Index"),
    Route("/#/index/a", "click", "Index, letter A", on="/#/index", at=("#index-a",)),
    Route("/#/search?q=ink", "hash", "Search for ink"),
    Route("/#/keys", "click", "Keys", at=("#keys-card",)),
    Route("/#/colophon", "route-table", "Colophon"),
    root='<div id="app"></div>',
    rest=ANCHORS,
    not_pages={"/#how-to-read", "/#thanks", "/#/"},
)
