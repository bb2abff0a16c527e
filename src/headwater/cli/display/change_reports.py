"""Changes of a site as lines, as an Atom feed, and as the JSON message of a webhook."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from headwater.errors import OutputError
from headwater.export import EXPORTERS, Output
from headwater.export.atom_feed import MAX_ENTRIES
from headwater.output_stream import open_output, reporting_failures
from headwater.store.history.change_log import read_recent_changes
from headwater.store.history.page_events import CHANGES

if TYPE_CHECKING:
    from pathlib import Path

    from headwater.store import Scan
    from headwater.store.browse_store import BrowseStore
    from headwater.store.history.change_log import ChangeLog

WEBHOOK_SECRET = "HEADWATER_WEBHOOK_SECRET"  # noqa: S105  (the name of a variable)


def print_changes(log: ChangeLog, scan: Scan, baseline: int | None, *, is_quiet: bool) -> None:
    """Print one line for each change, and a summary on standard error."""
    for page in log.pages:
        target = f"\t{page.leads_to}" if page.leads_to else ""
        click.echo(f"{page.change}\t{page.url}{target}")
    if is_quiet:
        return
    if baseline is None:
        click.echo(f"Scan {scan.number} is the first of this site; later scans are compared with it", err=True)
        return
    counts = ", ".join(f"{log.counts.get(name, 0):,} {name}" for name in CHANGES)
    click.echo(f"Scan {baseline} to {scan.number}: {counts}", err=True)


def write_feed(store: BrowseStore, scan: Scan, path: Path) -> None:
    """Write the newest changes of the site; readers never see a feed that is only half written."""
    unfinished = path.with_name(f".{path.name}.part")
    try:
        with open_output(unfinished) as main:
            pages = read_recent_changes(store, scan.number, MAX_ENTRIES)
            EXPORTERS["atom"](pages, Output(main, title=", ".join(scan.seeds)))
        with reporting_failures(str(path)):
            unfinished.replace(path)
    except OutputError:
        with suppress(OSError):
            unfinished.unlink()
        raise


def build_message(log: ChangeLog, scan: Scan) -> tuple[bytes, str]:
    """Return the message about the changes of a scan, and the secret to sign it with."""
    changes = [
        {"change": page.change, "url": page.url, "title": page.title, "moved_to": page.leads_to} for page in log.pages
    ]
    content = {
        "event": "site-changed", "seeds": list(scan.seeds), "scan": scan.number, "started": scan.started,
        "finished": scan.finished, "counts": {name: log.counts.get(name, 0) for name in CHANGES},
        "changes": changes, "is_truncated": log.is_truncated,
    }  # fmt: skip
    return json.dumps(content).encode(), os.environ.get(WEBHOOK_SECRET, "")
