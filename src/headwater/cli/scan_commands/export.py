"""`headwater export`: write a stored scan in any format."""

from __future__ import annotations

import click

from headwater.cli.display.hints import set_export_hint
from headwater.cli.display.result_output import write_list, write_scan
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.scan_commands.scan_session import get_scan
from headwater.errors import StoreError
from headwater.store import open_store


@click.command("export", cls=SettingsCommand)
@click.option("--scan", "name", metavar="N|NAME", help="Write the scan with this number or name  [default: the last]")
@click.option("--all-sites", is_flag=True, help="Write every site of the last list of sites")
@settings_options("output", also=("db",), preset="crawl", writes_output=True)
def command(name: str | None, all_sites: bool, chosen: EffectiveSettings) -> None:
    """Write the pages of a scan in --db in any format; the file name of --output can choose it.

    xml is a sitemap, graphml and dot are the links between the pages, and atom is a feed of the pages that are new or
    changed since the previous scan. In csv and xlsx, the values of a list are the lines of one cell.
    """
    settings = chosen.settings
    store = open_store(settings.db, must_exist=True)
    set_export_hint(settings.redacted_db, all_sites=all_sites)
    if all_sites:
        last = store.site_lists.last_list()
        if last is None:
            raise StoreError(f"{settings.redacted_db} holds no list of sites")
        write_list(store, last.number, settings)
        return
    write_scan(store, get_scan(store, name, settings), settings)
