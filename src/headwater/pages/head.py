"""What the head of a page says about the page itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.pages.html import squeezed
from headwater.pages.robots_tag import RobotsTag, parse_robots_tag

if TYPE_CHECKING:
    from turbohtml import Document

MAX_TITLE = 500


class Head(NamedTuple):
    """Title, language, base, canonical URL as written, and what robots are asked."""

    title: str = ""
    language: str = ""
    base: str = ""
    canonical: str = ""
    robots: RobotsTag = RobotsTag()

    @classmethod
    def of(cls, document: Document) -> Head:
        """Read in one pass over the head; the first of each counts."""
        root, head = document.select_one("html"), document.select_one("head")
        title = base = canonical = ""
        robots = RobotsTag()
        for element in (head or document).select("title,base[href],link[rel~=canonical],meta[name]"):
            tag = element.tag
            if tag == "meta":
                name = (element.attr("name") or "").lower()
                if name in {"robots", "headwater"}:
                    robots |= parse_robots_tag(element.attr("content") or "", name)
            elif tag == "title":
                title = title or squeezed(element.text)[:MAX_TITLE]
            elif tag == "base":
                base = base or element.attr("href") or ""
            else:
                canonical = canonical or element.attr("href") or ""
        language = (root.attr("lang") or "").strip()[:35] if root is not None else ""
        return cls(title, language, base, canonical, robots)
