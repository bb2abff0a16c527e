"""Columns of tables: the name, the kind and the value of each, for the names of Headwater and of Screaming Frog."""

from __future__ import annotations

from functools import cache, lru_cache
from types import NoneType
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args, get_origin, get_type_hints

from headwater.export.records import FIELDS, make_reader
from headwater.export.screaming_frog import make_frog_readers
from headwater.export.text_values import to_lines
from headwater.model import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.export.output import Output

EXTRACTED = "extracted"
ColumnKind = Literal["text", "integer", "number", "boolean", "texts", "mapping"]
_KINDS: dict[object, ColumnKind] = {
    str: "text", int: "integer", float: "number", bool: "boolean", tuple: "texts", dict: "mapping"
}  # fmt: skip


class Table(NamedTuple):
    """The columns of a table by name, and a function that returns the row of a page."""

    columns: dict[str, ColumnKind]
    read_row: Callable[[Page], tuple[object, ...]]


def choose_table(output: Output) -> Table:
    """Return the table that an output asks for."""
    if output.columns == "screaming-frog":
        return _make_frog_table(output)
    fields = output.fields or FIELDS
    if output.extracted and EXTRACTED in fields:
        return _make_extracted_table(fields, output.extracted)
    return Table({name: find_kind(name) for name in fields}, make_reader(fields))


def _make_extracted_table(fields: tuple[str, ...], names: tuple[str, ...]) -> Table:
    """Return a table with a column for each extracted value, in place of the field with all of them."""
    place, read = fields.index(EXTRACTED), make_reader(fields)
    columns = {name: find_kind(name) for name in fields[:place]}
    for name in names:
        columns[name] = "text"
    columns |= {name: find_kind(name) for name in fields[place + 1 :]}

    def read_row(page: Page) -> tuple[object, ...]:
        values, extracted = read(page), page.extracted or {}
        return (*values[:place], *(to_lines(extracted.get(name)) for name in names), *values[place + 1 :])

    return Table(columns, read_row)


@lru_cache(maxsize=256)
def find_kind(field: str) -> ColumnKind:
    """Return the kind of a field of a page, from the type in its record."""
    hint = _get_hints().get(field, str)
    options = [one for one in (get_args(hint) or (hint,)) if one is not NoneType]
    if get_origin(hint) is tuple:
        return "texts"
    kind = get_origin(options[0]) or options[0]
    return _KINDS.get(kind, "text")


@cache
def _get_hints() -> dict[str, object]:
    return get_type_hints(Page)


def _make_frog_table(output: Output) -> Table:
    counts = output.count_links() if output.count_links else {}
    readers = make_frog_readers(counts)
    columns: dict[str, ColumnKind] = {name: kind for name, (kind, _) in readers.items()}
    functions = [read for _, read in readers.values()]
    return Table(columns, lambda page: tuple(read(page) for read in functions))
