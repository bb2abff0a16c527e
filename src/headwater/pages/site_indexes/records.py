"""Records that index parsers take and return."""

from __future__ import annotations

from typing import NamedTuple

from headwater.model import IndexFile

__all__ = ["MAX_PAGES", "IndexFile", "IndexedPage", "ParsedIndex"]

MAX_PAGES = 50_000
"""Pages read from one file, as many as a sitemap may list."""


class IndexedPage(NamedTuple):
    """A page that an index lists, with its absolute URL."""

    url: str
    title: str = ""


class ParsedIndex(NamedTuple):
    """The pages that a file lists, and further files of the same index."""

    pages: tuple[IndexedPage, ...] = ()
    files: tuple[IndexFile, ...] = ()
