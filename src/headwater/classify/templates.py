"""Shapes worth a cluster: pages made by one program, told by a date, a number or a filter in their URL."""

from __future__ import annotations

import re
from functools import lru_cache

from headwater.classify.counting import BoundedCounter
from headwater.classify.segments import segments
from headwater.classify.words import title_of_segment
from headwater.urls.file_types import extension_of
from headwater.urls.shapes import shape

MAX_SHAPES = 25
SMALLEST = 3

_PHRASES: dict[str, str] = {
    "{date}": "by date",
    "{year}": "by year",
    "{version}": "by version",
    "{n}": "by number",
    "{uuid}": "by id",
    "{hash}": "by id",
    "{id}": "by id",
}
_SEARCHES = frozenset({"q", "query", "s", "search", "keyword", "keywords"})
_PLACEHOLDER = re.compile(r"\{[a-z]+\}")
_PAGING = frozenset({"page", "p", "paged", "start", "offset"})


class Templates:
    """Counts shapes, then chooses the frequent ones that say something a folder does not."""

    def __init__(self) -> None:
        self._shapes: BoundedCounter[str] = BoundedCounter(50_000)
        self._titles: dict[str, str] = {}

    def note(self, url: str) -> None:
        own = _own_shape(url)
        if title_of_shape(own):
            self._shapes.add(own)

    def choose(self) -> None:
        frequent = sorted((-count, own) for own, count in self._shapes if count >= SMALLEST)
        self._titles = {}
        taken: set[str] = set()
        for _, own in frequent[:MAX_SHAPES]:
            title = title_of_shape(own)
            self._titles[own] = title if title not in taken else f"{title} ({own})"
            taken.add(title)

    def template_of(self, url: str) -> tuple[str, str] | None:
        """Name and title of the shape, if it was chosen."""
        own = _own_shape(url)
        return (own, self._titles[own]) if own in self._titles else None


@lru_cache(maxsize=1 << 12)
def title_of_shape(own: str) -> str:
    """`/blog/{date}/{slug}` is Blog posts by date; empty if the shape says no more than its folder."""
    path, _, query = own.partition("?")
    parts = [part for part in path.split("/") if part and part != "{locale}"]
    subject = _subject(parts)
    names = query.split("&") if query else []
    if _SEARCHES & set(names):
        return "Search results" if not subject or "search" in subject.lower() else f"{subject}: search results"
    told = parts[1:] if parts[:1] == ["{version}"] and len(parts) > 1 else parts
    phrases = [_PHRASES[found] for part in told for found in _PLACEHOLDER.findall(part) if found in _PHRASES]
    if "{slug}" in parts[:-1] and not phrases and _is_name(parts[-1]):
        phrases = [f": {title_of_segment(parts[-1]).lower()}"]
        subject = _subject(parts[:-1])
    phrases += _query_phrases(names)
    return _sentence(subject or "Pages", phrases, ends_in_slug=parts[-1:] == ["{slug}"]) if phrases else ""


def _sentence(subject: str, phrases: list[str], *, ends_in_slug: bool) -> str:
    first = phrases[0]
    if ends_in_slug and first in {"by date", "by year"}:
        subject = f"{subject} posts" if not subject.endswith("s") else subject
        subject = "Posts" if subject == "Pages" else subject
    unique = list(dict.fromkeys(phrases))
    return f"{subject} {' '.join(unique)}".replace(" :", ":").replace(" ,", ",")


def _subject(parts: list[str]) -> str:
    """The names in a shape, at most the last two, as a heading."""
    names = [_PLACEHOLDER.sub("", part).strip("-_. ") for part in parts if part != "{slug}"]
    titles = [title_of_segment(name) for name in names if any(character.isalpha() for character in name)]
    return ": ".join(titles[-2:])


def _query_phrases(names: list[str]) -> list[str]:
    if not names:
        return []
    if len(names) == 1 and names[0].lower() in _PAGING:
        return [", page by page"]
    readable = [name.replace("_", " ").replace("{n}", "").strip("[] ") for name in names[:3]]
    return [f", by {' and '.join(name for name in readable if name) or 'parameter'}"]


def _is_name(part: str) -> bool:
    return "{" not in part


def _own_shape(url: str) -> str:
    """The shape without the ending of a file and with `/3/` read as a version, as the docs of Python have it."""
    path, mark, query = shape(url).partition("?")
    if path.startswith("/{n}/") and len(segments(url)[0]) <= 2:
        path = path.replace("/{n}/", "/{version}/", 1)
    ending = extension_of(path)
    if ending and ending.isalpha():
        path = path[: -len(ending) - 1]
    return path + mark + query
