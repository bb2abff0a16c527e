"""Read the head of a page: title, language, base, canonical URL and robots directives; and its first heading."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.pages.documents.html_parser import collapse_whitespace
from headwater.pages.documents.robots_tag import RobotsTag, parse_robots_tag
from headwater.version import ROBOTS_NAME

if TYPE_CHECKING:
    from turbohtml import Document

MAX_TITLE = 500
MAX_HEADINGS = 10
MAX_HEADING_TEXT = 10_000
MAX_LANGUAGE = 35
MAX_ELEMENTS = 1000
"""Elements of a kind that are read; no reasonable head has more."""

_ROBOTS = f"head meta:is([name=robots i],[name={ROBOTS_NAME} i])"


class Head(NamedTuple):
    """Title, language, base and canonical URL as written, and robots directives."""

    title: str = ""
    language: str = ""
    base: str = ""
    canonical: str = ""
    robots: RobotsTag = RobotsTag()

    @classmethod
    def from_document(cls, document: Document) -> Head:
        """Read the head of a document; the first element of each kind counts. Titles of SVG images are not read."""
        robots = RobotsTag()
        for element in document.select(_ROBOTS)[:MAX_ELEMENTS]:
            robots |= parse_robots_tag(element.attr("content") or "", element.attr("name") or "")
        titles = document.select("head title")[:MAX_ELEMENTS]
        title = next((text for element in titles if (text := collapse_whitespace(element.text))), "")
        root = document.select_one("html")
        language = (root.attr("lang") or "").strip() if root is not None else ""
        return cls(
            title=title[:MAX_TITLE],
            language=language[:MAX_LANGUAGE],
            base=_find_first_href(document, "head base"),
            canonical=_find_first_href(document, "head link[rel~=canonical]"),
            robots=robots,
        )


def read_heading(document: Document) -> str:
    """Return the text of the first `h1` that has one."""
    for element in document.select("h1")[:MAX_HEADINGS]:
        if text := collapse_whitespace(element.text[:MAX_HEADING_TEXT]):
            return text[:MAX_TITLE]
    return ""


def _find_first_href(document: Document, selector: str) -> str:
    elements = document.select(selector)[:MAX_ELEMENTS]
    return next((href for element in elements if (href := element.attr("href"))), "")
