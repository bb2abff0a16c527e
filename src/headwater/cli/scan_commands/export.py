"""`headwater export`: a scan written out in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from headwater.cli.display.hints import set_export_hint
from headwater.cli.display.result_output import write_list, write_scan
from headwater.cli.options import add_setting_origin, load_output_settings, settings_options
from headwater.errors import StoreError
from headwater.settings import redact_value
from headwater.store import open_store

if TYPE_CHECKING:
    from headwater.settings import Settings
    from headwater.store import Scan, Store

_MAX_DIGITS = 19
"""Numbers with as many digits may be larger than a store can hold."""


@click.command("export")
@click.option("--scan", "name", metavar="N|NAME", help="Which scan, by its number or name  [default: the last]")
@click.option("--all-sites", is_flag=True, help="Every site of the last list that `discover` was given")
@settings_options("store", "output")
def command(name: str | None, all_sites: bool, **flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Write the pages of a scan in --db as text, json, jsonl, csv, html, xml (a sitemap) or md."""
    chosen = load_output_settings(flags, "crawl")
    settings = chosen.settings
    store = open_store(settings.db, exists=True)
    set_export_hint(str(redact_value("db", settings.db)), all_sites=all_sites)
    if all_sites:
        with add_setting_origin(chosen):
            _write_list(store, settings)
        return
    scan = _find_scan(store, name)
    if scan is None:
        raise StoreError(f"{redact_value('db', settings.db)} holds no scan{'' if name is None else f' {name}'}")
    with add_setting_origin(chosen):
        write_scan(store, scan, settings)


def _find_scan(store: Store, name: str | None) -> Scan | None:
    if name is None:
        return store.last_scan()
    found = store.scan_by_name(name)
    is_number = name.isdecimal() and len(name) < _MAX_DIGITS
    return store.scan(int(name)) if found is None and is_number else found


def _write_list(store: Store, settings: Settings) -> None:
    last = store.site_lists.last_list()
    if last is None:
        raise StoreError(f"{redact_value('db', settings.db)} holds no list of sites")
    write_list(store, last.number, settings)
