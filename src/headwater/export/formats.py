"""Write pages as text, JSON, JSON lines, CSV or Markdown, row by row in constant memory."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

from headwater.export.html_report import write_html
from headwater.export.records import FIELDS, make_reader, make_record
from headwater.export.sitemap_files import write_sitemap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from headwater.export.output import Output
    from headwater.model import Page

_FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Prefixes that spreadsheets read as a formula, including the full-width signs of East Asian editions."""

EXTRACTED = "extracted"
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])
_URL_ESCAPES = str.maketrans({"<": "%3C", ">": "%3E", "\n": "%0A", "\r": "%0D", "\\": "%5C"})


def write_text(pages: Iterable[Page], output: Output) -> None:
    """Write one URL per line, or the chosen fields, separated by tabs."""
    if not output.fields:
        for page in pages:
            output.main.write(_make_encodable(page.url) + "\n")
        return
    read = make_reader(output.fields)
    for page in pages:
        output.main.write("\t".join(map(_to_plain_text, read(page))) + "\n")


def write_jsonl(pages: Iterable[Page], output: Output) -> None:
    """Write one JSON object per line."""
    for page in pages:
        output.main.write(_to_json(page, output.fields or FIELDS) + "\n")


def write_json(pages: Iterable[Page], output: Output) -> None:
    """Write one JSON array."""
    separator = "[\n"
    for page in pages:
        output.main.write(separator + _to_json(page, output.fields or FIELDS))
        separator = ",\n"
    output.main.write("\n]\n" if separator == ",\n" else "[]\n")


def write_csv(pages: Iterable[Page], output: Output) -> None:
    """Write a table; values that a spreadsheet would read as a formula are marked as text."""
    writer = csv.writer(output.main, lineterminator="\r\n")
    fields = output.fields or FIELDS
    read = make_reader(fields)
    if not output.extracted or EXTRACTED not in fields:
        writer.writerow(fields)
        writer.writerows([_to_cell(value) for value in read(page)] for page in pages)
        return
    place = fields.index(EXTRACTED)
    writer.writerow((*fields[:place], *output.extracted, *fields[place + 1 :]))
    for page in pages:
        values = read(page)
        extracted = [(page.extracted or {}).get(name) for name in output.extracted]
        writer.writerow([_to_cell(value) for value in (*values[:place], *extracted, *values[place + 1 :])])


def write_markdown(pages: Iterable[Page], output: Output) -> None:
    """Write a list of links with their titles and clusters."""
    output.main.write(f"# {escape_markdown(output.title)}\n\n")
    for page in pages:
        clusters = f": {escape_markdown(', '.join(page.clusters))}" if page.clusters else ""
        url = _make_encodable(page.url).translate(_URL_ESCAPES)
        output.main.write(f"- [{escape_markdown(page.title or page.url)}](<{url}>){clusters}\n")


def _to_json(page: Page, fields: tuple[str, ...]) -> str:
    """Return the record of a page; unpaired surrogates, which cannot be encoded, are escaped."""
    row = json.dumps(make_record(page, fields), ensure_ascii=False)
    return row if _is_encodable(row) else json.dumps(make_record(page, fields))


def _to_plain_text(value: object) -> str:
    """Return a value on one line, without control characters."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = " ".join(value) if isinstance(value, tuple) else str(value)
    return " ".join(_make_encodable(text).split()).translate(_CONTROLS)


def _to_cell(value: object) -> object:
    if isinstance(value, tuple):
        value = " ".join(value)
    elif isinstance(value, list):
        value = "\n".join(value)
    elif isinstance(value, dict):
        value = "\n".join(f"{name}: {_to_cell(one)}" for name, one in value.items())
    if not isinstance(value, str):
        return value
    value = _make_encodable(value)
    return "'" + value if value.startswith(_FORMULA_PREFIXES) else value


def _is_encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _make_encodable(text: str) -> str:
    """Return text that UTF-8 can encode; unpaired surrogates become U+FFFD."""
    return text if _is_encodable(text) else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def escape_markdown(text: str) -> str:
    """Return text on one line, with Markdown syntax escaped and control characters removed."""
    flat = " ".join(_make_encodable(text).split()).translate(_CONTROLS)
    return "".join("\\" + character if character in "\\`*_{}[]<>#|" else character for character in flat)


EXPORTERS: dict[str, Callable[[Iterable[Page], Output], None]] = {
    "text": write_text,
    "json": write_json,
    "jsonl": write_jsonl,
    "csv": write_csv,
    "html": write_html,
    "xml": write_sitemap,
    "md": write_markdown,
}
