"""Read rows into records by the names of their columns."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from headwater.classify import decode_sources
from headwater.model import DETECTED_SUFFIX, Evidence, Page
from headwater.store.json_text import parse_json
from headwater.store.page_lists import STATES, get_public_state
from headwater.store.records import ClassifierInput, Event, KnownUrl, Scan
from headwater.store.records.browse_records import LinkedPage, PageVersion
from headwater.store.records.dive_records import Dive, DivePage, Message, ScanPage
from headwater.store.site_list_store import SiteList, SiteListEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Record = TypeVar("Record", bound=tuple[Any, ...])


_parse_state = tuple(map(get_public_state, range(len(STATES)))).__getitem__


def _parse_clusters(titles: str | None) -> tuple[str, ...] | None:
    return tuple(sorted(titles.split("\x1f"))) if titles else None


def _parse_named_clusters(text: str | None) -> tuple[tuple[str, str], ...]:
    pairs = [one.partition("\x1f") for one in text.split("\x1e")] if text else []
    return tuple((name, title) for name, _, title in pairs)


def _parse_object(text: str | None) -> dict[str, Any] | None:
    return json.loads(text) if text else None


def _parse_count(number: int | None) -> int:
    return number or 0


def _parse_language(language: str | None) -> str | None:
    return language.removesuffix(DETECTED_SUFFIX) or None if language else None


def parse_seeds(text: str) -> tuple[str, ...]:
    """Return the seeds of a site from their JSON."""
    return tuple(parse_json(text))


def _parse_headings(text: str) -> tuple[tuple[int, str, str], ...]:
    return tuple((level, heading, anchor) for level, heading, anchor in json.loads(text))


_PARSERS: dict[type, Mapping[str, Callable[[Any], Any]]] = {
    Page: {
        "sources": decode_sources,
        "state": _parse_state,
        "language": _parse_language,
        "clusters": _parse_clusters,
        "alternates": _parse_object,
        "headers": _parse_object,
        "extracted": _parse_object,
        "insecure_resources": _parse_count,
    },
    Scan: {"seeds": parse_seeds, "settings": parse_json},
    Event: {"data": json.loads},
    Evidence: {"content": json.loads},
    KnownUrl: {"state": STATES.__getitem__},
    ClassifierInput: {"sources": decode_sources},
    LinkedPage: {"state": _parse_state},
    PageVersion: {"state": _parse_state},
    SiteList: {"settings": json.loads},
    SiteListEntry: {"seeds": parse_seeds},
    ScanPage: {"clusters": _parse_named_clusters},
    Dive: {"seeds": parse_seeds, "selection": json.loads},
    DivePage: {"headings": _parse_headings},
    Message: {"citations": json.loads},
}
"""Functions for columns that are not stored as the record holds them; every field of type `bool` is converted too."""


def register_parsers(record: type, parsers: Mapping[str, Callable[[Any], Any]]) -> None:
    """Add the functions for a record that another module defines."""
    _PARSERS[record] = parsers


@lru_cache(maxsize=512)
def build_reader(record: type[Record], names: tuple[str, ...]) -> Callable[[tuple[Any, ...]], Record]:
    """Return a function that turns a row with these columns into a record; other columns are ignored."""
    named_tuple: Any = record
    fields, hints = named_tuple._fields, named_tuple.__annotations__
    make: Callable[[Any], Record] = named_tuple._make
    parsers = {name: bool for name in fields if _is_bool(hints[name])} | dict(_PARSERS.get(record, {}))
    positions = [names.index(name) for name in fields]
    parsed = [(fields.index(name), parse) for name, parse in parsers.items()]
    is_in_order = names == fields
    if not parsed and is_in_order:
        return make

    def read(row: tuple[Any, ...]) -> Record:
        values = list(row) if is_in_order else [row[position] for position in positions]
        for position, parse in parsed:
            values[position] = parse(values[position])
        return make(values)

    return read


def _is_bool(hint: object) -> bool:
    return getattr(hint, "__forward_arg__", hint) in {"bool", bool}
