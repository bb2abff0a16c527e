"""Choose URL shapes for clusters: generated pages with a date, a number or a filter in their URL."""

from __future__ import annotations

import re
from functools import lru_cache

from headwater.classify.sampled_counts import SampledCounter
from headwater.classify.url_segments import classify_segment, split_path
from headwater.urls.recognition.file_types import get_extension
from headwater.urls.shapes import shape

MAX_SHAPES = 25
MIN_SHAPE_PAGES = 3

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
_NUMBERED = re.compile(r"[^{}]*[^\W\d_]{3}[-_.]\{n\}(?:\.[a-z]+)?")
_PAGING = frozenset({"page", "p", "paged", "start", "offset"})
_LETTERS = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
MIN_LETTERS_PER_RUN = 4
"""Average number of letters in the words of names such as `AbstractTypeVisitor14`; random ids have fewer."""


class ShapeClusters:
    """Counts shapes, then chooses the frequent ones that say more than a folder."""

    def __init__(self) -> None:
        self._shapes: SampledCounter[str] = SampledCounter(50_000)
        self._titles: dict[str, str] = {}

    def note(self, url: str, level: int = 0) -> None:
        """Count one page; `level` is its sampling level."""
        cluster_shape = _compute_cluster_shape(url)
        if build_shape_title(cluster_shape):
            self._shapes.add(cluster_shape, level)

    def choose(self) -> None:
        """Choose the most frequent shapes."""
        frequent = sorted(
            (-count, cluster_shape)
            for cluster_shape, count in self._shapes.totals().items()
            if count >= MIN_SHAPE_PAGES
        )
        self._titles = {}
        taken: set[str] = set()
        for _, cluster_shape in frequent[:MAX_SHAPES]:
            title = build_shape_title(cluster_shape)
            self._titles[cluster_shape] = title if title not in taken else f"{title} ({cluster_shape})"
            taken.add(title)

    def get_shape(self, url: str) -> tuple[str, str] | None:
        """Return name and title of the shape of a page, if it was chosen."""
        cluster_shape = _compute_cluster_shape(url)
        return (cluster_shape, self._titles[cluster_shape]) if cluster_shape in self._titles else None


@lru_cache(maxsize=1 << 12)
def build_shape_title(cluster_shape: str) -> str:
    """Return `blog by date` for `/blog/{date}/{slug}`; empty if the shape says no more than its folder."""
    path, _, query = cluster_shape.partition("?")
    parts = [part for part in path.split("/") if part and part != "{locale}"]
    subject = _get_subject(parts)
    names = query.split("&") if query else []
    if _SEARCHES & set(names):
        return "Search results" if not subject or "search" in subject.lower() else f"{subject}: search results"
    values = parts[1:] if parts[:1] == ["{version}"] and len(parts) > 1 else parts
    phrases = [_PHRASES[found] for part in values for found in _PLACEHOLDER.findall(part) if found in _PHRASES]
    if "{slug}" in parts[:-1] and not phrases and "{" not in parts[-1]:
        subject = f"{_get_subject(parts[:-1])}/…/{parts[-1]}".lstrip("/")
        return subject + "".join(_build_query_phrases(names))
    phrases += _build_query_phrases(names)
    return f"{subject or 'Pages'} {' '.join(dict.fromkeys(phrases))}".replace(" ,", ",") if phrases else ""


def _get_subject(parts: list[str]) -> str:
    """Return the last two names in a shape."""
    names = [_PLACEHOLDER.sub("", part).strip("-_. ") for part in parts if part != "{slug}"]
    return "/".join([name for name in names if any(character.isalpha() for character in name)][-2:])


def _build_query_phrases(names: list[str]) -> list[str]:
    if not names:
        return []
    if len(names) == 1 and names[0].lower() in _PAGING:
        return [", page by page"]
    readable = [name.replace("{n}", "").strip("[] ") for name in names[:3]]
    return [f", by {' and '.join(name for name in readable if name) or 'parameter'}"]


def _compute_cluster_shape(url: str) -> str:
    """Return the shape without file extension, with names kept, and with `/3/` as a version, as in Python's docs."""
    path, mark, query = _restore_names(shape(url), url).partition("?")
    if path.startswith("/{n}/") and len(split_path(url)[0]) <= 2:
        path = path.replace("/{n}/", "/{version}/", 1)
    ending = get_extension(path)
    if ending and ending.isalpha():
        path = path[: -len(ending) - 1]
    return path + mark + query


def _restore_names(original: str, url: str) -> str:
    """Return the shape with names that merely contain digits, such as `x86_64`; `chapter-{n}` remains.

    The parts of a shape correspond to those of the URL, except for a date, which replaces two or three of them.
    """
    path, mark, query = original.partition("?")
    written = _split_raw_path(url)
    parts = path.split("/")
    extra = len(written) - len(parts)
    if extra and parts.count("{date}") != 1:
        return original
    if extra:
        index = parts.index("{date}")
        written[index : index + extra + 1] = ["{date}"]
    last = len(parts) - 1 if parts[-1] else len(parts) - 2
    kept = [
        name if _is_name(part, name, is_last=index == last) else part
        for index, (part, name) in enumerate(zip(parts, written, strict=True))
    ]
    return "/".join(kept) + mark + query


def _is_name(part: str, name: str, *, is_last: bool) -> bool:
    """Return True if the segment that a part of a shape replaces is a name rather than a value."""
    if part.startswith("{id}"):
        runs = _LETTERS.findall(name.partition(".")[0])
        return sum(map(len, runs)) >= MIN_LETTERS_PER_RUN * len(runs)
    if "{n}" not in part or classify_segment(name.partition(".")[0]) == "{n}":
        return False
    return not (is_last and _NUMBERED.fullmatch(part))


def _split_raw_path(url: str) -> list[str]:
    scheme = url.find("://")
    start = url.find("/", scheme + 3) if scheme > 0 else 0
    return (url[start:] if start >= 0 else "/").partition("#")[0].partition("?")[0].split("/")
