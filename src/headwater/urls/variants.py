"""Relate URLs that may be views of one page: by their parameters, their paths, or the page that they name."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING
from urllib.parse import unquote

from headwater.urls.shapes import shape

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_COMBINED_PARAMETERS = 6
"""Parameters of which all combinations are compared; of a longer query, only those with one parameter more or less."""

SESSION_PARAMETERS = frozenset({"sid", "s", "session", "sessionid", "session_id", "phpsessid", "jsessionid", "zenid"})
"""Names that usually hold a session. They are ignored in the links of pages that are compared."""

VIEW_SEGMENTS = frozenset("print printable printview amp pdf embed edit history share email".split())
"""Last segments of a path that usually show the page above it in another form."""

_DATE = re.compile(
    r"(?:19|20)\d\d(?:([-_./])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01]))?"
    r"|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?)"
)
_PART_OF_YEAR = re.compile(r"0?[1-9]|[1-5]\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
_WORD = re.compile(r"[A-Za-z][A-Za-z-]*(?:\.[a-z]{3,5})?")


def split_query(url: str) -> tuple[str, tuple[str, ...]]:
    """Return the part of a URL before its query, and its parameters as they are written."""
    path, _, query = url.partition("?")
    return path, tuple(part for part in query.partition("#")[0].split("&") if part)


def iter_smaller_sets(parameters: tuple[str, ...]) -> Iterator[frozenset[str]]:
    """Yield the parameters without one or several of them, the smallest sets first."""
    count = len(parameters)
    sizes = range(count) if count <= MAX_COMBINED_PARAMETERS else sorted({0, 1, count - 1})
    for size in sizes:
        yield from map(frozenset, combinations(parameters, size))


def iter_shorter_urls(url: str) -> Iterator[str]:
    """Yield a URL without one or several of its parameters, the shortest first, or a view without its segment."""
    path, parameters = split_query(url)
    if not parameters and (page := strip_view_segment(url)):
        yield page
    for chosen in iter_smaller_sets(parameters):
        kept = "&".join(one for one in parameters if one in chosen)
        yield f"{path}?{kept}" if kept else path


def strip_view_segment(url: str) -> str:
    """Return the page that a URL without a query may be a view of, as `/news/7` of `/news/7/print`; empty if none."""
    page, _, name = url.rpartition("/")
    return page if name.partition(".")[0].lower() in VIEW_SEGMENTS and page.count("/") > 2 else ""


def extends_url(url: str, base: str) -> bool:
    """Return True if a URL is another one with parameters or plain words added, as `/news/7/print` is `/news/7`.

    Added numbers, versions and languages choose another page, so they do not count.
    """
    path, parameters = split_query(url)
    base_path, base_parameters = split_query(base)
    if not set(base_parameters) <= set(parameters) or url == base:
        return False
    added = _find_added_segments(path.rstrip("/").split("/"), base_path.rstrip("/").split("/"))
    return added is not None and all(_WORD.fullmatch(one) and "{" not in shape(f"/{one}/x") for one in added)


def names_sibling(url: str, canonical: str) -> bool:
    """Return True if a canonical URL has the path of a URL and a different query."""
    path, mark, _ = canonical.partition("?")
    return bool(mark) and canonical != url and path == url.partition("?")[0]


def _find_added_segments(longer: list[str], shorter: list[str]) -> list[str] | None:
    """Return the segments of a path that another one lacks; None if they are not the same otherwise."""
    added, rest = [], iter(shorter)
    wanted = next(rest, None)
    for segment in longer:
        if segment == wanted:
            wanted = next(rest, None)
        else:
            added.append(segment)
    return added if wanted is None else None


def names_page(url: str, page: str) -> bool:
    """Return True if the query of a URL names a page: by its last path segment, or by a parameter that both have.

    `index.php?title=Tea&action=edit` names `/wiki/Tea`, and `reply.php?topic=5&quote=2` names `topic.php?topic=5`.
    """
    path, parameters = split_query(url)
    page_path, page_parameters = split_query(page)
    if len(parameters) < 2 or not page_path:
        return False
    segment = unquote(page_path.rstrip("/").rpartition("/")[2])
    if page_path.count("/") > 2 and segment and any(unquote(one.partition("=")[2]) == segment for one in parameters):
        return True
    return path != page_path and any(one in page_parameters for one in parameters)


def find_period_family(url: str) -> str:
    """Return the family of a page that is chosen by a date, such as `/calendar/{date}`; empty for other pages.

    The date is at the end of the path, the value of a parameter, or a year in one and a month in another.
    """
    parameters = split_query(url)[1] if "?" in url else ()
    if not parameters:
        pattern = shape(url) if any(map(str.isdigit, url[-12:])) else ""
        return pattern if pattern.rstrip("/").endswith(("{date}", "{year}")) else ""
    values = [one.partition("=")[2] for one in parameters]
    is_date = any(_DATE.fullmatch(one) for one in values)
    is_split = any(map(_YEAR.fullmatch, values)) and any(map(_PART_OF_YEAR.fullmatch, values))
    return shape(url) if is_date or is_split else ""


def find_years(url: str) -> frozenset[str]:
    """Return the years in a URL."""
    return frozenset(_YEAR.findall(url.partition("://")[2].partition("/")[2]))
