"""Find the navigation links of a page: those in its header, navigation and sidebars."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.pages.links.regions import find_region, get_link_text

if TYPE_CHECKING:
    from turbohtml import Document, Element

    from headwater.model import Region

NAVIGATION_REGIONS = frozenset({"header", "nav", "aside"})
_COMMON_NAMES = ("nav", "navbar", "navigation", "menu", "sidebar", "toc", "header", "breadcrumb", "breadcrumbs")
_BY_NAME = ",".join(
    f"[{attribute}~={name} i] a[href],[{attribute}^={name}- i] a[href],[{attribute}$=-{name} i] a[href]"
    for attribute in ("class", "id")
    for name in _COMMON_NAMES
)
_FEEDS = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})


class NavigationLink(NamedTuple):
    """A navigation link as written, with its text."""

    href: str
    text: str
    region: Region


def find_navigation_links(document: Document) -> list[NavigationLink]:
    """Return the links in landmarks; if there are none, those in elements with a class or id like `navbar`."""
    found = [_build_link(element, find_region(element)) for element in document.select("a[href]")]
    structural = [link for link in found if link.region in NAVIGATION_REGIONS]
    if not structural:
        structural = [_build_link(element, "nav") for element in document.select(_BY_NAME)]
    first: dict[str, NavigationLink] = {}
    for link in structural:
        first.setdefault(link.href, link)
    return list(first.values())


def find_sitemap_hints(document: Document) -> list[str]:
    """Return the sitemaps and feeds that a page names: `<link rel=sitemap>`, `<link rel=alternate type=…rss…>`."""
    links = document.select("link[href]")
    sitemaps = [link for link in links if "sitemap" in (link.attr("rel") or "").lower().split()]
    feeds = [link for link in links if (link.attr("type") or "").lower() in _FEEDS]
    return list(dict.fromkeys(link.attr("href") or "" for link in [*sitemaps, *feeds]))


def _build_link(element: Element, region: Region) -> NavigationLink:
    return NavigationLink(element.attr("href") or "", get_link_text(element), region)
