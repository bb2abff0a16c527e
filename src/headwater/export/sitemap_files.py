"""Write sitemaps of the sitemaps.org protocol; beyond its limits, several files and an index."""

from __future__ import annotations

import re
from datetime import date
from html import escape
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import quote

from headwater.errors import SettingError
from headwater.export.text_values import NOT_XML

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from headwater.export.output import Output
    from headwater.model import Page

MAX_URLS = 50_000
MAX_BYTES = 50 * 1024 * 1024 - 1024
_URLSET_START = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
_W3C_DATE = re.compile(
    r"([0-9]{4})(?:-(0[1-9]|1[0-2])(?:-([0-9]{2})"
    r"(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]))?)?)?"
)
"""The dates that the protocol allows: https://www.w3.org/TR/NOTE-datetime"""

_INDEX_START = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
)


def write_sitemap(pages: Iterable[Page], output: Output) -> None:
    """Write the indexable pages into one file if the protocol allows it, else into several with an index."""
    parts = _split_into_files(page for page in pages if _is_indexable(page))
    first = next(parts, [])
    second = next(parts, None)
    if second is None:
        output.main.write(_URLSET_START + "".join(first) + "</urlset>\n")
        return
    if output.open_part is None:
        raise SettingError("output", f"more than {MAX_URLS:,} URLs need several files; name the first with --output")
    output.main.write(_INDEX_START)
    for number, rows in enumerate(chain([first, second], parts), 1):
        name = f"sitemap-{number}.xml"
        with output.open_part(name) as part:
            part.write(_URLSET_START + "".join(rows) + "</urlset>\n")
        output.main.write(f"<sitemap><loc>{_escape_url(f'{output.origin}/{name}')}</loc></sitemap>\n")
    output.main.write("</sitemapindex>\n")


def _is_indexable(page: Page) -> bool:
    """Return True for pages of this site that are not marked noindex."""
    return page.kind == "page" and page.list_name == "pages" and not page.noindex and not page.hops


def _is_w3c_date(text: str) -> bool:
    """Return True if a sitemap may contain this date; sites give dates in any form."""
    match = _W3C_DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = match.groups("1")
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True


def _escape_url(url: str) -> str:
    """Return a URL escaped for XML; characters that XML does not allow are percent-encoded."""
    return escape(NOT_XML.sub(lambda match: quote(match.group(), errors="replace"), url))


def _split_into_files(pages: Iterable[Page]) -> Iterator[list[str]]:
    """Yield lists of rows that each fit into one file."""
    rows: list[str] = []
    size = 0
    for page in pages:
        lastmod = f"<lastmod>{page.lastmod}</lastmod>" if page.lastmod and _is_w3c_date(page.lastmod) else ""
        row = f"<url><loc>{_escape_url(page.url)}</loc>{lastmod}</url>\n"
        if len(rows) >= MAX_URLS or size + len(row) > MAX_BYTES:
            yield rows
            rows, size = [], 0
        rows.append(row)
        size += len(row.encode())
    if rows:
        yield rows
