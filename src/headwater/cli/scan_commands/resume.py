"""`headwater resume`: continue the last scan or list of sites that is not finished, or paused sites of a fleet."""

from __future__ import annotations

import click

from headwater.cli.display.result_output import writes_list
from headwater.cli.fleet_commands.sites import change_sites
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.scan_commands.crawl import finish_crawl
from headwater.cli.scan_commands.discover import finish_scan
from headwater.cli.scan_commands.scan_session import acquire_lock, prepare_session
from headwater.cli.scan_commands.site_lists import find_unfinished_list, resume_list
from headwater.cli.scan_runs import ScanSession
from headwater.errors import StoreError
from headwater.settings import SETTINGS, build_settings
from headwater.store import open_store


@click.command("resume", cls=SettingsCommand)
@click.argument("named", nargs=-1, metavar="[SITES]...")
@settings_options(
    "sitemaps", "limits", "fetch", "render", "store", "output", "many",
    also=("processes", "slice_time"), preset="crawl", writes_output=True,
)  # fmt: skip
def command(named: tuple[str, ...], chosen: EffectiveSettings) -> None:
    """Continue the last unfinished scan or list of sites in --db. No page is visited twice.

    In a list of sites, sites that were cut short continue; if there are none, those that a limit or an unreachable
    host left incomplete. Settings that no flag sets are those of the scan. Credentials and headers are never stored;
    pass them again.

    With SITES, continue sites of a fleet that `headwater pause` stopped.
    """
    if named:
        change_sites(chosen.settings.db, named, lambda fleet, sites: fleet.resume(sites), "resumed")
    store = open_store(chosen.settings.db, must_exist=True)
    scan = store.last_scan(unfinished=True)
    given = chosen.select(lambda name: _overrides_stored(chosen, name))
    last = find_unfinished_list(store, scan)
    if last is not None:
        store.close()
        resume_list(last, chosen.settings.db, given)
    if scan is None:
        raise StoreError(f"{chosen.settings.redacted_db} holds no unfinished scan")
    settings = build_settings({**scan.settings, **given, "db": chosen.settings.db})
    prepare_session(settings, scan.seeds)
    acquire_lock(store, f"scan-{scan.number}", settings)
    store.retry_deferred(scan.number)
    click.echo(f"Continuing scan {scan.number} of {', '.join(scan.seeds)}, started {scan.started}", err=True)
    session = ScanSession(store, scan, settings)
    if set(settings.stages) != {"crawl"}:
        finish_scan(session)
    prints_found = "format" not in given and settings.format == "text" and not writes_list(settings)
    finish_crawl(session, prints_found=prints_found)


def _overrides_stored(chosen: EffectiveSettings, name: str) -> bool:
    """Return True for flags, and for secrets and passwords from anywhere, because a store does not keep those."""
    setting = SETTINGS[name]
    may_be_stripped = setting.is_secret or setting.may_hold_password
    return chosen.is_flag(name) or (may_be_stripped and chosen.origins[name] != "default")
