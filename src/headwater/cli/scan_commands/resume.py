"""`headwater resume`: goes on with the last scan that did not end."""

from __future__ import annotations

import sys
from typing import Any

import click

from headwater.cli.fleet_commands.sites import change_sites, open_fleet
from headwater.cli.options import load_output_settings, settings_options
from headwater.cli.scan_commands.crawl import finish_crawl
from headwater.cli.scan_commands.discover import finish_scan
from headwater.cli.scan_commands.scan_session import acquire_lock
from headwater.cli.scan_commands.site_lists import find_unfinished_list, resume_list
from headwater.errors import StoreError
from headwater.settings import SETTINGS, build_settings, redact_value
from headwater.settings.table import SETTINGS_WITH_PASSWORD
from headwater.store import open_store


@click.command("resume")
@click.argument("named", nargs=-1, metavar="[SITES]...")
@settings_options("sitemaps", "limits", "fetch", "render", "store", "output", "many", also=("processes", "slice_time"))
def command(named: tuple[str, ...], **flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Go on with the last unfinished scan of --db, or list of sites: nothing is lost, nothing is visited twice.

    Of a list the sites that were cut off go on; if none was, those that a limit or an unreachable host left.
    Its own settings hold where no flag is given. Credentials and headers are never stored and must be given anew.
    With SITES it lets sites of a fleet go on that `headwater pause` stopped.
    """
    chosen = load_output_settings(flags, "crawl")
    if named:
        fleet = open_fleet(chosen.settings.db)
        sys.exit(change_sites(fleet, named, fleet.resume, "resumed"))
    store = open_store(chosen.settings.db, exists=True)
    scan = store.last(unfinished=True)
    given = {
        name: getattr(chosen.settings, name)
        for name, origin in chosen.origins.items()
        if _overrides_stored(name, origin)
    }
    last = find_unfinished_list(store, scan)
    if last is not None:
        store.close()
        resume_list(last, chosen.settings.db, given)
    if scan is None:
        raise StoreError(f"{redact_value('db', chosen.settings.db)} holds no unfinished scan")
    settings = build_settings({**scan.settings, **given, "db": chosen.settings.db})
    acquire_lock(store, f"scan-{scan.number}", settings)
    store.retry_deferred(scan.number)
    click.echo(f"going on with scan {scan.number} of {', '.join(scan.seeds)}, begun {scan.started}", err=True)
    if set(settings.stages) != {"crawl"}:
        finish_scan(store, scan, settings)
    finish_crawl(store, scan, settings, prints="format" not in given and settings.format == "text")


def _overrides_stored(name: str, origin: str) -> bool:
    """Flags, and wherever they come from secrets and addresses with a password, which a store does not keep."""
    is_secret = getattr(SETTINGS[name].kind, "secret", False) or name in SETTINGS_WITH_PASSWORD
    return origin.startswith("-") or (is_secret and origin != "default")
