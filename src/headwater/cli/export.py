"""`headwater export`: a scan written out in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from headwater.cli.options import blaming, list_settings, settings_options
from headwater.cli.writing import write_list, write_scan
from headwater.errors import StoreError
from headwater.settings import public_value
from headwater.store import open_store

if TYPE_CHECKING:
    from headwater.settings import Settings
    from headwater.store import Store


@click.command("export")
@click.option("--scan", "number", type=click.IntRange(1), metavar="N", help="Which scan  [default: the last]")
@click.option("--list", "is_list", is_flag=True, help="Every site of the last list that `discover` was given")
@settings_options("store", "output")
def command(number: int | None, is_list: bool, **flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Write the pages of a scan in --db as text, json, jsonl, csv, html, xml (a sitemap) or md."""
    chosen = list_settings(flags, "crawl")
    settings = chosen.settings
    store = open_store(settings.db, exists=True)
    if is_list:
        with blaming(chosen):
            _write_list(store, settings)
        return
    scan = store.last() if number is None else store.scan(number)
    if scan is None:
        raise StoreError(f"{public_value('db', settings.db)} holds no scan{'' if number is None else f' {number}'}")
    with blaming(chosen):
        write_scan(store, scan, settings)


def _write_list(store: Store, settings: Settings) -> None:
    last = store.lists.last()
    if last is None:
        raise StoreError(f"{public_value('db', settings.db)} holds no list of sites")
    write_list(store, last.number, settings)
