"""What a person sees while waiting: one line on a terminal, nothing elsewhere; and the summary at the end."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING

import click

from headwater.cli.display.incomplete_notice import format_incomplete_notice
from headwater.cli.display.terminal import draw_line
from headwater.runner.scan_result import DEFERRED_MESSAGE
from headwater.settings import redact_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.runner.scan_result import CrawlProgress
    from headwater.settings import Settings
    from headwater.store import Counts

INTERVAL = 0.25


async def show_progress(loop: CrawlProgress, settings: Settings) -> None:
    """Redraw the line until cancelled."""
    started = time.monotonic()
    already = loop.visited
    while True:
        await asyncio.sleep(INTERVAL)
        rate = (loop.visited - already) / (time.monotonic() - started)
        waiting = max(0, loop.known - loop.visited)  # the store would have to count millions of rows
        line = f"{loop.visited:,} pages  {waiting:,} waiting  {rate:,.0f}/s  {loop.failed:,} failed"
        left = format_time_left(settings.max_pages, loop.visited, waiting, rate)
        draw_line(f"{line}{left}")


def should_show_progress(settings: Settings) -> bool:
    """Whether somebody looks: a terminal, not told to be quiet."""
    return sys.stderr.isatty() and not settings.quiet


def print_crawl_summary(
    counts: Counts, seconds: float, limit: str, settings: Settings, notes: Sequence[str] = ()
) -> None:
    """How it went, for people."""
    listed = f"{counts.fetched:,} pages fetched, {counts.failed:,} failed, {counts.known:,} URLs known"
    click.echo(f"\n{listed}, in {seconds:.1f} s", err=True)
    if counts.deferred:
        click.echo(f"{counts.deferred:,} deferred: {DEFERRED_MESSAGE}; `headwater resume` tries again", err=True)
    unvisited = counts.waiting + counts.held
    if limit and unvisited:
        click.echo(f"\n{format_incomplete_notice(limit, unvisited, settings)}\n", err=True)
    for note in notes:
        click.echo(note, err=True)
    if counts.skipped:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(counts.skipped.items()))
        click.echo(f"not visited: {reasons}", err=True)
    db = redact_value("db", settings.db)
    click.echo(f"kept in {db}; `headwater export --db {db} --format html -o report.html` shows it", err=True)


def format_time_left(limit: int | None, visited: int, waiting: int, rate: float) -> str:
    """Return `  about 40 s left`, or nothing where that cannot be said."""
    waiting = waiting if limit is None else min(waiting, limit - visited)
    return f"  about {waiting / rate:,.0f} s left" if rate > 1 and waiting else ""
