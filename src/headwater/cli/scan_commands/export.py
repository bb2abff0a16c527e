"""`headwater export`: a scan written out in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from headwater.cli.display.hints import advise_export
from headwater.cli.display.output import write_list, write_scan
from headwater.cli.options import blaming, list_settings, settings_options
from headwater.errors import StoreError
from headwater.settings import public_value
from headwater.store import open_store

if TYPE_CHECKING:
    from headwater.settings import Settings
    from headwater.store import Scan, Store

_DIGITS = 19
"""Numbers with as many digits may be larger than a store can hold."""


@click.command("export")
@click.option("--scan", "name", metavar="N|NAME", help="Which scan, by its number or name  [default: the last]")
@click.option("--all-sites", is_flag=True, help="Every site of the last list that `discover` was given")
@settings_options("store", "output")
def command(name: str | None, all_sites: bool, **flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Write the pages of a scan in --db as text, json, jsonl, csv, html, xml (a sitemap) or md."""
    chosen = list_settings(flags, "crawl")
    settings = chosen.settings
    store = open_store(settings.db, exists=True)
    advise_export(str(public_value("db", settings.db)), all_sites=all_sites)
    if all_sites:
        with blaming(chosen):
            _write_list(store, settings)
        return
    scan = _find_scan(store, name)
    if scan is None:
        raise StoreError(f"{public_value('db', settings.db)} holds no scan{'' if name is None else f' {name}'}")
    with blaming(chosen):
        write_scan(store, scan, settings)


def _find_scan(store: Store, name: str | None) -> Scan | None:
    if name is None:
        return store.last()
    found = store.named_scan(name)
    is_number = name.isdecimal() and len(name) < _DIGITS
    return store.scan(int(name)) if found is None and is_number else found


def _write_list(store: Store, settings: Settings) -> None:
    last = store.lists.last()
    if last is None:
        raise StoreError(f"{public_value('db', settings.db)} holds no list of sites")
    write_list(store, last.number, settings)
