"""`headwater watch`: scan a site again and again, and report what changed."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from headwater.cli.async_runner import run
from headwater.cli.display.change_reports import WEBHOOK_SECRET, build_message, print_changes, write_feed
from headwater.cli.options import EffectiveSettings, SettingsCommand, gather_options, settings_options
from headwater.cli.scan_commands.discover import run_with_progress
from headwater.cli.scan_commands.scan_session import prepare_session
from headwater.cli.scan_runs import ScanSession, run_scan
from headwater.errors import LoginError, OutputError, StoreError, UnreachableError
from headwater.fetch.webhook_client import parse_webhook_url, post_webhook
from headwater.runner.scan_setup import extract_credentials, public_settings
from headwater.settings.value_kinds import seconds
from headwater.store.factory import open_browse_store
from headwater.store.history.change_log import ChangeLog, find_baseline, save_changes
from headwater.store.history.scan_changes import find_changes
from headwater.urls import Scope
from headwater.urls.parsing import get_origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.settings import Settings
    from headwater.store import Scan
    from headwater.store.browse_store import BrowseStore

EXIT_FAILED, EXIT_CUT_SHORT, EXIT_CHANGED = 1, 3, 4
COMPARED_STATES = frozenset({"done", "incomplete", "limited"})
RESUMED_STATES = frozenset({"running", "interrupted"})
_INTERVAL = seconds(1.0, 366 * 86400.0)


class WatchOptions(NamedTuple):
    """Options of the command that are not settings."""

    every: float
    once: bool
    feed: Path | None
    webhook: str | None


def _read_interval(_: click.Context, __: click.Parameter, value: str) -> float:
    try:
        return float(_INTERVAL.read(value) or 0)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a time; expected for example 30m, 12h or 1d") from None


@click.command("watch", cls=SettingsCommand)
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--every", default="1d", metavar="TIME", callback=_read_interval, help="Scan this often  [default: 1d]")
@click.option("--once", is_flag=True, help="Scan once, compare with the scan before, and exit; for cron and CI")
@click.option(
    "--feed", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write changes to this Atom feed"
)
@click.option("--webhook", metavar="URL", help=f"Post changes to this URL as JSON, signed with {WEBHOOK_SECRET}")
@settings_options("scope", "urls", "stages", "sitemaps", "limits", "fetch", "render", "store", also=("quiet",))
@gather_options(WatchOptions, "options")
def command(urls: tuple[str, ...], options: WatchOptions, chosen: EffectiveSettings) -> None:
    """Scan the site at URL every --every, and print the pages that are new, changed, gone, back or moved.

    The first scan is the one that later scans are compared with. A scan that was cut short is continued the next time
    and reports nothing until then; pages that fail to load, or that a limit left out, are not gone.

    Exit code with --once: 4 if anything changed, 0 if not, 3 if the scan was cut short, 1 if the site could not be
    scanned, the webhook could not be reached or the feed could not be written.
    """
    webhook = parse_webhook_url(options.webhook) if options.webhook else None
    options = options._replace(webhook=webhook)
    if options.feed is not None and not options.feed.parent.is_dir():
        raise click.UsageError(f"--feed {options.feed}: the folder {options.feed.parent} does not exist")
    seeds, settings = extract_credentials(list(urls), chosen.settings)
    Scope.from_settings(seeds, settings)
    while True:
        started = time.time()
        try:
            prepare_session(settings, seeds)
            code = _watch_once(seeds, settings, options)
        except (LoginError, StoreError) as error:  # another process may scan the site: the next turn may succeed
            if options.once:
                raise
            click.echo(f"Error: {error}", err=True)
        else:
            if options.once:
                sys.exit(code)
        time.sleep(max(0.0, started + options.every - time.time()))


def _watch_once(seeds: Sequence[str], settings: Settings, options: WatchOptions) -> int:
    """Scan, compare and report; return the exit code."""
    with closing(open_browse_store(settings.db)) as store:
        session = _start_or_resume(store, seeds, settings)
        try:
            outcome = run_scan(session, run_with_progress(session))
        except UnreachableError as error:
            click.echo(str(error), err=True)
            return EXIT_FAILED
        if outcome.result.limit == "interrupted":
            raise KeyboardInterrupt
        scan = store.scan(session.scan.number) or session.scan
        if not outcome.result.is_reached:
            click.echo(f"No page of {', '.join(seeds)} could be loaded; nothing was compared", err=True)
            return EXIT_FAILED
        if scan.state not in COMPARED_STATES:
            click.echo(f"Scan {scan.number} is {scan.state}; the next one continues it", err=True)
            return EXIT_CUT_SHORT
        return _report(store, scan, settings, options)


def _start_or_resume(store: BrowseStore, seeds: Sequence[str], settings: Settings) -> ScanSession:
    """Continue the last scan of the site if it was cut short, else start another."""
    last = store.last_scan_of(seeds)
    is_resumed = last is not None and last.state in RESUMED_STATES
    scan = last if last is not None and is_resumed else store.create_scan(seeds, public_settings(settings))
    if not store.acquire_lock(f"scan-{scan.number}"):
        where = f"scan {scan.number} of {settings.redacted_db}"
        raise StoreError(f"{where} is running in another process; wait until it ends, or stop it")
    if is_resumed:
        store.retry_deferred(scan.number)
        click.echo(f"Continuing scan {scan.number}, started {scan.started}", err=True)
    return ScanSession(store, scan, settings)


def _report(store: BrowseStore, scan: Scan, settings: Settings, options: WatchOptions) -> int:
    """Compare a scan with those before, and say what changed everywhere the user asked for."""
    baseline = find_baseline(store, scan.number)
    log = save_changes(store, scan, [] if baseline is None else find_changes(store, scan, baseline))
    print_changes(log, scan, baseline, is_quiet=settings.quiet)
    is_written = options.feed is None or _update_feed(store, scan, options.feed)
    is_posted = not options.webhook or not log.counts or _notify(log, scan, settings, options.webhook)
    if not is_written or not is_posted:
        return EXIT_FAILED
    return EXIT_CHANGED if log.counts else 0


def _update_feed(store: BrowseStore, scan: Scan, path: Path) -> bool:
    """Write the feed; a failure is reported and neither keeps the webhook from being called nor ends the command."""
    try:
        write_feed(store, scan, path)
    except OutputError as error:
        click.echo(f"Error: {error} The next feed will have these changes too.", err=True)
        return False
    return True


def _notify(log: ChangeLog, scan: Scan, settings: Settings, webhook: str) -> bool:
    body, secret = build_message(log, scan)
    problem = run(post_webhook(webhook, body, secret, settings))
    if problem:
        place = get_origin(webhook)
        click.echo(f"Could not post the changes to {place} ({problem}). `headwater diff` lists them.", err=True)
    return not problem
