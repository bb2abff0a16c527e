"""Find the element with a page's main content: a semantic root, else the choice of trafilatura or of text density."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from headwater.pages.documents.html_parser import collapse_whitespace

if TYPE_CHECKING:
    from turbohtml import Document, Element

ROOT_SELECTORS = (
    "main",
    "[role=main]",
    "article",
    "[itemprop=articleBody]",
    "#main-content",
    "#content",
    ".markdown-body",
)
"""Tried in this order; the first one with text is the root."""

MIN_ROOT_CHARS = 40
"""A root with less text than this counts as empty."""

MIN_TEXT_SHARE = 0.9
_HAS_TRAFILATURA = find_spec("trafilatura") is not None


def find_content_root(document: Document) -> Element | None:
    """Return the element with the main content of the page."""
    for selector in ROOT_SELECTORS:
        found = [
            element for element in document.select(selector) if len(collapse_whitespace(element.text)) >= MIN_ROOT_CHARS
        ]
        if len(found) == 1 or (found and selector == "main"):
            return max(found, key=lambda element: len(element.text))
        if found and (parent := _find_shared_parent(found)) is not None:
            return parent
    body = document.select_one("body")
    return None if body is None else _guess_root(document, body)


def _find_shared_parent(elements: list[Element]) -> Element | None:
    """Return the common parent of several articles; of nested ones the outer article."""
    outer = [one for one in elements if not any(one is not other and _contains(other, one) for other in elements)]
    if len(outer) == 1:
        return outer[0]
    parent = outer[0].parent
    return parent if parent is not None and all(one.parent == parent for one in outer) else None  # type: ignore[return-value]


def _contains(outer: Element, inner: Element) -> bool:
    return any(ancestor == outer for ancestor in inner.ancestors)


def _guess_root(document: Document, body: Element) -> Element:
    """Return the element with the text that trafilatura extracts, else the one with the densest text, else the body."""
    kept = _extract_with_trafilatura(document) if _HAS_TRAFILATURA else []
    if kept:
        return _find_narrowest(body, kept)
    return document.main_content() or body


def _extract_with_trafilatura(document: Document) -> list[str]:
    try:
        import trafilatura  # noqa: PLC0415  (optional, and slow to import)
    except ImportError:  # a dependency of trafilatura is missing
        return []

    text = trafilatura.extract(document.html, include_comments=False, include_tables=True, output_format="txt")
    return [line for part in (text or "").splitlines() if len(line := collapse_whitespace(part)) > 20]


def _find_narrowest(body: Element, lines: list[str]) -> Element:
    """Return the smallest element that contains nearly all of these lines."""
    wanted = sum(len(line) for line in lines) * MIN_TEXT_SHARE
    here = body
    while True:
        inner = next(
            (
                child
                for child in here.children
                if hasattr(child, "tag") and _count_matching_chars(child, lines) >= wanted
            ),
            None,
        )
        if inner is None:
            return here
        here = inner  # type: ignore[assignment]


def _count_matching_chars(element: object, lines: list[str]) -> int:
    text = collapse_whitespace(element.text)  # type: ignore[attr-defined]
    return sum(len(line) for line in lines if line in text)
