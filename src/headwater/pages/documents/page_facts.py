"""Read what the head, the first heading and the response headers of a page say about it."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from headwater.model import PageFacts, Response
from headwater.pages.documents.html_parser import collapse_whitespace
from headwater.urls.parsing import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from turbohtml import Document

    from headwater.pages.documents.robots_tag import RobotsTag

MAX_TEXT = 500
MAX_ELEMENTS = 1000
MAX_HEADINGS = 10
MAX_HEADING_TEXT = 10_000
MAX_ALTERNATES = 200
MAX_HEADER = 300
_PERMALINKS = " ¶§🔗"
"""Characters of the link to itself that many generators put after a heading."""

KEPT_HEADERS = (
    "cache-control", "content-encoding", "content-security-policy", "referrer-policy", "server",
    "strict-transport-security", "x-content-type-options", "x-frame-options", "x-powered-by",
)  # fmt: skip
_PUBLISHED = ("article:published_time", "datepublished", "date", "dc.date", "dcterms.created", "pubdate")
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "last-modified")
_KEPT_NAMES = frozenset({"description", "og:title", "og:image", *_PUBLISHED, *_MODIFIED})
_INSECURE_STYLES = 'head link[rel~=stylesheet][href^="http:" i]'
_INSECURE_SOURCES = '[src^="http:" i]'
_INSECURE_MARKUP = (b'src="http:', b"src='http:", b"src=http:")


def read_page_facts(document: Document, response: Response, robots: RobotsTag) -> PageFacts:
    """Return the facts about a page. Nothing here looks at all of its text, which would cost too much for each page."""
    meta = _read_meta(document)
    image = meta.get("og:image", "")
    return PageFacts(
        description=meta.get("description", ""),
        heading=_read_heading(document),
        og_title=meta.get("og:title", ""),
        og_image=resolve(image, response.url) or "" if image else "",
        published=_find_first(meta, _PUBLISHED) if meta else "",
        modified=_find_first(meta, _MODIFIED) if meta else "",
        robots=", ".join(name for name in robots._fields if getattr(robots, name)) if any(robots) else "",
        alternates=_read_alternates(document, response.url),
        headers=_pack_headers(tuple(map(response.headers.get, KEPT_HEADERS))),
        insecure_resources=_count_insecure_resources(document, response),
        size=len(response.body),
        response_ms=round(response.timings.total * 1000),
    )


def _read_meta(document: Document) -> dict[str, str]:
    """Return the content of the first `<meta>` element of each name that is kept."""
    found: dict[str, str] = {}
    for element in document.select("head meta")[:MAX_ELEMENTS]:
        attribute = element.attr
        name = (attribute("name") or attribute("property") or attribute("itemprop") or "").lower()
        if name in _KEPT_NAMES and name not in found and (content := attribute("content")):
            found[name] = collapse_whitespace(content)[:MAX_TEXT]
    return found


def _read_heading(document: Document) -> str:
    """Return the text of the first `h1` that has one."""
    headings = (element.text[:MAX_HEADING_TEXT] for element in document.select("h1")[:MAX_HEADINGS])
    cleaned = (collapse_whitespace(text).rstrip(_PERMALINKS) for text in headings)
    return next((text[:MAX_TEXT] for text in cleaned if text), "")


def _find_first(meta: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((meta[name] for name in names if name in meta), "")


def _read_alternates(document: Document, url: str) -> str:
    """Return the translations that the page names, as a JSON object of URLs by language."""
    links = document.select("head link[rel~=alternate][hreflang]")[:MAX_ALTERNATES]
    if not links:
        return ""
    named = ((link.attr("hreflang") or "", resolve(href, url)) for link in links if (href := link.attr("href")))
    return json.dumps({language.lower(): target for language, target in named if language and target})


@lru_cache(maxsize=1024)
def _pack_headers(values: tuple[str | None, ...]) -> str:
    """Return headers as a JSON object; most pages of a site have the same ones."""
    kept = {name: value[:MAX_HEADER] for name, value in zip(KEPT_HEADERS, values, strict=True) if value}
    return json.dumps(kept) if kept else ""


def _count_insecure_resources(document: Document, response: Response) -> int:
    """Return the number of resources that a secure page loads over http.

    Selecting by `src` looks at every element, so the markup is searched first.
    """
    if not response.url.startswith("https:"):
        return 0
    count = len(document.select(_INSECURE_STYLES))
    if any(markup in response.body for markup in _INSECURE_MARKUP):
        count += len(document.select(_INSECURE_SOURCES))
    return count
