"""One self-contained page: counts, the tree of the site, and a table one can sort and filter; needs no network."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headwater.export.output import Output
    from headwater.model import Page

_TEMPLATE = (files("headwater.export") / "page.html").read_text("utf-8")


def write_html(pages: Iterable[Page], output: Output) -> None:
    """Rows are written as they come, as data the page's own script draws; `<` never stands in it unescaped."""
    before, _, after = _TEMPLATE.partition("{{rows}}")
    output.main.write(before.replace("{{title}}", escape(output.title)))
    separator = ""
    for page in pages:
        source = " ".join(page.sources)
        row: list[object] = [
            page.url,
            page.title,
            page.status,
            page.state,
            page.depth,
            source,
            page.found_on,
            page.reason,
        ]
        row.append(list(page.clusters or ()))
        output.main.write(separator + json.dumps(row).replace("<", "\\u003c"))
        separator = ",\n"
    output.main.write(after)
