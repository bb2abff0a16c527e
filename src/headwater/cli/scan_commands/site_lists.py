"""A list of sites from the command line: read, kept, worked side by side; `resume` goes on with what is left."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from headwater.api import public_settings, without_secrets
from headwater.cli.display.list_screen import SitesScreen, interrupted, summarize
from headwater.cli.display.output import write_list
from headwater.cli.options import blaming, effective_settings, list_settings
from headwater.cli.running import run
from headwater.cli.scan_commands.scanning import exit_code, hold
from headwater.cli.scan_commands.site_lines import SiteLines
from headwater.discovery.stage import counted
from headwater.errors import StoreError, UrlError
from headwater.fetch.credentials import Headers
from headwater.scheduling.rotation import Round, processes_for
from headwater.settings import from_mapping
from headwater.store import is_server, open_store
from headwater.store.lists import bare
from headwater.store.sqlite.shared import WritingStore
from headwater.urls import Scope
from headwater.urls.parse import authority_of, seed_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from headwater.settings import Settings
    from headwater.store import Scan, Store
    from headwater.store.lists import SiteList

STANDARD_INPUT = "-"


def are_many(urls: Sequence[str], flags: Mapping[str, Any]) -> bool:
    """Whether these are URLs of several sites; what is no URL is left to those who tell of it."""
    if STANDARD_INPUT in urls:
        return True
    if len(urls) < 2:
        return False
    settings = effective_settings(flags).settings
    try:
        return len({host_of(seed_url(url), settings) for url in urls}) > 1
    except UrlError:
        return False


def host_of(href: str, settings: Settings) -> str:
    """What tells a site of a list from the others."""
    authority = authority_of(href)
    return bare(authority) if settings.fold_www else authority


def discover_sites(urls: Sequence[str], files: Sequence[str], flags: Mapping[str, Any]) -> NoReturn:
    """Find every page of many sites, side by side."""
    chosen = list_settings(flags)
    named = [url for url in urls if url != STANDARD_INPUT]
    with blaming(chosen):
        Scope.from_settings(named or ["https://example.com/"], chosen.settings)
        Headers.from_settings(chosen.settings.header, chosen.settings.credentials, ())
    named, settings = without_secrets(named, chosen.settings)
    files = [*files, *(STANDARD_INPUT for url in urls if url == STANDARD_INPUT)]
    _check(files)
    is_new = not is_server(settings.db) and not Path(settings.db).exists()
    store = _open(settings)
    lines = SiteLines(named, files, "name them with --credentials")
    try:
        number = store.lists.add(_sites(lines, settings), public_settings(settings))
    except UrlError:
        _leave(store, is_new)
        click.echo("nothing was begun, for --strict was given", err=True)
        sys.exit(2)
    if number is None:
        _leave(store, is_new)
        click.echo("no site was named", err=True)
        sys.exit(1)
    hold(store, f"list-{number}", settings)
    with blaming(chosen):
        finish_list(store, number, settings, lines.refused)


def finish_list(store: Store, number: int, settings: Settings, refused: int = 0) -> NoReturn:
    """Work what waits of a list, to the end or to the interruption, and write what was asked for."""
    started, counts = time.monotonic(), store.lists.counts(number)
    waiting = counts["waiting"].sites if "waiting" in counts else 0
    with SitesScreen(settings, counts) as screen:
        try:
            run(Round(store, number, settings, screen).run(processes_for(settings, waiting)))
        except BaseException:
            screen.clear()
            interrupted(store, number, settings)
            raise
    write_list(store, number, settings)
    if not settings.quiet:
        summarize(store, number, settings, time.monotonic() - started, refused)
    counts = store.lists.counts(number)
    store.close()
    missing = sum(count.missing for count in counts.values())
    sys.exit(exit_code(sum(count.pages for count in counts.values()), missing, settings))


def unfinished_list(store: Store, scan: Scan | None) -> SiteList | None:
    """The list to go on with, if it is newer than the last unfinished scan or that one belongs to it."""
    last = store.lists.last(unfinished=True)
    if last is None:
        return None
    is_newer = scan is None or scan.number <= last.after_scan or store.lists.list_of(scan.number) == last.number
    return last if is_newer else None


def resume_list(last: SiteList, db: str, given: Mapping[str, object]) -> NoReturn:
    """Go on with a list."""
    settings = from_mapping({**last.settings, **given, "db": db})
    Headers.from_settings(settings.header, settings.credentials, ())
    store = _open(settings)
    hold(store, f"list-{last.number}", settings)
    waiting = store.lists.wait_again(last.number)
    click.echo(f"going on with {counted(waiting, 'site')} of the list begun {last.started}", err=True)
    finish_list(store, last.number, settings)


def _sites(lines: SiteLines, settings: Settings) -> Iterator[tuple[str, str]]:
    for href in lines.seeds(strict=settings.strict):
        yield host_of(href, settings), href


def _open(settings: Settings) -> Store:
    """The store: a file has one writer, who writes for the other processes too."""
    kind = open_store if is_server(settings.db) else WritingStore
    return kind(settings.db, settings.transaction_timeout)


def _check(files: Sequence[str]) -> None:
    """Mistakes that are told before a file is made."""
    for name in files:
        if name == STANDARD_INPUT:
            continue
        try:
            Path(name).open("rb").close()
        except OSError as error:
            raise StoreError(f"{name} cannot be read: {error.strerror}; nothing was begun") from None


def _leave(store: Store, is_new: bool) -> None:
    """A file that was made for nothing is taken away."""
    store.close()
    if is_new:
        Path(store.path).unlink(missing_ok=True)
