"""Find the region of the page that a link is in, its text and its `rel`."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from turbohtml import Element

from headwater.model import Region  # noqa: TC001  (NamedTuple needs it at run time)
from headwater.pages.documents.html_parser import collapse_whitespace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turbohtml import Document


REGION_BY_LANDMARK: dict[str, Region] = {
    "header": "header", "nav": "nav", "aside": "aside", "main": "main", "footer": "footer", "banner": "header",
    "navigation": "nav", "menu": "nav", "menubar": "nav", "complementary": "aside", "contentinfo": "footer",
}  # fmt: skip
_INNER_TAGS = ("header", "nav", "aside", "footer")
_LANDMARK_TAGS = frozenset({*_INNER_TAGS, "main"})
_MAX_LANDMARKS = 1000
_MAX_NESTED = 20
_FEW_LANDMARKS = 20
"""Limits that no reasonable page reaches, so that a hostile page takes linear time."""

MAX_RAW_TEXT = 4000
"""Characters of an element's text that are read; elements may nest, and each includes the text of the inner ones."""

_BATCH_SIZE = 16
_FEW_CHARACTERS = 200_000
_MAX_NODES = 200
"""Nodes inside a link that are searched for an image."""

LANDMARK_SELECTOR = "header,nav,aside,main,footer," + ",".join(f"[role={role}]" for role in REGION_BY_LANDMARK)


def find_region(element: Element) -> Region:
    """Return the region of an element, by the nearest landmark."""
    landmark = element.closest(LANDMARK_SELECTOR)
    return "content" if landmark is None else _get_landmark_region(landmark)


class _Span(NamedTuple):
    """The range of anchors in one landmark, from index `start` to `end` (exclusive)."""

    start: int
    end: int
    region: Region
    landmark: Element


def find_regions(document: Document, anchors: Sequence[Element], with_roles: Sequence[Element]) -> list[Region]:
    """Return the region of each anchor of a document.

    The anchors inside a landmark are consecutive, so one query per landmark is enough; a query per anchor takes four
    times as long. `with_roles` are the elements that have a role.
    """
    regions: list[Region] = ["content"] * len(anchors)
    for start, end, region, _ in _find_spans(document, anchors, with_roles) if anchors else ():
        regions[start:end] = [region] * (end - start)
    return regions


def _find_spans(document: Document, anchors: Sequence[Element], with_roles: Sequence[Element]) -> list[_Span]:
    """Return the anchors of each landmark; inner landmarks come after outer ones."""
    landmarks = [landmark for tag in _INNER_TAGS for landmark in document.find_all(tag)]
    landmarks += [one for one in with_roles if one.attr("role") in REGION_BY_LANDMARK and one.tag not in _LANDMARK_TAGS]
    mains = document.find_all("main")
    spans = [_find_main_span(mains[0], anchors)] if len(mains) == 1 else []
    landmarks += mains if len(mains) > 1 else ()
    places = {anchor: place for place, anchor in enumerate(anchors)} if len(landmarks) > _FEW_LANDMARKS else None
    budget = _MAX_NESTED * (len(anchors) + 1)
    for landmark in landmarks[:_MAX_LANDMARKS]:
        inside = landmark.find_all("a")
        if inside:
            start = places[inside[0]] if places is not None else _find_start(inside, anchors)
            spans.append(_Span(start, start + len(inside), _get_landmark_region(landmark), landmark))
            budget -= len(inside)
            if budget < 0:
                break
    spans.sort(key=lambda span: (span.start - span.end, span.start))
    if any(one.start == other.start and one.end == other.end for one, other in pairwise(spans)):
        # If two landmarks contain the same anchors, the inner one counts.
        spans.sort(key=lambda span: (span.start - span.end, len(list(span.landmark.ancestors))))
    return spans


def _find_start(inside: Sequence[Element], anchors: Sequence[Element]) -> int:
    """Return the index of the first anchor of a landmark; most landmarks are near the top or at the end of the page."""
    first, last = inside[0], len(anchors) - len(inside)
    return last if anchors[last] == first else anchors.index(first)


def _find_main_span(main: Element, anchors: Sequence[Element]) -> _Span:
    """Return the range of the only `main`; it holds most of the page, so its end is found by binary search."""
    first = main.find("a")
    if first is None:
        return _Span(0, 0, "main", main)
    start, end = anchors.index(first), len(anchors)
    if anchors[-1].closest("main") is main:
        return _Span(start, end, "main", main)
    low = start
    while end - low > 1:
        middle = (low + end) // 2
        low, end = (middle, end) if anchors[middle].closest("main") is main else (low, middle)
    return _Span(start, end, "main", main)


def _get_landmark_region(landmark: Element) -> Region:
    return REGION_BY_LANDMARK.get(landmark.tag) or REGION_BY_LANDMARK.get(landmark.attr("role") or "", "content")


def get_link_text(element: Element) -> str:
    """Return the text of a link; if it has none its label, title or the `alt` of its image. Empty for scripts."""
    text = "" if element.tag in {"script", "style"} else collapse_whitespace(get_text_prefix(element))
    if text:
        return text
    for name in ("aria-label", "title", "alt", "value"):
        if value := element.attr(name):
            return collapse_whitespace(value)
    nodes = (node for node in islice(element.descendants, _MAX_NODES) if isinstance(node, Element))
    return next((collapse_whitespace(alt) for node in nodes if node.tag == "img" and (alt := node.attr("alt"))), "")


def get_texts(elements: Sequence[Element], limit: int) -> list[str]:
    """Return the text of each element; once they have `limit` characters in total, only the beginning of each.

    Elements may be nested, and each includes the text of the inner ones.
    """
    if limit <= _FEW_CHARACTERS:
        return [element.text for element in elements]
    texts: list[str] = []
    size = 0
    for start in range(0, len(elements), _BATCH_SIZE):
        part = elements[start : start + _BATCH_SIZE]
        found = [element.text for element in part] if size <= limit else [get_text_prefix(one) for one in part]
        size += sum(map(len, found))
        texts += found if size <= limit else [text[:MAX_RAW_TEXT] for text in found]
    return texts


def get_text_prefix(element: Element) -> str:
    """Return the first characters of an element's text."""
    size, parts = 0, []
    for part in element.strings:
        parts.append(part)
        size += len(part)
        if size >= MAX_RAW_TEXT:
            break
    return "".join(parts)[:MAX_RAW_TEXT]


def get_rel(element: Element) -> str:
    """Return the `rel` of a link in lower case, words separated by whitespace."""
    return (element.attr("rel") or "").lower()
