"""Columns of the tab Internal: HTML of Screaming Frog SEO Spider; only those that Headwater has facts for."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from headwater.model import REDIRECT_STATUSES, LinkCounts
from headwater.urls.identity import compute_identity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headwater.model import Page

    Reader = Callable[[Page], object]
    Kind = Literal["text", "integer", "number"]

_PHRASES = {status.value: status.phrase for status in HTTPStatus}
_NO_LINKS = LinkCounts()
_BLOCKED = "Blocked by robots.txt"


def make_frog_readers(counts: Mapping[int, LinkCounts]) -> dict[str, tuple[Kind, Reader]]:
    """Return the kind of each column and the function that reads it; `counts` are the link counts by identity.

    Without stored links, the columns that count them are left out.
    """
    columns = {**_PAGE_COLUMNS, **(_make_link_columns(counts) if counts else {}), **_RESPONSE_COLUMNS}
    return dict(columns)


def describe_status(page: Page) -> str:
    """Return the phrase of the status, or the reason why there is none."""
    if page.status is not None:
        return _PHRASES.get(page.status, "")
    return _BLOCKED if page.reason == "robots-disallowed" else (page.reason or "")


def find_indexability(page: Page) -> str:
    """Return the reason why search engines would not index a page; empty if they may."""
    status = page.status or 0
    if page.reason == "robots-disallowed":
        return _BLOCKED
    if page.redirect_to or status in REDIRECT_STATUSES:
        return "Redirected"
    if status >= 500:
        return "Server Error"
    if status >= 400:
        return "Client Error"
    if not status:
        return "No Response" if page.state == "failed" else ""
    if page.noindex:
        return "Noindex"
    return "Canonicalised" if page.canonical and page.canonical != page.url else ""


def count_folders(url: str) -> int:
    """Return the number of folders in the path of a URL."""
    return max(urlsplit(url).path.count("/") - 1, 0)


def _count_characters(text: str | None) -> int:
    return len(text or "")


def _make_link_columns(counts: Mapping[int, LinkCounts]) -> dict[str, tuple[Kind, Reader]]:
    def make(name: str) -> tuple[Kind, Reader]:
        return "integer", lambda page: getattr(counts.get(compute_identity(page.key), _NO_LINKS), name)

    return {
        "Inlinks": make("inlinks"),
        "Unique Inlinks": make("unique_inlinks"),
        "Outlinks": make("outlinks"),
        "Unique Outlinks": make("unique_outlinks"),
        "External Outlinks": make("external_outlinks"),
        "Unique External Outlinks": make("unique_external_outlinks"),
    }


_PAGE_COLUMNS: dict[str, tuple[Kind, Reader]] = {
    "Address": ("text", lambda page: page.url),
    "Content Type": ("text", lambda page: page.content_type),
    "Status Code": ("integer", lambda page: page.status or 0),
    "Status": ("text", describe_status),
    "Indexability": ("text", lambda page: "Non-Indexable" if find_indexability(page) else "Indexable"),
    "Indexability Status": ("text", find_indexability),
    "Title 1": ("text", lambda page: page.html_title),
    "Title 1 Length": ("integer", lambda page: _count_characters(page.html_title)),
    "Meta Description 1": ("text", lambda page: page.description),
    "Meta Description 1 Length": ("integer", lambda page: _count_characters(page.description)),
    "H1-1": ("text", lambda page: page.heading),
    "H1-1 Length": ("integer", lambda page: _count_characters(page.heading)),
    "Canonical Link Element 1": ("text", lambda page: page.canonical),
    "Size (bytes)": ("integer", lambda page: page.size),
    "Word Count": ("integer", lambda page: page.word_count),
    "Crawl Depth": ("integer", lambda page: page.depth),
    "Folder Depth": ("integer", lambda page: count_folders(page.url)),
}
_RESPONSE_COLUMNS: dict[str, tuple[Kind, Reader]] = {
    "Response Time": ("number", lambda page: None if page.response_ms is None else page.response_ms / 1000),
    "Last Modified": ("text", lambda page: page.last_modified),
    "Redirect URL": ("text", lambda page: page.redirect_to),
    "Redirect Type": ("text", lambda page: "HTTP Redirect" if page.status in REDIRECT_STATUSES else None),
    "Language": ("text", lambda page: page.language),
    "Crawl Timestamp": ("text", lambda page: page.last_seen),
}
