"""Write pages as CSV, XLSX or Parquet; XLSX and Parquet need an extra, and no format holds all rows in memory."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from importlib.util import find_spec
from itertools import chain, islice
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from headwater.errors import SettingError
from headwater.export.columns import choose_table
from headwater.export.text_values import NOT_XML, make_encodable, to_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from headwater.export.columns import Table
    from headwater.export.output import Output
    from headwater.model import Page

MODULES = {"parquet": "pyarrow", "xlsx": "xlsxwriter"}
"""The module that each format of an extra needs; the extra has the name of the format."""

MAX_SHEET_ROWS = 1_048_576
MAX_CELL = 32_767
ROW_GROUP = 10_000
"""Rows that are held in memory at once for Parquet."""

_FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Prefixes that spreadsheets read as a formula, including the full-width signs of East Asian editions."""

_CREATED = datetime(1980, 1, 1, tzinfo=UTC)
"""The earliest date of a ZIP archive, so that two exports of one scan have the same bytes."""


def is_installed(style: str) -> bool:
    """Return True if a format needs no extra, or its extra is installed."""
    return style not in MODULES or find_spec(MODULES[style]) is not None


def check_extra(style: str) -> None:
    """Raise SettingError if a format needs an extra that is not installed."""
    if not is_installed(style):
        raise SettingError("format", f"{style} needs an extra; install it with: pip install 'headwater[{style}]'")


def write_csv(pages: Iterable[Page], output: Output) -> None:
    """Write a table; values that a spreadsheet would read as a formula are marked as text."""
    writer = csv.writer(output.main, lineterminator="\r\n")
    table = choose_table(output)
    writer.writerow(table.columns)
    for page in pages:
        writer.writerow([_to_csv_cell(value) for value in table.read_row(page)])


def write_xlsx(pages: Iterable[Page], output: Output) -> None:
    """Write a workbook, in which no text can become a formula; a full sheet is followed by another."""
    check_extra("xlsx")
    from xlsxwriter import Workbook  # noqa: PLC0415  (an extra)

    table = choose_table(output)
    rows = (tuple(map(_to_sheet_value, table.read_row(page))) for page in pages)
    with (
        TemporaryDirectory() as folder,  # the library leaves its files behind if the output cannot be written
        Workbook(output.binary, {"constant_memory": True, "tmpdir": folder}) as workbook,
    ):
        workbook.set_properties({"created": _CREATED.replace(tzinfo=None)})
        bold = workbook.add_format({"bold": True})
        for number, sheet_rows in enumerate(_split_into_sheets(rows), 1):
            sheet = workbook.add_worksheet("Pages" if number == 1 else f"Pages {number}")
            sheet.freeze_panes(1, 1)
            sheet.write_row(0, 0, table.columns, bold)
            for place, row in enumerate(sheet_rows, 1):
                _write_row(sheet, place, row)


def write_parquet(pages: Iterable[Page], output: Output) -> None:
    """Write a Parquet file; lists and objects keep their types."""
    check_extra("parquet")
    import pyarrow as pa  # noqa: PLC0415  (an extra)
    from pyarrow.parquet import ParquetWriter  # noqa: PLC0415

    table = choose_table(output)
    schema = _make_schema(pa, table)
    with ParquetWriter(output.binary, schema) as writer:
        rest = iter(pages)
        while batch := list(islice(rest, ROW_GROUP)):
            columns = zip(*(map(_to_parquet_value, table.read_row(page)) for page in batch), strict=True)
            arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _to_csv_cell(value: object) -> object:
    value = to_lines(value)
    if not isinstance(value, str):
        return value
    value = make_encodable(value)
    return "'" + value if value.startswith(_FORMULA_PREFIXES) else value


def _to_sheet_value(value: object) -> object:
    value = to_lines(value)
    if not isinstance(value, str):
        return value
    lines = value.replace("\r\n", "\n").replace("\r", "\n")  # XML turns them into line feeds
    return NOT_XML.sub("", make_encodable(lines))[:MAX_CELL]


def _split_into_sheets(rows: Iterator[tuple[object, ...]]) -> Iterator[Iterator[tuple[object, ...]]]:
    """Yield the rows of each sheet, as many as fit below its header; without any row there is one empty sheet."""
    yield islice(rows, MAX_SHEET_ROWS - 1)
    for first in rows:
        yield chain((first,), islice(rows, MAX_SHEET_ROWS - 2))


def _write_row(sheet: Any, number: int, row: tuple[object, ...]) -> None:  # noqa: ANN401  (an extra)
    for column, value in enumerate(row):
        if isinstance(value, str):
            sheet.write_string(number, column, value)
        elif isinstance(value, bool):
            sheet.write_boolean(number, column, value)
        elif isinstance(value, int | float):
            sheet.write_number(number, column, value)


def _make_schema(pa: Any, table: Table) -> Any:  # noqa: ANN401  (an extra)
    text = pa.string()
    types = {
        "text": text, "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(),
        "texts": pa.list_(text), "mapping": pa.map_(text, text),
    }  # fmt: skip
    return pa.schema([(name, types[kind]) for name, kind in table.columns.items()])


def _to_parquet_value(value: object) -> object:
    if isinstance(value, str):
        return make_encodable(value)
    if isinstance(value, tuple):
        return [make_encodable(str(one)) for one in value]
    if isinstance(value, dict):
        return [(make_encodable(str(name)), make_encodable(str(one))) for name, one in value.items()]
    return value
