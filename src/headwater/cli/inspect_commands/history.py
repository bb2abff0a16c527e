"""`headwater history`: show when a page was new, changed, gone, moved or back."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from headwater.cli.display.text_streams import printable
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.scan_commands.scan_session import get_scan
from headwater.store.factory import open_browse_store
from headwater.store.history.scan_changes import read_page_history
from headwater.store.provenance import restore_scope
from headwater.urls import spell_url

if TYPE_CHECKING:
    from headwater.store import Scan
    from headwater.store.history.page_events import PageEvent


@click.command("history", cls=SettingsCommand)
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--scan", "name", metavar="N|NAME", help="Use the scans of the site of this one  [default: the last]")
@click.option("--json", "is_json", is_flag=True, help="Print JSON for programs")
@settings_options(also=("db",), has_preset=False)
def command(urls: tuple[str, ...], name: str | None, is_json: bool, chosen: EffectiveSettings) -> None:
    """Show when the page at each URL was new, changed, gone, moved or back, over all scans of its site in --db.

    Exit code: 1 if no scan has seen one of the pages, else 0.
    """
    settings = chosen.settings
    with closing(open_browse_store(settings.db, must_exist=True)) as store:
        scan = get_scan(store, name, settings)
        found = {url: read_page_history(store, scan.number, _find_key(scan, url)) for url in urls}
    if is_json:
        rows = [{"url": url, "events": [event._asdict() for event in events]} for url, events in found.items()]
        click.echo(json.dumps(rows, indent=2))
    else:
        _print(found)
    sys.exit(0 if all(found.values()) else 1)


def _find_key(scan: Scan, url: str) -> str:
    spelling = spell_url(url, restore_scope(scan).policy)
    return spelling.key if spelling else url


def _print(found: dict[str, list[PageEvent]]) -> None:
    for url, events in found.items():
        if not events:
            click.echo(f"{printable(url, 500)}: no scan of this site has seen it", err=True)
            continue
        click.echo(url)
        for event in events:
            moved = f" to {event.moved_to}" if event.moved_to else ""
            click.echo(f"  {event.at[:19].replace('T', ' ')}  scan {event.scan}  {event.change}{moved}")
