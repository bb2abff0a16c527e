"""How a list of sites looks on the terminal: one line that is alive, or a line a site; and a table at the end."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

import click

from headwater.cli.display.terminal import clear_line, draw_line
from headwater.cli.display.text_streams import printable
from headwater.runner.scan_result import format_count
from headwater.settings import redact_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.scheduling.scan_pool import ScanEnd
    from headwater.settings import Settings
    from headwater.store import Store
    from headwater.store.site_list_store import SiteListEntry, StateCount

MARKS = {"done": "✓", "limited": "✓", "incomplete": "…", "failed": "✗"}
_ENDED_STATES = frozenset(MARKS)
_MAX_ROWS = 40
_INTERVAL = 0.2


class SiteListProgress:
    """On a terminal one line and the failures; elsewhere a line for every site that ended."""

    def __init__(self, settings: Settings, counts: Mapping[str, StateCount]) -> None:
        self._quiet = settings.quiet
        self._is_live = sys.stderr.isatty() and not settings.quiet
        self._total = sum(count.sites for count in counts.values())
        self._failed = counts["failed"].sites if "failed" in counts else 0
        self._done = sum(count.sites for state, count in counts.items() if state in _ENDED_STATES) - self._failed
        self._began = time.monotonic()
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def ended(self, site: SiteListEntry, ended: ScanEnd, seconds: float) -> None:
        """A site has ended."""
        is_failed = ended.state == "failed"
        self._failed += is_failed
        self._done += not is_failed
        if not self._quiet and (is_failed or not self._is_live):
            self.clear()
            told = f"{ended.pages:>7,} pages {seconds:>6.1f} s"
            sys.stderr.write(
                f"  {MARKS.get(ended.state, '?')} {told}  {format_site(site)}{_format_outcome(ended.state, ended.reason)}\n"
            )
            sys.stderr.flush()

    def tick(self, under_way: int, pages: int) -> None:
        """Draw the line anew."""
        now = time.monotonic()
        if not self._is_live or now - self._drawn < _INTERVAL:
            return
        self._drawn = now
        seconds = now - self._began
        rate = pages / seconds if seconds else 0.0
        sites = f"{self._done:,} of {self._total:,} sites done  {under_way:,} under way  {self._failed:,} failed"
        draw_line(f"  ▸ {sites}  {pages:,} pages visited  {rate:,.0f}/s  {seconds:.0f} s")

    def clear(self) -> None:
        """Take the line away."""
        if self._is_live:
            clear_line()


def print_list_summary(store: Store, number: int, settings: Settings, seconds: float, refused: int) -> None:
    """The sites with their pages and how each ended; of a long list only those that are not done."""
    counts = store.lists.counts(number)
    total = sum(count.sites for count in counts.values())
    is_long = total > _MAX_ROWS
    lines = [f"\n  {'pages':>9}  {'scan':>6}  site"]
    shown = 0
    for site in store.lists.sites(number):
        if is_long and site.state in {"done", "limited"}:
            continue
        shown += 1
        if shown <= _MAX_ROWS:
            scan = "" if site.scan is None else f"{site.scan}"
            mark = MARKS.get(site.state, "–")
            lines.append(
                f"  {mark} {site.pages:>7,}  {scan:>6}  {format_site(site)}{_format_outcome(site.state, site.reason)}"
            )
    if shown > _MAX_ROWS:
        lines.append(f"  … and {shown - _MAX_ROWS:,} more that are not done")
    states = ", ".join(f"{count.sites:,} {state}" for state, count in counts.items())
    pages = sum(count.pages for count in counts.values())
    lines.append(f"\n{pages:,} pages of {total:,} sites ({states}) in {seconds:.1f} s")
    if refused:
        lines.append(f"  {format_count(refused, 'line')} of the list could not be used")
    db = redact_value("db", settings.db)
    lines.append(f"  kept in {db}; `headwater export --db {db} --all-sites` writes them all, `--scan N` one of them")
    click.echo("\n".join(lines if shown else lines[1:]), err=True)


def print_interrupted(store: Store, number: int, settings: Settings) -> None:
    """Say how to go on."""
    if settings.quiet:
        return
    counts = store.lists.counts(number)
    ended = sum(count.sites for state, count in counts.items() if state in _ENDED_STATES)
    total = sum(count.sites for count in counts.values())
    db = redact_value("db", settings.db)
    what = f"{ended:,} of {total:,} sites have ended, all that was found is kept in {db}"
    click.echo(f"\ninterrupted; {what}: `headwater resume --db {db}` goes on", err=True)


def format_site(site: SiteListEntry) -> str:
    """A site by its first URL."""
    more = f" and {len(site.seeds) - 1:,} more of its URLs" if len(site.seeds) > 1 else ""
    return printable(site.seeds[0], 200) + more


def _format_outcome(state: str, reason: str) -> str:
    if state == "done" and not reason:
        return ""
    told = f": {printable(reason, 200)}" if reason else ""
    return f"  {state}{told}"
