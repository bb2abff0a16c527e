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

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_text(pages: Iterable[Page], output: Output) -> None:
    """One URL a line."""
    for page in pages:
        output.main.write(page.url + "\n")


def write_jsonl(pages: Iterable[Page], output: Output) -> None:
    """One object a line."""
    for page in pages:
        output.main.write(json.dumps(record(page), ensure_ascii=False) + "\n")


def write_json(pages: Iterable[Page], output: Output) -> None:
    """One list."""
    separator = "[\n"
    for page in pages:
        output.main.write(separator + json.dumps(record(page), ensure_ascii=False))
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
        output.main.write(f"- [{_escaped(page.title or page.url)}](<{page.url}>){clusters}\n")


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        value = " ".join(value)
    if isinstance(value, str) and value.startswith(_FORMULA):
        return "'" + value
    return value


def _escaped(text: str) -> str:
    flat = " ".join(text.split())
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
