"""Turn the paths of an index into absolute URLs without fragments, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.pages.site_indexes.records import MAX_PAGES, IndexedPage
from headwater.urls.parsing import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_TITLE = 500


def resolve_pages(entries: Iterable[tuple[str, str]], base: str) -> tuple[IndexedPage, ...]:
    """Resolve (path, title) pairs against a URL; the title of an entry without a fragment wins."""
    titles: dict[str, str] = {}
    for href, title in entries:
        path, _, fragment = href.partition("#")
        if not titles.get(path) and (path in titles or len(titles) < MAX_PAGES):
            titles[path] = "" if fragment else _clean_title(title)
    pages: dict[str, str] = {}
    for path, title in titles.items():
        if url := resolve(path, base) if path else base:
            pages[url] = pages.get(url) or title
    return tuple(IndexedPage(url, title) for url, title in pages.items())


def _clean_title(title: str) -> str:
    """Return a title that can be stored: JSON may contain half of a surrogate pair, which no encoding permits."""
    return title.strip()[:MAX_TITLE].encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def get_folder(url: str, levels: int = 0) -> str:
    """Return the folder of a file's URL, or the folder that many levels above it."""
    return resolve("../" * levels + ".", url) or url
