"""Text, JSON, JSON lines, CSV, Markdown: each written row by row, however many there are."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

from headwater.export.html import write_html
from headwater.export.records import FIELDS, record
from headwater.export.sitemap import write_sitemap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from headwater.export.output import Output
    from headwater.model import Page

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Beginnings that spreadsheets read as a formula, the full-width signs of East Asian editions among them."""

_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])
_URL_ESCAPES = str.maketrans({"<": "%3C", ">": "%3E", "\n": "%0A", "\r": "%0D", "\\": "%5C"})


def write_text(pages: Iterable[Page], output: Output) -> None:
    """One URL a line."""
    for page in pages:
        output.main.write(_encodable(page.url) + "\n")


def write_jsonl(pages: Iterable[Page], output: Output) -> None:
    """One object a line."""
    for page in pages:
        output.main.write(_json(page) + "\n")


def write_json(pages: Iterable[Page], output: Output) -> None:
    """One list."""
    separator = "[\n"
    for page in pages:
        output.main.write(separator + _json(page))
        separator = ",\n"
    output.main.write("\n]\n" if separator == ",\n" else "[]\n")


def write_csv(pages: Iterable[Page], output: Output) -> None:
    """A table; what a spreadsheet would take for a formula is marked as text."""
    writer = csv.writer(output.main, lineterminator="\r\n")
    writer.writerow(FIELDS)
    for page in pages:
        writer.writerow([_cell(value) for value in record(page).values()])


def write_markdown(pages: Iterable[Page], output: Output) -> None:
    """A list of links with their titles, and the clusters each is in."""
    output.main.write(f"# {_escaped(output.title)}\n\n")
    for page in pages:
        clusters = f": {_escaped(', '.join(page.clusters))}" if page.clusters else ""
        url = _encodable(page.url).translate(_URL_ESCAPES)
        output.main.write(f"- [{_escaped(page.title or page.url)}](<{url}>){clusters}\n")


def _json(page: Page) -> str:
    """Return the record of a page; halves of surrogate pairs, which no encoding has, are written as escapes."""
    row = json.dumps(record(page), ensure_ascii=False)
    return row if _is_encodable(row) else json.dumps(record(page))


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        value = " ".join(value)
    if not isinstance(value, str):
        return value
    value = _encodable(value)
    return "'" + value if value.startswith(_FORMULA) else value


def _is_encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _encodable(text: str) -> str:
    """Return text that UTF-8 can hold: a half of a surrogate pair becomes U+FFFD."""
    return text if _is_encodable(text) else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escaped(text: str) -> str:
    """Return text on one line that means itself in Markdown and does nothing to a terminal."""
    flat = " ".join(_encodable(text).split()).translate(_CONTROLS)
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
