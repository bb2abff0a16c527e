"""Records that index parsers take and return."""

from __future__ import annotations

from typing import NamedTuple

MAX_PAGES = 50_000
"""Pages read from one file, as many as a sitemap may list."""


class IndexFile(NamedTuple):
    """A file to request, and the kind of index that its content is parsed as."""

    kind: str
    url: str


class IndexedPage(NamedTuple):
    """A page that an index lists, with its absolute URL."""

    url: str
    title: str = ""


class ParsedIndex(NamedTuple):
    """The pages that a file lists, and further files of the same index."""

    pages: tuple[IndexedPage, ...] = ()
    files: tuple[IndexFile, ...] = ()
