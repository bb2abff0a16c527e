"""Data types of the recall measurement: a site, its true pages, and the requests its server answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, quote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PLACEHOLDER = b"https://site.example"
"""Origin that generators write into sitemaps and feeds; the server replaces it with its own."""

HTML = "text/html; charset=utf-8"


class Request(NamedTuple):
    """A GET or HEAD request."""

    target: str
    headers: Mapping[str, str]

    @property
    def path(self) -> str:
        """Return the path without the query."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> dict[str, str]:
        """Return the query parameters; of several with one name, the last."""
        parameters = parse_qs(self.target.partition("?")[2], keep_blank_values=True)
        return {name: values[-1] for name, values in parameters.items()}


class Answer(NamedTuple):
    """A response."""

    body: bytes
    content_type: str = HTML
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


NOT_FOUND = Answer(b"<!doctype html><title>Not found</title><h1>Not found</h1>", status=404)


def target_of(url: str) -> str:
    """Return path and query of a URL, the name of a page where the builder says nothing else."""
    parts = urlsplit(url)
    return (parts.path or "/") + ("?" + parts.query if parts.query else "")


def url_of_name(name: str) -> str:
    """Return the target of a page by its name, which is a target or the name of a file; index pages are folders."""
    if name.startswith("/"):
        return name
    return "/" + quote(name.removesuffix("index.html") if f"/{name}".endswith("/index.html") else name)


@dataclass(frozen=True, slots=True)
class LiveSite:
    """A site that is ready to be served."""

    pages: frozenset[str]
    answer: Callable[[Request], Answer]
    page_of: Callable[[str], str] = target_of
    """Maps a URL to the name of its page; names that are not in `pages` or `search_only` count as wrong."""
    search_only: frozenset[str] = frozenset()
    """Pages that only typing into a search box reveals; counted apart."""
    start: str = "/"
    optional: frozenset[str] = frozenset()
    """Pages that may be listed or not: navigation frames, redirects by script."""
    url_of: Callable[[str], str] = url_of_name
    """Maps the name of a page to one of its URLs."""


@dataclass(frozen=True, slots=True)
class Site:
    """A named site and the function that builds it, from the cache if possible."""

    name: str
    kind: str
    open: Callable[[], LiveSite] = field(repr=False)
