"""Exhaustive crawl of HTML files on disk: every link, frame and refresh, and every entry of search indexes.

It shares no code with Headwater, so that it can serve as the truth.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ORIGIN = "http://disk.example/"
ENDINGS = (".html", ".htm", ".xhtml")
LINKS = {
    "a": ("href",), "area": ("href",), "frame": ("src",), "iframe": ("src",), "link": ("href",), "form": ("action",),
    "object": ("data",), "option": ("value",),
}  # fmt: skip
REFRESH = re.compile(r"url\s*=\s*['\"]?([^'\">]+)", re.IGNORECASE)
QUOTED = re.compile(r"[\"']([^\"'\n]{1,300})[\"']")
BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
INDEX_NAME = re.compile(r"search.*\.(js|json)$", re.IGNORECASE)


class File(NamedTuple):
    """An HTML file: the hash of its content, the URLs it names, and whether it is a page of its own."""

    digest: str
    urls: tuple[str, ...]
    is_page: bool


class Folder:
    """Files under a folder, served as nginx does."""

    def __init__(self, root: Path) -> None:
        self._root = root
        walked = os.walk(root, followlinks=True)
        self.names = frozenset(
            (Path(folder) / name).relative_to(root).as_posix() for folder, _, names in walked for name in names
        )
        self.html = frozenset(name for name in self.names if name.lower().endswith(ENDINGS))
        self._last_parts = frozenset(name.rpartition("/")[2] for name in self.html)

    def name_of(self, url: str) -> str | None:
        """Return the HTML file that answers for a URL."""
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}/" != ORIGIN:
            return None
        if BROKEN_ESCAPE.search(parts.path):  # nginx answers 400
            return None
        path = unquote(parts.path).lstrip("/")
        spellings = (path, f"{path.rstrip('/')}/index.html".lstrip("/"))
        return next((one for one in spellings if one in self.html), None)

    def read(self, name: str) -> File:
        """Parse a file."""
        content = (self._root / name).read_bytes()
        return File(hashlib.sha256(content).hexdigest(), *_parsed(content, ORIGIN + quote(name)))

    def search_indexes(self) -> dict[str, list[str]]:
        """Return the search indexes by the folder of the pages that use them."""
        folders = {name.rpartition("/")[0] for name in self.html}
        found: dict[str, list[str]] = {}
        for name in sorted(self.names):
            folder, _, last = name.rpartition("/")
            if INDEX_NAME.search(last):
                found.setdefault(folder if folder in folders else folder.rpartition("/")[0], []).append(name)
        return found

    def indexed(self, index: str) -> Iterator[str]:
        """Yield the HTML files whose names stand in quotes in a search index, with or without their ending."""
        text = (self._root / index).read_text(errors="replace")
        yield from self._named(index, set(QUOTED.findall(text)))

    def _named(self, index: str, texts: Iterable[str]) -> Iterator[str]:
        for text in texts:
            path = text.partition("#")[0].partition("?")[0]
            for spelling in (path, f"{path}.html"):
                if spelling.rpartition("/")[2] in self._last_parts:
                    bases = (index, index.rpartition("/")[0])
                    yield from filter(None, (self.name_of(_joined(ORIGIN + base, spelling)) for base in bases))


def crawl(folder: Folder, start: str) -> dict[str, File]:
    """Return all files that links from the start lead to, or search indexes in the folders of such files."""
    reached: dict[str, File] = {}
    indexes = folder.search_indexes()
    waiting = [folder.name_of(urljoin(ORIGIN, start))]
    while waiting:
        name = waiting.pop()
        if name and name not in reached:
            reached[name] = folder.read(name)
            waiting += map(folder.name_of, reached[name].urls)
            for index in indexes.pop(name.rpartition("/")[0], ()):
                waiting += folder.indexed(index)
    return reached


def _parsed(content: bytes, url: str) -> tuple[tuple[str, ...], bool]:
    """Return the URLs of a document, and whether it is a page: neither a redirect nor `noindex`."""
    tree = etree.fromstring(content, etree.HTMLParser(recover=True, huge_tree=True))
    if tree is None:
        return (), True
    base = next((urljoin(url, one) for one in tree.xpath("//base/@href")), url)
    named = [element.get(name) for element in tree.iter(*LINKS) for name in LINKS[element.tag]]
    metas = {
        (one.get("http-equiv") or one.get("name") or "").lower(): one.get("content") or "" for one in tree.iter("meta")
    }
    refresh = REFRESH.search(metas.get("refresh", ""))
    named += [refresh[1]] if refresh else []
    return tuple(_joined(base, one) for one in named if one), not refresh and "noindex" not in metas.get("robots", "")


def _joined(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference.strip())
    except ValueError:
        return ""
