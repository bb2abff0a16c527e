"""Recognize requests with which a page loads the data of other pages in advance.

Frameworks do so for every link that becomes visible. The links are read from the page itself, and the pages are visited
anyway, so these requests bring nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

_PREFETCH_VALUES = {"purpose": "prefetch", "sec-purpose": "prefetch", "x-purpose": "prefetch", "x-moz": "prefetch"}
_PREFETCH_HEADERS = frozenset({"next-router-prefetch", "next-router-segment-prefetch", "x-inertia-prefetch"})
_DATA_FILES = ("/_payload.json", "/__data.json", "/page-data.json", ".data")
"""The data of a page as Nuxt, SvelteKit, Gatsby and React Router name it: these come after the page's path."""

_ROOT_NAMES = {"/index", "/_root", ""}
"""Names of the front page in such files."""


def is_marked_prefetch(headers: Mapping[str, str]) -> bool:
    """Return True if the headers of a request say that its answer is not needed yet."""
    names = {name.lower(): value.lower() for name, value in headers.items()}
    return not _PREFETCH_HEADERS.isdisjoint(names) or any(
        value in names.get(name, "") for name, value in _PREFETCH_VALUES.items()
    )


def is_data_of_other_page(url: str, page_url: str) -> bool:
    """Return True if a URL is a framework's data file of another page than the one that is open."""
    asked, page = urlsplit(url), urlsplit(page_url)
    ending = next((one for one in _DATA_FILES if asked.path.endswith(one)), "")
    if not ending or asked.netloc != page.netloc:
        return False
    return _normalize(asked.path.removesuffix(ending).removeprefix("/page-data")) != _normalize(page.path)


def _normalize(path: str) -> str:
    stem = path.removesuffix("/").removesuffix(".html").removesuffix("/index")
    return "" if stem in _ROOT_NAMES else stem
