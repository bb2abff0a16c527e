"""Spider traps: URLs that repeat themselves, and kinds of page that lead to nothing but more of themselves.

A URL made by a page of its own shape (or by a page with a query, if it has one too) is suspect: a calendar, a session
id, a filter could go on for ever. Suspects are sampled; a shape whose last pages brought nothing new is exhausted.
"""

from __future__ import annotations

import re

from headwater.urls.shapes import shape

MAX_PATH_DEPTH = 32
_VALUE = re.compile(r"/[^/]*[0-9_%+;-]|/[A-Za-z]{2}(?=/|\Z)|/(?:latest|stable)(?=/|\Z)")
MAX_REPEATS = 3
SAMPLE = 40
"""How many suspects of a shape may bring nothing new before the shape is exhausted."""

DEPTHS = 20
MANY = 150
"""What is neither filter nor calendar must also stand this deep one below another, or be this many with a query."""

MAX_FAMILIES = 10_000
MAX_REMEMBERED = 100_000
"""Shapes and contents that are remembered; forgetting them only makes a trap last longer."""


def repeats_itself(url: str) -> bool:
    """Whether the path is `/a/b/a/b/a/b`, one segment over and over, or deeper than any site is."""
    segments = url[url.index("/", 8) + 1 :].partition("?")[0].split("/")
    if len(segments) > MAX_PATH_DEPTH:
        return True
    if len(segments) < MAX_REPEATS or len(set(segments)) > len(segments) - (MAX_REPEATS - 1):
        return False
    return any(_has_run(segments, length) for length in range(1, len(segments) // MAX_REPEATS + 1))


def _has_run(segments: list[str], length: int) -> bool:
    """Whether some `length` segments stand MAX_REPEATS times one after another."""
    for start in range(len(segments) - length * MAX_REPEATS + 1):
        block = segments[start : start + length]
        if all(segments[start + length * n : start + length * (n + 1)] == block for n in range(1, MAX_REPEATS)):
            return True
    return False


class Traps:
    """What the suspects of each family have brought so far; a family is a shape, or all filters of one path."""

    def __init__(self) -> None:
        self._families: dict[str, _Family] = {}
        self._seen_shapes: set[str] = set()

    def is_suspect(self, url: str, parent_url: str) -> bool:
        """Whether a trap could have made this URL, given the page it was found on."""
        if "?" in url and "?" in parent_url:
            return True
        if url.count("/") != parent_url.count("/") or _VALUE.search(url, 8) is None:
            return False  # most URLs have no values in them, and so a shape of their own
        return shape(url) == shape(parent_url)

    def is_exhausted(self, url: str) -> bool:
        """Whether enough suspects of this family have brought nothing."""
        family = self._families.get(_family_name(shape(url)))
        return family is not None and family.is_exhausted()

    def learn(self, url: str, depth: int, found: list[str], fingerprint: int) -> None:
        """Note what a suspect page brought: URLs of other shapes, or content its family did not have before."""
        own = shape(url)
        name = _family_name(own)
        if name not in self._families and len(self._families) >= MAX_FAMILIES:
            self._families.clear()
        family = self._families.setdefault(name, _Family(name))
        family.learn(depth, fingerprint, brings_news=self._brings_news(own, found))

    def _brings_news(self, own: str, found: list[str]) -> bool:
        """A URL of another shape is news; with a query only if its shape was never seen, for filters make many."""
        news = False
        for url in found:
            other = shape(url)
            if other != own and ("?" not in other or other not in self._seen_shapes):
                news = True
            self._seen_shapes.add(other)
        if len(self._seen_shapes) > MAX_REMEMBERED:
            self._seen_shapes.clear()
        return news


class _Family:
    """Pages of one make: how many in a row brought nothing, and on how many depths they stood."""

    def __init__(self, name: str) -> None:
        self._is_filter = name.endswith("?*")
        self._is_calendar = "{date}" in name or "{year}" in name
        self._has_query = "?" in name
        self._fingerprints: set[int] = set()
        self._depths: set[int] = set()
        self._barren = 0

    def learn(self, depth: int, fingerprint: int, *, brings_news: bool) -> None:
        is_new_content = fingerprint not in self._fingerprints and not self._is_filter
        if len(self._fingerprints) >= MAX_REMEMBERED:
            self._fingerprints.clear()
        self._fingerprints.add(fingerprint)
        if brings_news or is_new_content:
            self._barren = 0
            self._depths.clear()
        else:
            self._barren += 1
            self._depths.add(depth)

    def is_exhausted(self) -> bool:
        """Filters and calendars soon; others when they go deeper and deeper, or with a query when they are many."""
        if self._barren < SAMPLE:
            return False
        if self._is_filter or self._is_calendar or len(self._depths) >= DEPTHS:
            return True
        return self._has_query and self._barren >= MANY


def _family_name(own: str) -> str:
    path, mark, query = own.partition("?")
    return f"{path}?*" if mark and "&" in query else own
