"""`headwater export`: a scan written out in any format."""

from __future__ import annotations

from typing import Any

import click

from headwater.cli.options import blaming, effective_settings, settings_options
from headwater.cli.writing import write_scan
from headwater.errors import StoreError
from headwater.settings import public_value
from headwater.store import open_store


@click.command("export")
@click.option("--scan", "number", type=click.IntRange(1), metavar="N", help="Which scan  [default: the last]")
@settings_options("store", "output")
def command(number: int | None, **flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Write the pages of a scan in --db as text, json, jsonl, csv, html, xml (a sitemap) or md."""
    chosen = effective_settings(flags, "crawl")
    settings = chosen.settings
    store = open_store(settings.db, exists=True)
    scan = store.last() if number is None else store.scan(number)
    if scan is None:
        raise StoreError(f"{public_value('db', settings.db)} holds no scan{'' if number is None else f' {number}'}")
    with blaming(chosen):
        write_scan(store, scan, settings)
