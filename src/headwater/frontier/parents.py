"""List the directories above known pages: `/tags/` of `/tags/iron`, which a site may have without linking to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.urls.recognition.file_types import get_extension

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_DIRECTORIES = 100_000
_NUMBERED_PARTS = frozenset({"page", "seite", "p"})
"""Names of directories that only hold the parts of a list: the parent of `/news/page/2` is `/news/`."""

_PAGE_EXTENSIONS = ("html", "htm", "php", "aspx")
_INDEX_FILE = re.compile(r"/(?:index|default|home)\.[a-z]{2,5}\Z", re.IGNORECASE)


def list_parents(urls: Iterable[str]) -> list[str]:
    """Return the directories of these URLs, those with most pages first, without those whose index file is known.

    A directory ends with a slash if one of its pages does or is a file; sites without such slashes have none here.
    """
    pages: dict[str, int] = {}
    with_slash: set[str] = set()
    with_index: set[str] = set()
    for url in urls:
        path = url.partition("?")[0]
        has_slash = path.endswith("/") or bool(get_extension(path))
        root = path.find("/", 8)
        end = path.rfind("/", 0, len(path) - 1)
        if has_slash and _INDEX_FILE.search(path, end):
            with_index.add(path[:end])
        while end >= root > 0:
            directory = path[:end]
            if directory not in pages and len(pages) >= MAX_DIRECTORIES:
                break
            pages[directory] = pages.get(directory, 0) + 1
            if has_slash:
                with_slash.add(directory)
            end = path.rfind("/", 0, end)
    ordered = sorted(pages.keys() - with_index, key=lambda directory: (-pages[directory], directory))
    return [_spell(one, has_slash=one in with_slash) for one in ordered if not _holds_parts(one)]


def list_files_of_directory(url: str) -> list[str]:
    """Return the files that may be the page of a directory: `/core.html` of `/core/`."""
    path, mark, _ = url.partition("?")
    stem = path.rstrip("/")
    is_directory = not mark and "/" in stem[8:] and not get_extension(stem)
    return [f"{stem}.{extension}" for extension in _PAGE_EXTENSIONS] if is_directory else []


def _spell(directory: str, *, has_slash: bool) -> str:
    return f"{directory}/" if has_slash or "/" not in directory[8:] else directory


def _holds_parts(directory: str) -> bool:
    return directory[directory.rfind("/") + 1 :].lower() in _NUMBERED_PARTS
