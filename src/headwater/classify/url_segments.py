"""Split a URL into host, decoded path segments and parameters. Accepts any text."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote, unquote_plus

from headwater.classify.languages.language_codes import find_code_by_name
from headwater.urls.locales import is_locale
from headwater.urls.shapes import shape

_PAGE_ENDING = re.compile(r"\.(?:x?html?|xht|shtml|php\d?|aspx?|jspx?|cfm|do|md|mdx)\Z", re.IGNORECASE)
_INDEX = re.compile(r"(?:index|default)(?:\.[A-Za-z]{2,5})?", re.IGNORECASE)
_SESSION = re.compile(r";[^;=]*=.*", re.DOTALL)
_AUTHORITY = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//([^/?#]*)")


@lru_cache(maxsize=256)
def split_path(url: str) -> tuple[str, ...]:
    """Return the decoded path segments; the last without a page extension, and without an index file."""
    found = [unquote(_SESSION.sub("", part)) for part in _get_path(url).split("/")]
    found = [part for part in found if part.strip()]
    if found and not url.endswith("/"):
        found[-1] = _PAGE_ENDING.sub("", found[-1]) or found[-1]
    if found and _INDEX.fullmatch(found[-1]):
        found.pop()
    return tuple(found)


@lru_cache(maxsize=256)
def get_host(url: str) -> str:
    """Return the host in lower case, without port and user."""
    match = _AUTHORITY.match(url)
    if match is None:
        return ""
    host = match.group(1).rpartition("@")[2].lower()
    return host.partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def parse_parameters(url: str) -> list[tuple[str, str]]:
    """Return the names, in lower case, and values of the query."""
    query = url.partition("#")[0].partition("?")[2]
    pairs = [part.partition("=") for part in query.split("&") if part]
    return [(unquote_plus(name).lower(), unquote_plus(value)) for name, _, value in pairs]


def strip_language(path: tuple[str, ...], language: str) -> tuple[str, ...]:
    """Return the path without the segment or suffix that names the language of the page."""
    primary = language.partition("-")[0]
    if not primary or not path:
        return path
    for index, segment in enumerate(path[:3]):
        if (is_locale(segment) and segment[:2].lower() == primary) or find_code_by_name(segment) == primary:
            return path[:index] + path[index + 1 :]
    stem, dot, ending = path[-1].rpartition(".")
    return (*path[:-1], stem) if dot and stem and ending.lower() == primary else path


@lru_cache(maxsize=1 << 16)
def classify_segment(segment: str) -> str:
    """Return the placeholder of a segment that is a value, such as `{year}`; the segment itself if it is a name."""
    if "/" in segment:  # encoded as %2F, as in a URL inside a URL
        return segment
    return shape(f"/-/-/-/{segment}/-").split("/")[4]


def _get_path(url: str) -> str:
    match = _AUTHORITY.match(url)
    return url[match.end() if match else 0 :].partition("#")[0].partition("?")[0]
