"""Every link of a document with the row of the table that found it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from turbohtml import Comment

from headwater.pages.html import parse_html, squeezed
from headwater.pages.link_rules import LINK_RULES, LinkRule, css

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from turbohtml import Document, Element

    from headwater.model import Region

REGIONS: dict[str, Region] = {
    "header": "header", "nav": "nav", "aside": "aside", "main": "main", "footer": "footer", "banner": "header",
    "navigation": "nav", "menu": "nav", "menubar": "nav", "complementary": "aside", "contentinfo": "footer",
}  # fmt: skip
_LANDMARKS = "header,nav,aside,main,footer," + ",".join(f"[role={role}]" for role in REGIONS)
_MAX_NESTING = 3
_JSON_LD_NAMES = frozenset("url @id mainEntityOfPage item sameAs contentUrl embedUrl target urlTemplate".split())

_LOC_RULE = LinkRule("loc", "", "page")
_STYLE_RULE = LinkRule("style", "", "resource", css)
_JSON_LD_RULE = LinkRule("script", "", "page")
ANCHOR_RULE = LINK_RULES[0]


class RawLink(NamedTuple):
    """A link as written, with the element it stands on and the row that found it."""

    href: str
    element: Element
    rule: LinkRule
    attribute: str


def anchors(document: Document) -> list[Element]:
    """The ordinary links, which are nearly all of them."""
    return document.select("a[href]")


def other_links(
    document: Document,
    nesting: int = 0,
    seen: dict[tuple[object, ...], tuple[int, str]] | None = None,
    page: tuple[int, str] = (0, ""),
) -> Iterator[RawLink]:
    """Every link that is no `<a href>`: in attributes, styles, structured data, documents in documents.

    The same few styles and scripts stand on every page of a site: those that an earlier `page` (by depth and key)
    named, as `seen` says, are passed over.
    """
    for element in document.select(_SELECTOR):
        if seen is not None and element.tag in _REPEATED:
            place = (element.tag, element.attr("href"), element.attr("src"), element.attr("type"))
            if place in seen and seen[place] <= page:
                continue
            if element.attr("type") != "application/ld+json":
                seen[place] = page
        yield from _links_in(element, nesting)
    if nesting < _MAX_NESTING:
        for text in _comments(document):
            if text.lstrip().startswith("[if") and "<" in text:
                yield from _inner_links(text.partition(">")[2].rpartition("<!")[0], nesting)


def all_links(document: Document, nesting: int = 0) -> Iterator[RawLink]:
    """Every link of the document."""
    for element in anchors(document):
        yield RawLink(str(element.attrs["href"]), element, ANCHOR_RULE, "href")
    yield from other_links(document, nesting=nesting)


def region_of(element: Element) -> Region:
    """The part of the page an element stands in, by the nearest landmark."""
    landmark = element.closest(_LANDMARKS)
    if landmark is None:
        return "content"
    return REGIONS.get(landmark.tag) or REGIONS.get(str(landmark.attrs.get("role", "")), "content")


def text_of(element: Element) -> str:
    """What people read on a link: its text, else its label, title or the words for its picture."""
    text = squeezed(element.text)
    if text:
        return text
    for name in ("aria-label", "title", "alt", "value"):
        if value := element.attrs.get(name):
            return squeezed(str(value))
    picture = element.select_one("img[alt]")
    return squeezed(str(picture.attrs["alt"])) if picture is not None else ""


def relations_of(element: Element) -> str:
    """The `rel` of a link, its words parted by blanks."""
    rel = element.attrs.get("rel")
    return " ".join(rel).lower() if isinstance(rel, list) else str(rel or "").lower()


def json_ld_urls(text: str) -> list[str]:
    """The URLs in one block of structured data, under the names that hold pages."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    found: dict[str, None] = {}
    _walk(value, "", found, 0)
    return list(found)


def _links_in(element: Element, nesting: int) -> Iterator[RawLink]:
    tag, attributes = element.tag, element.attrs
    for name, given in attributes.items():
        value = " ".join(given) if isinstance(given, list) else given
        for rule in _RULES.get((tag, name)) or _RULES.get(("*", name), ()):
            if value and _fits(rule, attributes):
                yield from (RawLink(href, element, rule, name) for href in rule.read(value))
                break
    if tag in _TEXTS:
        yield from _links_in_text(element, nesting)


def _links_in_text(element: Element, nesting: int) -> Iterator[RawLink]:
    if element.tag == "loc":
        yield from (RawLink(href, element, _LOC_RULE, "text") for href in element.text.split())
    elif element.tag == "style":
        yield from (RawLink(href, element, _STYLE_RULE, "text") for href in css(element.text))
    elif element.tag == "script" and element.attrs.get("type") == "application/ld+json":
        yield from (RawLink(href, element, _JSON_LD_RULE, "json-ld") for href in json_ld_urls(element.text))
    elif element.tag == "iframe" and nesting < _MAX_NESTING:
        yield from _inner_links(str(element.attrs.get("srcdoc", "")), nesting)


def _comments(document: Document) -> list[str]:
    found = document.xpath("//comment()")
    return [node.data for node in found if isinstance(node, Comment)] if isinstance(found, list) else []


def _inner_links(markup: str, nesting: int) -> Iterator[RawLink]:
    """Links of a document inside the document: `srcdoc`, conditional comments."""
    if markup:
        yield from all_links(parse_html(markup), nesting + 1)


def _fits(rule: LinkRule, attributes: Mapping[str, object]) -> bool:
    if rule.where is None:
        return True
    name, allowed = rule.where
    value = attributes.get(name)
    words = value if isinstance(value, list) else str(value or "").split()
    return any(word.lower() in allowed for word in words)


def _walk(value: object, name: str, found: dict[str, None], depth: int) -> None:
    if depth > 100:
        return
    if isinstance(value, dict):
        for inner_name, inner in value.items():
            _walk(inner, inner_name, found, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _walk(inner, name, found, depth + 1)
    elif isinstance(value, str) and name in _JSON_LD_NAMES and value.strip():
        found[value.strip()] = None


def _rules_by_place() -> dict[tuple[str, str], tuple[LinkRule, ...]]:
    """The rows for each element and attribute, those for any element (`*`) behind an element's own."""
    rows = [
        (tag, name, rule) for rule in LINK_RULES for tag in rule.elements.split() for name in rule.attributes.split()
    ]
    places = {(tag, name) for tag, name, _ in rows if (tag, name) != ("a", "href")}
    return {
        place: tuple(rule for tag, name, rule in rows if name == place[1] and tag in {place[0], "*"})
        for place in places
    }


_RULES = _rules_by_place()
_REPEATED = frozenset({"link", "script"})
_TEXTS = frozenset({"loc", "style", "script", "iframe"})
# One selector for all of them, as short as can be: every name in it costs 2 µs a page.
_SELECTOR = (
    ":is([src],img,source,object,applet,link,area,base,image,use,form,video,html[manifest],head[profile],[formaction],"
    "[cite],[background],[ping],[onclick],[style],[data-href],[data-url],[data-link],[data-navigate],[data-next-link],"
    "[data-router-link],[xlink\\:href],[role=link],[longdesc],[http-equiv],[property],[name^='twitter:'],[srcdoc],"
    "script[type='application/ld+json'],style,loc)"
)
