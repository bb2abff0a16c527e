"""How a link looks to people: the part of the page it stands in, its text, its relation to the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.pages.html import squeezed

if TYPE_CHECKING:
    from turbohtml import Element

    from headwater.model import Region

REGIONS: dict[str, Region] = {
    "header": "header", "nav": "nav", "aside": "aside", "main": "main", "footer": "footer", "banner": "header",
    "navigation": "nav", "menu": "nav", "menubar": "nav", "complementary": "aside", "contentinfo": "footer",
}  # fmt: skip
LANDMARKS = "header,nav,aside,main,footer," + ",".join(f"[role={role}]" for role in REGIONS)


def region_of(element: Element) -> Region:
    """The part of the page an element stands in, by the nearest landmark."""
    landmark = element.closest(LANDMARKS)
    if landmark is None:
        return "content"
    return REGIONS.get(landmark.tag) or REGIONS.get(landmark.attr("role") or "", "content")


def text_of(element: Element) -> str:
    """What people read on a link: its text, else its label, title or the words for its picture; nothing of a script."""
    text = "" if element.tag in {"script", "style"} else squeezed(element.text)
    if text:
        return text
    for name in ("aria-label", "title", "alt", "value"):
        if value := element.attr(name):
            return squeezed(value)
    picture = element.select_one("img[alt]")
    return squeezed(picture.attr("alt") or "") if picture is not None else ""


def relations_of(element: Element) -> str:
    """The `rel` of a link, its words parted by blanks."""
    return (element.attr("rel") or "").lower()
