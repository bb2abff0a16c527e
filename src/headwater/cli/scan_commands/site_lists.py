"""Scan a list of sites side by side, and resume such a list."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from headwater.cli.async_runner import run
from headwater.cli.display.result_output import write_list
from headwater.cli.display.site_list_progress import SiteListProgress, print_interrupted, print_list_summary
from headwater.cli.scan_commands.scan_session import acquire_lock, choose_exit_code, prepare_session
from headwater.cli.scan_commands.seed_reader import STANDARD_INPUT, SeedReader, check_readable
from headwater.errors import HeadwaterError, UrlError
from headwater.fetch.credentials import Headers
from headwater.plurals import format_count
from headwater.runner.scan_setup import check_settings, extract_credentials, public_settings
from headwater.scheduling.scheduler import Scheduler, choose_process_count
from headwater.settings import build_settings
from headwater.store import is_server_url, open_store
from headwater.store.site_list_store import strip_www
from headwater.store.sqlite.write_forwarding import WriterStore
from headwater.urls.parsing import get_authority, parse_seed_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from headwater.settings import Settings
    from headwater.store import Scan, Store
    from headwater.store.site_list_store import SiteList


def are_several_sites(urls: Sequence[str], settings: Settings) -> bool:
    """Return True if these are URLs of several sites; a text that is not a URL is reported later, as a seed."""
    if STANDARD_INPUT in urls:
        return True
    try:
        return len({make_site_key(parse_seed_url(url), settings) for url in urls}) > 1
    except UrlError:
        return False


def make_site_key(href: str, settings: Settings) -> str:
    """Return the key by which the sites of a list are distinguished."""
    authority = get_authority(href)
    return strip_www(authority) if settings.fold_www else authority


def discover_sites(urls: Sequence[str], files: Sequence[str], settings: Settings) -> NoReturn:
    """Store a list of sites, scan them side by side and exit."""
    named = [url for url in urls if url != STANDARD_INPUT]
    files = [*files, *(STANDARD_INPUT for url in urls if url == STANDARD_INPUT)]
    check_settings(named or ["https://example.com/"], settings)
    Headers.from_settings(settings.header, settings.credentials, ())
    prepare_session(settings, named)
    named, settings = extract_credentials(named, settings)
    check_readable(files)
    is_new = not is_server_url(settings.db) and not Path(settings.db).exists()
    store = _open_list_store(settings)
    reader = SeedReader(named, files, "name them with --credentials")
    try:
        number = store.site_lists.add(_read_sites(reader, settings), public_settings(settings))
    except HeadwaterError:
        _discard_store(store, is_new)
        raise
    if number is None:
        _discard_store(store, is_new)
        click.echo("No site was named", err=True)
        sys.exit(1)
    acquire_lock(store, f"list-{number}", settings)
    finish_list(store, number, settings, reader.invalid)


def finish_list(store: Store, number: int, settings: Settings, invalid: int = 0) -> NoReturn:
    """Scan the remaining sites of a list, write the results and exit."""
    started, counts = time.monotonic(), store.site_lists.counts(number)
    waiting = counts["waiting"].sites if "waiting" in counts else 0
    with SiteListProgress(settings, counts) as progress:
        try:
            run(Scheduler(store, number, settings, progress).run(choose_process_count(settings, waiting)))
        except BaseException:
            progress.clear()
            print_interrupted(store, number, settings)
            raise
    write_list(store, number, settings)
    if not settings.quiet:
        print_list_summary(store, number, settings, time.monotonic() - started, invalid)
    counts = store.site_lists.counts(number)
    store.close()
    missing = sum(count.missing for count in counts.values())
    sys.exit(choose_exit_code(sum(count.pages for count in counts.values()), missing, settings))


def find_unfinished_list(store: Store, scan: Scan | None) -> SiteList | None:
    """Return the list to resume, if it is newer than the last unfinished scan or contains that scan."""
    last = store.site_lists.last_list(unfinished=True)
    if last is None:
        return None
    is_newer = scan is None or scan.number <= last.after_scan or store.site_lists.find_list(scan.number) == last.number
    return last if is_newer else None


def resume_list(last: SiteList, db: str, given: Mapping[str, object]) -> NoReturn:
    """Continue a list of sites and exit."""
    settings = build_settings({**last.settings, **given, "db": db})
    Headers.from_settings(settings.header, settings.credentials, ())
    prepare_session(settings)
    store = _open_list_store(settings)
    acquire_lock(store, f"list-{last.number}", settings)
    waiting = store.site_lists.requeue_unfinished(last.number)
    click.echo(f"Continuing with {format_count(waiting, 'site')} of the list started {last.started}", err=True)
    finish_list(store, last.number, settings)


def _read_sites(reader: SeedReader, settings: Settings) -> Iterator[tuple[str, str]]:
    for href in reader.seeds(strict=settings.strict):
        yield make_site_key(href, settings), href


def _open_list_store(settings: Settings) -> Store:
    """Open the store; a file has one writer, which also writes for the other processes."""
    kind = open_store if is_server_url(settings.db) else WriterStore
    return kind(settings.db, settings.transaction_timeout)


def _discard_store(store: Store, is_new: bool) -> None:
    """Close the store, and delete the file if this command has created it."""
    store.close()
    if is_new:
        Path(store.path).unlink(missing_ok=True)
