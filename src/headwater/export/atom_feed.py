"""Write changes of pages as an Atom feed (RFC 4287), the newest first."""

from __future__ import annotations

from heapq import nlargest
from html import escape
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from headwater.export.text_values import NOT_XML, flatten, make_encodable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from headwater.export.output import Output
    from headwater.model import Page

MAX_ENTRIES = 1_000
"""Entries of a feed; feed readers load the whole file."""

_NO_CHANGES = "1970-01-01T00:00:00+00:00"
_START = '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'


class _Counted:
    """Pages that are counted as they are read."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._pages, self.count = pages, 0

    def __iter__(self) -> Iterator[Page]:
        for page in self._pages:
            self.count += 1
            yield page


def write_atom(pages: Iterable[Page], output: Output) -> None:
    """Write an entry for each change; a page without a known change is new."""
    counted = _Counted(pages)
    newest = nlargest(MAX_ENTRIES, counted, key=_get_time)
    write = output.main.write
    write(f"{_START}<title>{_escape(flatten(output.title))}</title>\n")
    write(f"<id>{_make_id(output.title)}</id>\n<updated>{_get_time(newest[0]) if newest else _NO_CHANGES}</updated>\n")
    write("<author><name>Headwater</name></author>\n<generator>Headwater</generator>\n")
    if counted.count > len(newest):
        write(f"<subtitle>The newest {len(newest):,} of {counted.count:,} changes</subtitle>\n")
    for page in newest:
        write(_format_entry(page))
    write("</feed>\n")


def _format_entry(page: Page) -> str:
    """Return the entry of a change; a page that moved is linked at its new URL."""
    change, time = page.change or "new", _get_time(page)
    target = page.leads_to if change == "moved" and page.leads_to else page.url
    summary = f"{page.url} {_SENTENCES.get(change, change)}{f' {target}' if target != page.url else ''}"
    return (
        f"<entry><title>{change.capitalize()}: {_escape(flatten(page.title or page.url))}</title>"
        f"<id>{_make_id(f'{page.url} {change} {time}')}</id><updated>{time}</updated>"
        f'<link rel="alternate" href="{_escape(target)}"/><category term="{_escape(change)}"/>'
        f"<summary>{_escape(summary)}</summary></entry>\n"
    )


_SENTENCES = {
    "new": "is new", "changed": "has changed", "gone": "is gone", "back": "is back", "moved": "has moved to"
}  # fmt: skip


def _get_time(page: Page) -> str:
    return page.last_seen or page.first_seen or _NO_CHANGES


def _make_id(text: str) -> str:
    return uuid5(NAMESPACE_URL, make_encodable(text)).urn


def _escape(text: str) -> str:
    return escape(NOT_XML.sub("", make_encodable(text)))
