"""Static files served as nginx does with `try_files $uri $uri.html $uri/index.html =404`."""

from __future__ import annotations

import mimetypes
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from bench.recall.site import HTML, NOT_FOUND, Answer, LiveSite, Request

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".map": "application/json", ".md": "text/markdown",
         ".txt": "text/plain", ".inv": "application/octet-stream", ".xml": "application/xml",
         ".rss": "application/rss+xml", ".atom": "application/atom+xml", ".html": HTML}  # fmt: skip
META_REFRESH = re.compile(rb"<meta[^>]+http-equiv=[\"']?refresh", re.IGNORECASE)
NOT_FOUND_PAGES = ("404.html", "404/index.html", "_not-found.html", "_not-found/index.html")


class Files:
    """The files under a document root; `fallback` is served for every path without a file."""

    def __init__(self, root: Path, fallback: str = "") -> None:
        self._root = root
        self._fallback = fallback
        self._names = frozenset(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
        self._first_copies = self._find_copies()

    def answer(self, request: Request) -> Answer:
        """Return the file, a redirect to the folder with a slash, or the 404 page."""
        name = self.name_of(request.path)
        if name is None and self._fallback:
            name = self._fallback
        if name is None:
            return self._missing()
        if name.endswith("/index.html") and not request.path.endswith(("/", ".html")):
            return Answer(b"", status=301, headers=(("Location", request.path + "/"),))
        return Answer((self._root / name).read_bytes(), content_type_of(name))

    def name_of(self, url: str) -> str | None:
        """Return the name of the file that answers for a URL or path."""
        path = unquote(urlsplit(url).path).lstrip("/")
        bare = path.rstrip("/")
        spellings = (path, f"{bare}.html", f"{bare}/index.html".lstrip("/"))
        return next((one for one in spellings if one in self._names), None)

    def page_of(self, url: str) -> str:
        """Return the name of the file, or the path if there is none."""
        name = self.name_of(url)
        return urlsplit(url).path if name is None else self._first_copies.get(name, name)

    def html(self, ignored: Iterable[str] = ()) -> frozenset[str]:
        """Return HTML files, one of each content, except redirects, error pages and files that match `ignored`."""
        patterns = [re.compile(one) for one in ignored]
        names = (name for name in set(self._first_copies.values()) if name not in NOT_FOUND_PAGES)
        return frozenset(
            name
            for name in names
            if not any(one.search(name) for one in patterns)
            and not META_REFRESH.search((self._root / name).read_bytes()[:4000])
        )

    def _find_copies(self) -> dict[str, str]:
        """Return the first HTML file with the same content for every HTML file; index pages come first."""
        names = [name for name in self._names if name.endswith((".html", ".htm"))]
        first: dict[bytes, str] = {}
        ordered = sorted(names, key=lambda name: (name != "index.html", name))
        return {name: first.setdefault((self._root / name).read_bytes(), name) for name in ordered}

    def _missing(self) -> Answer:
        if "404.html" in self._names:
            return Answer((self._root / "404.html").read_bytes(), HTML, 404)
        return NOT_FOUND


def content_type_of(name: str) -> str:
    """Return the content type by the ending of a name."""
    ending = "." + name.rpartition(".")[2]
    return TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def live_files(
    root: Path,
    *,
    ignored: Iterable[str] = (),
    search_only: Iterable[str] = (),
    optional: Iterable[str] = (),
    start: str = "/",
) -> LiveSite:
    """Return a site of files whose true pages are its HTML files."""
    files = Files(root)
    pages = files.html(ignored)
    hidden, either = (_matching(pages, patterns) for patterns in (search_only, optional))
    return LiveSite(pages - hidden - either, files.answer, files.page_of, hidden, start, either)


def _matching(pages: frozenset[str], patterns: Iterable[str]) -> frozenset[str]:
    return frozenset(page for page in pages if any(re.search(one, page) for one in patterns))
