"""The template behind a URL, `/blog/{n}/{slug}`: pages of one shape are made by one program.

Shapes name clusters and carry the budget against traps, so they must be few where URLs are many:
values become placeholders, sections keep their names, a query is reduced to its parameter names.
"""

from __future__ import annotations

import re
from functools import lru_cache

from headwater.urls.locales import is_locale

_DATE_PATH = re.compile(r"/(?:19|20)\d\d/(?:0?[1-9]|1[0-2])(?:/(?:0?[1-9]|[12]\d|3[01]))?(?=/|\Z)")
_SESSION = re.compile(r";[^/=;]+=[^/;]*")
_DIGITS = re.compile(r"\d+")
_WORD_BREAK = re.compile(r"[-_+]|%20")

# In order: the first that matches the whole segment (without its file ending) names it.
_CLASSES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("{date}", re.compile(r"(?:19|20)\d\d([-_.])(?:0[1-9]|1[0-2])(?:\1(?:0[1-9]|[12]\d|3[01]))?")),
    ("{date}", re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")),
    ("{year}", re.compile(r"(?:19|20)\d\d")),
    ("{n}", re.compile(r"\d+")),
    ("{uuid}", re.compile(r"\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?", re.IGNORECASE)),
    ("{version}", re.compile(r"v\d+(?:[._-]\d+)*(?:[._-]?(?:x|a|b|rc|alpha|beta|pre|dev)\d*)?", re.IGNORECASE)),
    ("{version}", re.compile(r"\d+(?:\.\d+)*\.(?:\d+|x)(?:[.-]?(?:a|b|rc|alpha|beta|dev)[.-]?\d*)?", re.IGNORECASE)),
    ("{version}", re.compile(r"latest|stable")),
    ("{hash}", re.compile(r"(?=[^g-z]*\d)(?=[^g-z]*[a-f])[0-9a-f]{7,128}", re.IGNORECASE)),
    ("{id}", re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9]{16,}")),
    ("{id}", re.compile(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9_-]{10,}")),
)


@lru_cache(maxsize=1 << 12)
def shape(url: str) -> str:
    """The shape of a normalised URL's path and query."""
    scheme = url.find("://")
    start = url.find("/", scheme + 3) if scheme > 0 else 0
    path, _, query = (url[start:] if start >= 0 else "/").partition("#")[0].partition("?")
    return _path_shape(path) + _query_shape(query)


def _path_shape(path: str) -> str:
    path = _DATE_PATH.sub("/{date}", _SESSION.sub("", path))
    segments = path.split("/")
    last = len(segments) - 1
    while last > 1 and not segments[last]:
        last -= 1
    return "/".join(_segment_shape(segment, index > 2, index == last) for index, segment in enumerate(segments)) or "/"


def _query_shape(query: str) -> str:
    names = {_DIGITS.sub("{n}", part.partition("=")[0]) for part in query.split("&") if part}
    return "?" + "&".join(sorted(names)) if names else ""


@lru_cache(maxsize=1 << 16)
def _segment_shape(segment: str, is_deep: bool, is_last: bool) -> str:
    if not segment or segment == "{date}":
        return segment
    if is_locale(segment, with_region=is_deep):
        return "{locale}"
    return _find_placeholder(segment) or _file_shape(segment, is_last)


def _file_shape(segment: str, is_last: bool) -> str:
    stem, dot, ending = segment.rpartition(".")
    if not (is_last and stem and ending.isalnum() and not ending.isdigit()):
        stem, dot, ending = segment, "", ""
    return (_find_placeholder(stem) or _word_shape(stem, is_last)) + dot + ending


def _find_placeholder(text: str) -> str:
    return next((name for name, pattern in _CLASSES if pattern.fullmatch(text)), "")


def _word_shape(text: str, is_last: bool) -> str:
    """A title made into a path: several words at the end, or so many that it can be no section's name."""
    words = [word for word in _WORD_BREAK.split(text) if any(character.isalpha() for character in word)]
    if len(words) >= (2 if is_last else 4):
        return "{slug}"
    return _DIGITS.sub("{n}", text)
