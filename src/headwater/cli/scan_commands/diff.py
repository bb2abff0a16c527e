"""`headwater diff`: what changed between two scans of a site; exit code 4 if anything did."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.display.result_output import write_pages
from headwater.cli.options import add_setting_origin, load_settings, settings_options
from headwater.errors import StoreError
from headwater.settings import redact_value
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.model import Page
    from headwater.store import Scan, Store

EXIT_CHANGED = 4
COMPLETE_STATES = frozenset({"done", "incomplete", "limited"})
_MARKS = {"new": "+", "changed": "~", "gone": "-"}


@click.command("diff")
@click.argument("scans", nargs=-1, type=click.INT, metavar="[OLD [NEW]]")
@settings_options("store", "output")
def command(scans: tuple[int, ...], **flags: Any) -> None:  # noqa: ANN401  (click gives every flag its own type)
    """Print what is new (+), changed (~) or gone (-) between two scans of --db.

    Without numbers these are the last scan that ended and the one of the same site before it. Records have the field
    `change`.
    Exit code 4: something changed; 0: nothing did.
    """
    if len(scans) > 2:
        raise click.UsageError("Name at most two scans, the older one first")
    chosen = load_settings(flags)
    store = open_store(chosen.settings.db, exists=True)
    old, new = _find_scan_pair(store, scans, redact_value("db", chosen.settings.db))
    counts: Counter[str] = Counter()
    with add_setting_origin(chosen):
        pages = _count_changes(store.changes(old.number, new.number), counts)
        if chosen.origins["format"] == "default":
            for page in pages:
                click.echo(f"{_MARKS[page.change or '']} {page.url}")
        else:
            write_pages(pages, new.seeds, chosen.settings)
    if not chosen.settings.quiet:
        if new.state not in COMPLETE_STATES:
            click.echo(f"scan {new.number} is {new.state}: what it has not visited counts as gone", err=True)
        told = ", ".join(f"{counts[name]:,} {name}" for name in _MARKS)
        click.echo(f"scan {old.number} ({old.started}) to {new.number} ({new.started}): {told}", err=True)
    sys.exit(EXIT_CHANGED if counts else 0)


def _count_changes(pages: Iterator[Page], counts: Counter[str]) -> Iterator[Page]:
    for page in pages:
        counts[page.change or ""] += 1
        yield page


def _newest_complete_scan(store: Store) -> Scan | None:
    """The newest scan that came to its end, else the newest: what one has not visited yet is not gone."""
    last = store.last_scan()
    scans = (store.scan(number) for number in range(last.number if last else 0, 0, -1))
    return next((scan for scan in scans if scan is not None and scan.state in COMPLETE_STATES), last)


def _find_scan_pair(store: Store, scans: tuple[int, ...], db: str) -> tuple[Scan, Scan]:
    new = store.scan(scans[1]) if len(scans) > 1 else _newest_complete_scan(store)
    if new is None:
        raise StoreError(f"{db} holds no scan" + (f" {scans[1]}" if len(scans) > 1 else ""))
    number = scans[0] if scans else store.previous_scan(new.number)
    old = store.scan(number) if number is not None else None
    if old is None:
        missing = f"no scan {scans[0]}" if scans else f"no earlier scan of {', '.join(new.seeds)} to compare with"
        raise StoreError(f"{db} holds {missing}")
    return old, new
