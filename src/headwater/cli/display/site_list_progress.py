"""Progress of a list of sites and the table of its results."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

import click

from headwater.cli.display.closing_notes import format_resume_command
from headwater.cli.display.crawl_progress import should_show_progress
from headwater.cli.display.terminal import clear_line, draw_line
from headwater.cli.display.text_streams import printable
from headwater.plurals import format_count

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
    """Prints failed sites and, on a terminal, one line of progress; elsewhere prints a line per finished site."""

    def __init__(self, settings: Settings, counts: Mapping[str, StateCount]) -> None:
        self._quiet = settings.quiet
        self._is_live = should_show_progress(settings)
        self._total = _count_sites(counts)
        self._failed = counts["failed"].sites if "failed" in counts else 0
        self._done = _count_ended(counts) - self._failed
        self._started = time.monotonic()
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def on_site_ended(self, site: SiteListEntry, end: ScanEnd, seconds: float) -> None:
        """Count a site that has ended, and print it if it failed or if there is no progress line."""
        is_failed = end.state == "failed"
        self._failed += is_failed
        self._done += not is_failed
        if not self._quiet and (is_failed or not self._is_live):
            self.clear()
            outcome = _format_outcome(end.state, end.reason)
            mark, pages = MARKS.get(end.state, "?"), format_count(end.pages, "page")
            sys.stderr.write(f"  {mark} {pages:>13} {seconds:>6.1f} s  {format_site(site)}{outcome}\n")
            sys.stderr.flush()

    def tick(self, running: int, pages: int) -> None:
        """Redraw the progress line."""
        now = time.monotonic()
        if not self._is_live or now - self._drawn < _INTERVAL:
            return
        self._drawn = now
        seconds = now - self._started
        rate = pages / seconds if seconds else 0.0
        sites = f"{self._done:,} of {self._total:,} sites done  {running:,} running  {self._failed:,} failed"
        draw_line(f"  ▸ {sites}  {format_count(pages, 'page')} visited  {rate:,.0f}/s  {seconds:.0f} s")

    def clear(self) -> None:
        """Remove the progress line."""
        if self._is_live:
            clear_line()


def print_list_summary(store: Store, number: int, settings: Settings, seconds: float, invalid: int) -> None:
    """Print the sites with their pages and how each ended; of a long list, only sites that are not done."""
    counts = store.site_lists.counts(number)
    total = _count_sites(counts)
    is_long = total > _MAX_ROWS
    rows: list[str] = []
    hidden = 0
    for site in store.site_lists.sites(number):
        if is_long and site.state in {"done", "limited"}:
            continue
        if len(rows) < _MAX_ROWS:
            rows.append(_format_row(site))
        else:
            hidden += 1
    lines = [f"\n  {'pages':>9}  {'scan':>6}  site", *rows] if rows else []
    if hidden:
        lines.append(f"  … and {hidden:,} more that are not done")
    states = ", ".join(f"{count.sites:,} {state}" for state, count in counts.items())
    pages = format_count(sum(count.pages for count in counts.values()), "page")
    lines.append(f"\n{pages} of {format_count(total, 'site')} ({states}) in {seconds:.1f} s")
    if invalid:
        lines.append(f"  {format_count(invalid, 'line')} of the list skipped: not a URL")
    command = f"headwater export --db {settings.redacted_db}"
    lines.append(
        f"  Stored in {settings.redacted_db}. Write all sites with: {command} --all-sites, or one with: --scan N"
    )
    click.echo("\n".join(lines), err=True)


def print_interrupted(store: Store, number: int, settings: Settings) -> None:
    """Print how many sites are done and how to continue."""
    if settings.quiet:
        return
    counts = store.site_lists.counts(number)
    done = f"{_count_ended(counts):,} of {_count_sites(counts):,} sites have ended"
    command = format_resume_command(settings)
    click.echo(f"\n{done}; the results are stored in {settings.redacted_db}. Continue with: {command}", err=True)


def format_site(site: SiteListEntry) -> str:
    """Return the first URL of a site and the number of its other URLs."""
    others = len(site.seeds) - 1
    return printable(site.seeds[0], 200) + (f" and {format_count(others, 'more URL')}" if others else "")


def _count_sites(counts: Mapping[str, StateCount]) -> int:
    return sum(count.sites for count in counts.values())


def _count_ended(counts: Mapping[str, StateCount]) -> int:
    return sum(count.sites for state, count in counts.items() if state in _ENDED_STATES)


def _format_row(site: SiteListEntry) -> str:
    scan = "" if site.scan is None else f"{site.scan}"
    mark, outcome = MARKS.get(site.state, "–"), _format_outcome(site.state, site.reason)
    return f"  {mark} {site.pages:>7,}  {scan:>6}  {format_site(site)}{outcome}"


def _format_outcome(state: str, reason: str) -> str:
    if state == "done" and not reason:
        return ""
    return f"  {state}" + (f": {printable(reason, 200)}" if reason else "")
