"""Find client-side redirects: a meta refresh, or a script that sets the location.

A frameset is no redirect: it is a page, and its frames are links.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.pages.documents.head import MAX_ELEMENTS
from headwater.pages.links.link_rules import read_refresh

if TYPE_CHECKING:
    from collections.abc import Mapping

    from turbohtml import Document

MAX_DELAY = 10
"""Seconds; a page with a longer delay is meant to be read."""

MAX_REDIRECT_PAGE_BYTES = 8192
MAX_REDIRECT_PAGE_TEXT = 300
_DELAY = re.compile(r"\s*([0-9]{0,9})")
_LOCATION = re.compile(
    r"""(?:^|[;{}\s.])location(?:\.href)?\s*=\s*["']([^"']+)["']"""
    r"""|\blocation\.(?:replace|assign)\(\s*["']([^"']+)["']"""
)
_CONDITION = re.compile(r"\b(?:if|switch|function|catch)\b|=>|\?[^\"'?]*:")


def find_client_redirect(document: Document, body: bytes, headers: Mapping[str, str]) -> str:
    """Return the target of a page's redirect, as written; empty if it has none."""
    if "refresh" in headers and (target := _find_refresh_target(headers["refresh"])):
        return target
    for element in document.find_all("meta", limit=MAX_ELEMENTS):
        kind = element.attr("http-equiv")
        if kind and kind.lower() == "refresh" and (target := _find_refresh_target(element.attr("content") or "")):
            return target
    if len(body) > MAX_REDIRECT_PAGE_BYTES:
        return ""
    return _find_script_target(document)


def _find_refresh_target(value: str) -> str:
    delay = _DELAY.match(value)
    if delay is None or int(delay[1] or 0) > MAX_DELAY:
        return ""
    return next(iter(read_refresh(value)), "")


def _find_script_target(document: Document) -> str:
    """Return the URL that an unconditional script sets as location, on a page with hardly any text."""
    scripts = [element.text for element in document.select("script:not([src])")]
    found = [match for text in scripts if not _CONDITION.search(text) for match in _LOCATION.findall(text)]
    if not found:
        return ""
    root = document.select_one("body")
    visible_text = "" if root is None else root.text
    for text in scripts:
        visible_text = visible_text.replace(text, "")
    return next(filter(None, found[0])) if len(visible_text.strip()) <= MAX_REDIRECT_PAGE_TEXT else ""
