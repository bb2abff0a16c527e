"""A self-contained HTML report with counts, a site tree, and a table to sort and filter; it needs no network."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headwater.export.output import Output
    from headwater.model import Page

_TEMPLATE = (files("headwater.export") / "report.html").read_text("utf-8")


def write_html(pages: Iterable[Page], output: Output) -> None:
    """Write a report. The rows are data for its script, one by one, with `<` escaped to keep them out of the markup."""
    before, _, after = _TEMPLATE.partition("{{rows}}")
    output.main.write(before.replace("{{title}}", escape(output.title)))
    separator = ""
    for page in pages:
        row = (
            page.url, page.title, page.status, page.state, page.depth, " ".join(page.sources), page.found_on,
            page.reason, page.clusters or (),
        )  # fmt: skip
        output.main.write(separator + json.dumps(row).replace("<", "\\u003c"))
        separator = ",\n"
    output.main.write(after)
