"""The parts of a URL as people read them: host, decoded path segments, parameters; any text will do."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote, unquote_plus

from headwater.urls.locales import is_locale
from headwater.urls.shapes import shape

_PAGE_ENDING = re.compile(r"\.(?:x?html?|xht|shtml|php\d?|aspx?|jspx?|cfm|do|md|mdx)\Z", re.IGNORECASE)
_INDEX = re.compile(r"(?:index|default)(?:\.[A-Za-z]{2,5})?", re.IGNORECASE)
_SESSION = re.compile(r";[^;=]*=.*", re.DOTALL)
_AUTHORITY = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//([^/?#]*)")


@lru_cache(maxsize=256)
def segments(url: str) -> tuple[str, ...]:
    """Decoded path segments; the last without the ending of a page, and none for an index file."""
    found = [unquote(_SESSION.sub("", part)) for part in _path(url).split("/")]
    found = [part for part in found if part.strip()]
    if found and not url.endswith("/"):
        found[-1] = _PAGE_ENDING.sub("", found[-1]) or found[-1]
    if found and _INDEX.fullmatch(found[-1]):
        found.pop()
    return tuple(found)


@lru_cache(maxsize=256)
def host_of(url: str) -> str:
    """The host, lower case, without port and user."""
    match = _AUTHORITY.match(url)
    if match is None:
        return ""
    host = match.group(1).rpartition("@")[2].lower()
    return host.partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def parameters(url: str) -> list[tuple[str, str]]:
    """Names, lower case, and values of the query."""
    query = url.partition("#")[0].partition("?")[2]
    pairs = [part.partition("=") for part in query.split("&") if part]
    return [(unquote_plus(name).lower(), unquote_plus(value)) for name, _, value in pairs]


def without_language(path: tuple[str, ...], language: str) -> tuple[str, ...]:
    """The path as its translations share it: without the segment that names the page's language."""
    primary = language.partition("-")[0]
    for index, segment in enumerate(path[:3]):
        if is_locale(segment) and segment[:2].lower() == primary:
            return path[:index] + path[index + 1 :]
    return path


@lru_cache(maxsize=1 << 16)
def class_of(segment: str) -> str:
    """What kind of value a segment is, `{year}` or `{hash}`; the segment itself if it is a name."""
    if "/" in segment:  # written %2F, as in a URL inside a URL
        return segment
    return shape(f"/-/-/-/{segment}/-").split("/")[4]


def _path(url: str) -> str:
    match = _AUTHORITY.match(url)
    return url[match.end() if match else 0 :].partition("#")[0].partition("?")[0]
