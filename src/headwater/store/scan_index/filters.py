"""Filters of lists: one row for each facet, used by the queries of a scan index and by its counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.classify import decode_sources, encode_sources
from headwater.model import LIST_NAMES, NO_DEPTH
from headwater.model import SOURCES as ALL_SOURCES
from headwater.store.page_lists import NOT_HTML, STATES, get_list_name, get_public_state, get_state_numbers
from headwater.store.rows import REACHABLE_SOURCES, SITEMAP_SOURCES
from headwater.store.scan_index.text_facts import WORD_RANGE_NAMES, build_extracted_condition
from headwater.urls.skip_reasons import UNVISITED_VIEW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

KINDS = ("page", "external", "resource", "endpoint", "all")
_PAGE, _VERIFIED = "page", tuple(number for number in range(len(STATES)) if get_public_state(number) == "fetched")
_PUBLIC_STATES = ("discovered", "fetched", "failed", "deferred", "skipped")
_CROSS_LIST_FACETS = ("state", "status", "reason")
"""Facets that search all lists, unless a list is chosen."""

_SITEMAP_MASK, _LINK_MASK = encode_sources(SITEMAP_SOURCES), encode_sources(REACHABLE_SOURCES)


class Filter(NamedTuple):
    """Conditions for URLs; empty ones are ignored. The default is every listed page."""

    kind: str = "page"
    list: str = ""
    source: str = ""
    region: str = ""
    status: str = ""
    language: str = ""
    depth: str = ""
    state: str = ""
    verified: str = ""
    reason: str = ""
    gap: str = ""
    cluster: int = 0
    text: str = ""
    under: str = ""
    words: str = ""
    near_duplicate: str = ""
    extracted: str = ""

    @property
    def effective_list(self) -> str:
        """List that is searched: all lists for a state, status or reason, if no list is chosen."""
        if self.list or self.kind != _PAGE:
            return self.list or "all"
        return "all" if any(getattr(self, name) for name in _CROSS_LIST_FACETS) else "pages"


class Facet(NamedTuple):
    """Facet of the cube: the values of a row, the SQL condition for a value, and the allowed values."""

    get_values: Callable[[tuple[Any, ...]], tuple[Any, ...]]
    condition: Callable[[str], tuple[str, tuple[Any, ...]]]
    options: tuple[str, ...] = ()


# Positions of the columns of the cube.
_KIND, _STATE, _STATUS, _DEPTH, _LANGUAGE, _REGION, SOURCES, _REASON, _WORDS, _NEAR_DUPLICATE = range(10)


def _get_state_numbers(name: str) -> tuple[int, ...]:
    return tuple(number for number in range(len(STATES)) if get_public_state(number) == name)


def _build_state_condition(name: str) -> tuple[str, tuple[Any, ...]]:
    numbers = _get_state_numbers(name)
    return f"state IN ({', '.join('?' * len(numbers))})", numbers


def _build_list_condition(name: str) -> tuple[str, tuple[Any, ...]]:
    numbers = get_state_numbers(name)
    condition = f"state IN ({', '.join('?' * len(numbers))})"
    if name == "files":
        return f"{condition} AND reason = ?", (*numbers, NOT_HTML)
    if name == "duplicates":
        return f"({condition} OR reason = ?)", (*numbers, UNVISITED_VIEW)
    return condition, numbers


def _get_lists(row: tuple[Any, ...]) -> tuple[str, ...]:
    name = get_list_name(row[_STATE], row[_REASON])
    is_also_skipped = get_list_name(row[_STATE], "") == "skipped" and name != "skipped"
    return (name, "skipped", "all") if is_also_skipped else (name, "all")


def _get_gaps(row: tuple[Any, ...]) -> tuple[str, ...]:
    is_listed, is_linked = row[SOURCES] & _SITEMAP_MASK, row[SOURCES] & _LINK_MASK
    if is_listed and is_linked:
        return ("both",)
    return ("orphans",) if is_listed else ("gaps",) if is_linked else ()


_GAPS = {
    "orphans": (f"sources & {_SITEMAP_MASK} <> 0 AND sources & {_LINK_MASK} = 0", ()),
    "gaps": (f"sources & {_LINK_MASK} <> 0 AND sources & {_SITEMAP_MASK} = 0", ()),
    "both": (f"sources & {_LINK_MASK} <> 0 AND sources & {_SITEMAP_MASK} <> 0", ()),
}

FACETS: Mapping[str, Facet] = {
    "list": Facet(_get_lists, _build_list_condition, (*LIST_NAMES, "all")),
    "source": Facet(
        lambda row: decode_sources(row[SOURCES]),
        lambda value: ("sources & ?", (encode_sources((value,)),)),
        ALL_SOURCES,
    ),
    "state": Facet(lambda row: (get_public_state(row[_STATE]),), _build_state_condition, _PUBLIC_STATES),
    "status": Facet(
        lambda row: (str(row[_STATUS] or "none"),), lambda value: ("status = ?", (_parse_number(value, 0),))
    ),
    "depth": Facet(
        lambda row: ("none" if row[_DEPTH] >= NO_DEPTH else str(row[_DEPTH]),),
        lambda value: ("depth = ?", (_parse_number(value, NO_DEPTH),)),
    ),
    "language": Facet(lambda row: (row[_LANGUAGE] or "none",), lambda value: ("language = ?", (_parse_word(value),))),
    "region": Facet(
        lambda row: (row[_REGION] or "none",),
        lambda value: ("region = ?", (_parse_word(value),)),
        ("header", "nav", "aside", "main", "footer", "content", "none"),
    ),
    "verified": Facet(
        lambda row: ("yes" if row[_STATE] in _VERIFIED else "no",),
        lambda value: (f"state {'' if value == 'yes' else 'NOT '}IN {_VERIFIED}", ()),
        ("yes", "no"),
    ),
    "gap": Facet(_get_gaps, lambda value: _GAPS[value], tuple(_GAPS)),
    "reason": Facet(lambda row: (row[_REASON] or "none",), lambda value: ("reason = ?", (_parse_word(value),))),
    "words": Facet(lambda row: (row[_WORDS],), lambda value: ("entry.words = ?", (value,)), WORD_RANGE_NAMES),
    "near_duplicate": Facet(
        lambda row: (row[_NEAR_DUPLICATE],), lambda value: ("near_duplicate = ?", (value,)), ("yes", "no")
    ),
}
"""A new facet needs a row here and, unless an existing column has its values, a column of the cube."""


def build_conditions(wanted: Filter, listed: int) -> tuple[list[str], list[Any]]:
    """Return the SQL conditions of a filter and their values; listed pages have the first ranks."""
    conditions: list[str] = []
    values: list[Any] = []
    if wanted.kind == _PAGE and wanted.effective_list == "pages":
        conditions.append("entry.rank <= ?")
        values.append(listed)
    elif wanted.kind != "all":
        conditions.append("kind = ?")
        values.append(wanted.kind)
    for name, facet in FACETS.items():
        value = _get_condition_list(wanted) if name == "list" else getattr(wanted, name)
        if value:
            condition, more = facet.condition(value)
            conditions.append(condition)
            values += more
    for word in wanted.text.casefold().split():
        conditions.append("instr(words.text, ?)")
        values.append(word)
    if wanted.text:
        conditions.append("words.rank = entry.rank")
    if wanted.extracted:
        condition, more = build_extracted_condition(wanted.extracted)
        conditions.append(condition)
        values += more
    return conditions, values


def matches_filter(row: tuple[Any, ...], wanted: Filter, except_for: str) -> bool:
    """Return True if a row of the cube has the kind and all facets of a filter except one."""
    if wanted.kind not in {"all", row[_KIND]}:
        return False
    chosen = wanted.list or "all" if except_for in _CROSS_LIST_FACETS else wanted.effective_list
    if except_for != "list" and chosen not in _get_lists(row):
        return False
    return all(
        getattr(wanted, name) in facet.get_values(row)
        for name, facet in FACETS.items()
        if name not in {except_for, "list"} and getattr(wanted, name)
    )


def _get_condition_list(wanted: Filter) -> str:
    """Return the list that needs a condition; listed pages are selected by rank, and `all` needs none."""
    is_first = wanted.effective_list == "pages" and wanted.kind == _PAGE
    return "" if is_first or wanted.effective_list == "all" else wanted.effective_list


def _parse_number(text: str, default: int) -> int:
    return default if text == "none" else int(text)


def _parse_word(text: str) -> str:
    return "" if text == "none" else text
