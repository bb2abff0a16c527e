"""A list of sites from the command line: read, kept, worked side by side; `resume_scan` goes on with what is left."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from headwater.cli.async_runner import run
from headwater.cli.display.result_output import write_list
from headwater.cli.display.site_list_progress import SiteListProgress, print_interrupted, print_list_summary
from headwater.cli.options import add_setting_origin, load_output_settings, load_settings
from headwater.cli.scan_commands.scan_session import acquire_lock, choose_exit_code
from headwater.cli.scan_commands.seed_reader import SeedReader
from headwater.errors import StoreError, UrlError
from headwater.fetch.credentials import Headers
from headwater.runner.scan_result import format_count
from headwater.runner.scan_setup import extract_credentials, public_settings
from headwater.scheduling.scheduler import Scheduler, choose_process_count
from headwater.settings import build_settings
from headwater.store import is_server_url, open_store
from headwater.store.site_list_store import strip_www
from headwater.store.sqlite.write_forwarding import WriterStore
from headwater.urls import Scope
from headwater.urls.parsing import get_authority, parse_seed_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from headwater.settings import Settings
    from headwater.store import Scan, Store
    from headwater.store.site_list_store import SiteList

STANDARD_INPUT = "-"


def are_several_sites(urls: Sequence[str], flags: Mapping[str, Any]) -> bool:
    """Whether these are URLs of several sites; what is no URL is left to those who tell of it."""
    if STANDARD_INPUT in urls:
        return True
    if len(urls) < 2:
        return False
    settings = load_settings(flags).settings
    try:
        return len({make_site_key(parse_seed_url(url), settings) for url in urls}) > 1
    except UrlError:
        return False


def make_site_key(href: str, settings: Settings) -> str:
    """What tells a site of a list from the others."""
    authority = get_authority(href)
    return strip_www(authority) if settings.fold_www else authority


def discover_sites(urls: Sequence[str], files: Sequence[str], flags: Mapping[str, Any]) -> NoReturn:
    """Find every page of many sites, side by side."""
    chosen = load_output_settings(flags)
    named = [url for url in urls if url != STANDARD_INPUT]
    with add_setting_origin(chosen):
        Scope.from_settings(named or ["https://example.com/"], chosen.settings)
        Headers.from_settings(chosen.settings.header, chosen.settings.credentials, ())
    named, settings = extract_credentials(named, chosen.settings)
    files = [*files, *(STANDARD_INPUT for url in urls if url == STANDARD_INPUT)]
    _check_files(files)
    is_new = not is_server_url(settings.db) and not Path(settings.db).exists()
    store = _open_list_store(settings)
    lines = SeedReader(named, files, "name them with --credentials")
    try:
        number = store.lists.add(_read_sites(lines, settings), public_settings(settings))
    except UrlError:
        _discard_store(store, is_new)
        click.echo("nothing was begun, for --strict was given", err=True)
        sys.exit(2)
    if number is None:
        _discard_store(store, is_new)
        click.echo("no site was named", err=True)
        sys.exit(1)
    acquire_lock(store, f"list-{number}", settings)
    with add_setting_origin(chosen):
        finish_list(store, number, settings, lines.refused)


def finish_list(store: Store, number: int, settings: Settings, refused: int = 0) -> NoReturn:
    """Work what waits of a list, to the end or to the interruption, and write what was asked for."""
    started, counts = time.monotonic(), store.lists.counts(number)
    waiting = counts["waiting"].sites if "waiting" in counts else 0
    with SiteListProgress(settings, counts) as screen:
        try:
            run(Scheduler(store, number, settings, screen).run(choose_process_count(settings, waiting)))
        except BaseException:
            screen.clear()
            print_interrupted(store, number, settings)
            raise
    write_list(store, number, settings)
    if not settings.quiet:
        print_list_summary(store, number, settings, time.monotonic() - started, refused)
    counts = store.lists.counts(number)
    store.close()
    missing = sum(count.missing for count in counts.values())
    sys.exit(choose_exit_code(sum(count.pages for count in counts.values()), missing, settings))


def find_unfinished_list(store: Store, scan: Scan | None) -> SiteList | None:
    """The list to go on with, if it is newer than the last unfinished scan or that one belongs to it."""
    last = store.lists.last(unfinished=True)
    if last is None:
        return None
    is_newer = scan is None or scan.number <= last.after_scan or store.lists.find_list(scan.number) == last.number
    return last if is_newer else None


def resume_list(last: SiteList, db: str, given: Mapping[str, object]) -> NoReturn:
    """Go on with a list."""
    settings = build_settings({**last.settings, **given, "db": db})
    Headers.from_settings(settings.header, settings.credentials, ())
    store = _open_list_store(settings)
    acquire_lock(store, f"list-{last.number}", settings)
    waiting = store.lists.requeue_unfinished(last.number)
    click.echo(f"going on with {format_count(waiting, 'site')} of the list begun {last.started}", err=True)
    finish_list(store, last.number, settings)


def _read_sites(lines: SeedReader, settings: Settings) -> Iterator[tuple[str, str]]:
    for href in lines.seeds(strict=settings.strict):
        yield make_site_key(href, settings), href


def _open_list_store(settings: Settings) -> Store:
    """The store: a file has one writer, who writes for the other processes too."""
    kind = open_store if is_server_url(settings.db) else WriterStore
    return kind(settings.db, settings.transaction_timeout)


def _check_files(files: Sequence[str]) -> None:
    """Mistakes that are told before a file is made."""
    for name in files:
        if name == STANDARD_INPUT:
            continue
        try:
            Path(name).open("rb").close()
        except OSError as error:
            raise StoreError(f"{name} cannot be read: {error.strerror}; nothing was begun") from None


def _discard_store(store: Store, is_new: bool) -> None:
    """A file that was made for nothing is taken away."""
    store.close()
    if is_new:
        Path(store.path).unlink(missing_ok=True)
