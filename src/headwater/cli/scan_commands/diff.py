"""`headwater diff`: print the changes between two scans of a site."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from headwater.cli.display.result_output import write_pages
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.scan_commands.scan_session import get_scan
from headwater.errors import StoreError
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.model import Page
    from headwater.store import Scan, Store

EXIT_CHANGED = 4
COMPLETE_STATES = frozenset({"done", "incomplete", "limited"})
_MARKS = {"new": "+", "changed": "~", "gone": "-"}


@click.command("diff", cls=SettingsCommand)
@click.argument("scans", nargs=-1, metavar="[OLD [NEW]]")
@settings_options("output", also=("db",))
def command(scans: tuple[str, ...], chosen: EffectiveSettings) -> None:
    """Print the pages that are new (+), changed (~) or gone (-) between two scans in --db.

    OLD and NEW are numbers or names of scans. Without them, compare the last finished scan with the previous scan of
    the same site. In formats with records, the field `change` holds the kind of change.

    A page is gone if it answers 404 or 410 or redirects, or if a scan that visited everything no longer finds it.
    Pages that fail to load, or that a limit left out, are not gone.

    Exit code: 4 if anything changed, else 0.
    """
    if len(scans) > 2:
        raise click.UsageError("Name at most two scans, the older one first")
    settings = chosen.settings
    store = open_store(settings.db, must_exist=True)
    old, new = _find_scan_pair(store, [get_scan(store, name, settings) for name in scans], settings.redacted_db)
    counts: Counter[str] = Counter()
    pages = _count_changes(store.changes(old.number, new.number), counts)
    if chosen.origins["format"] == "default":
        for page in pages:
            click.echo(f"{_MARKS[page.change or '']} {page.url}")
    else:
        write_pages(pages, new.seeds, settings)
    if not settings.quiet:
        _print_summary(old, new, counts)
    sys.exit(EXIT_CHANGED if counts else 0)


def _print_summary(old: Scan, new: Scan, counts: Counter[str]) -> None:
    if new.state != "done":
        click.echo(f"Scan {new.number} is {new.state}: pages it has not visited do not count as gone", err=True)
    changes = ", ".join(f"{counts[name]:,} {name}" for name in _MARKS)
    click.echo(f"Scan {old.number} ({old.started}) to {new.number} ({new.started}): {changes}", err=True)


def _count_changes(pages: Iterator[Page], counts: Counter[str]) -> Iterator[Page]:
    for page in pages:
        counts[page.change or ""] += 1
        yield page


def _find_newest_complete_scan(store: Store) -> Scan | None:
    """Return the newest finished scan, else the newest scan: pages that a scan has not visited yet are not gone."""
    last = store.last_scan()
    scans = (store.scan(number) for number in range(last.number if last else 0, 0, -1))
    return next((scan for scan in scans if scan is not None and scan.state in COMPLETE_STATES), last)


def _find_scan_pair(store: Store, named: list[Scan], db: str) -> tuple[Scan, Scan]:
    """Return the scans to compare, the older one first; those that are not named are the newest."""
    new = named[1] if len(named) > 1 else _find_newest_complete_scan(store)
    if new is None:
        raise StoreError(f"{db} holds no scan")
    if named:
        return named[0], new
    number = store.previous_scan(new.number)
    old = store.scan(number) if number is not None else None
    if old is None:
        raise StoreError(f"{db} holds no earlier scan of {', '.join(new.seeds)} to compare with")
    return old, new
