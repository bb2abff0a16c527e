"""Detect pages that scripts fill: they have little text and few links, and markup that scripts use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.pages.documents.html_parser import collapse_whitespace
from headwater.pages.documents.script_inspection import APPLICATION_ROOTS, find_framework_sign

if TYPE_CHECKING:
    from turbohtml import Document

FEW_LINKS = 10
MANY_LINKS = 200
SHORT_TEXT_LENGTH = 400
MINIMAL_TEXT_LENGTH = 60
_MAX_NOTICES = 20
"""`<noscript>` elements that are read; if they are nested, reading all of them would take quadratic time."""

HASH_ROUTES_REASON = "links of the form #/…, which only scripts follow"

_NOT_THIS_SITE = ("#", "http:", "https:", "//", "mailto:", "tel:", "javascript:")
"""Links to other hosts do not make a page complete. Absolute links to the same host are rare in applications."""

_NOT_OWN_TEXT = (
    "nav, header, footer, [role=navigation], a:not(nav a, header a, footer a), button:not(nav button, header button)"
)
_JAVASCRIPT_NOTICES = (
    "enable javascript",
    "requires javascript",
    "javascript is required",
    "javascript is disabled",
    "activate javascript",
    "javascript aktivieren",
    "activer javascript",
)


def find_script_reason(document: Document) -> str:
    """Return why a page seems to be filled by its scripts; empty if it does not.

    Few links and little text are not enough, because many pages are short: the page must also have scripts and an
    element that they fill, or no links at all. Complete pages ask for JavaScript too.
    """
    anchors = document.select("a")
    if len(anchors) > MANY_LINKS or not document.select("script"):
        return ""
    hrefs = {element.attr("href") or "" for element in anchors}
    if any(href.startswith(("#/", "#!")) for href in hrefs):
        return HASH_ROUTES_REASON
    links = sum(not href.startswith(_NOT_THIS_SITE) for href in hrefs)
    if links > FEW_LINKS:
        return ""
    letters = measure_visible_text(document)
    if letters > SHORT_TEXT_LENGTH:
        return ""
    if (root := document.select_one(APPLICATION_ROOTS)) is not None:
        name = root.attr("id")
        return f"almost empty except for <{root.tag}{f' id={name}' if name else ''}>, which scripts fill"
    if sign := find_framework_sign(document):
        return f"almost empty, with scripts of a framework ({sign})"
    if not links and _asks_for_javascript(document):
        return "it asks for JavaScript"
    if letters <= MINIMAL_TEXT_LENGTH and (not links or document.select_one("script[type=module]") is not None):
        return "scripts, and hardly any text"
    return ""


def _asks_for_javascript(document: Document) -> bool:
    return any(
        text in notice.text.lower()
        for notice in document.select("noscript")[:_MAX_NOTICES]
        for text in _JAVASCRIPT_NOTICES
    )


def is_empty_shell(document: Document, script_reason: str) -> bool:
    """Return True if a page that scripts fill has no text of its own, besides links, buttons and landmarks.

    Pages that the server has rendered have some, and may be complete.
    """
    if script_reason == HASH_ROUTES_REASON:
        return True
    text = measure_visible_text(document)
    for element in document.select(_NOT_OWN_TEXT):
        if text <= MINIMAL_TEXT_LENGTH:
            return True
        text -= len(collapse_whitespace(element.text))
    return text <= MINIMAL_TEXT_LENGTH


def measure_visible_text(document: Document) -> int:
    """Return the length of the body's text without scripts, styles and templates."""
    body = document.select_one("body")
    if body is None:
        return 0
    visible = len(collapse_whitespace(body.text))
    for element in body.select("script, style, noscript, template"):
        visible -= len(collapse_whitespace(element.text))
        if visible <= 0:  # nested elements are counted several times; continuing would take quadratic time
            return 0
    return visible
