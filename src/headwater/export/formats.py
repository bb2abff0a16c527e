"""The table of formats, and those that are written line by line: text, JSON, JSON lines and Markdown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from headwater.export.atom_feed import write_atom
from headwater.export.graphs import write_dot, write_graphml
from headwater.export.html_report import write_html
from headwater.export.records import FIELDS, make_reader, make_record
from headwater.export.sitemap_files import write_sitemap
from headwater.export.tables import write_csv, write_parquet, write_xlsx
from headwater.export.text_values import flatten, is_encodable, make_encodable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from headwater.export.output import Output
    from headwater.model import Page

_URL_ESCAPES = str.maketrans({"<": "%3C", ">": "%3E", "\n": "%0A", "\r": "%0D", "\\": "%5C"})


def write_text(pages: Iterable[Page], output: Output) -> None:
    """Write one URL per line, or the chosen fields, separated by tabs."""
    if not output.fields:
        for page in pages:
            output.main.write(make_encodable(page.url) + "\n")
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


def write_markdown(pages: Iterable[Page], output: Output) -> None:
    """Write a list of links with their titles and clusters."""
    output.main.write(f"# {escape_markdown(output.title)}\n\n")
    for page in pages:
        clusters = f": {escape_markdown(', '.join(page.clusters))}" if page.clusters else ""
        url = make_encodable(page.url).translate(_URL_ESCAPES)
        output.main.write(f"- [{escape_markdown(page.title or page.url)}](<{url}>){clusters}\n")


def _to_json(page: Page, fields: tuple[str, ...]) -> str:
    """Return the record of a page; unpaired surrogates, which cannot be encoded, are escaped."""
    row = json.dumps(make_record(page, fields), ensure_ascii=False)
    return row if is_encodable(row) else json.dumps(make_record(page, fields))


def _to_plain_text(value: object) -> str:
    """Return a value on one line, without control characters."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = " ".join(value) if isinstance(value, tuple) else str(value)
    return flatten(text)


def escape_markdown(text: str) -> str:
    """Return text on one line, with Markdown syntax escaped and control characters removed."""
    return "".join("\\" + character if character in "\\`*_{}[]<>#|" else character for character in flatten(text))


EXPORTERS: dict[str, Callable[[Iterable[Page], Output], None]] = {
    "text": write_text,
    "json": write_json,
    "jsonl": write_jsonl,
    "csv": write_csv,
    "html": write_html,
    "xml": write_sitemap,
    "md": write_markdown,
    "xlsx": write_xlsx,
    "parquet": write_parquet,
    "graphml": write_graphml,
    "dot": write_dot,
    "atom": write_atom,
}
