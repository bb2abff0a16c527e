"""Progress counts and the summary of `headwater crawl`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from headwater.cli.display.closing_notes import format_deferred, format_incomplete_notice, format_report_hint
from headwater.plurals import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.cli.scan_runs import ScanOutcome
    from headwater.runner.scan_result import CrawlProgress
    from headwater.settings import Settings


def format_crawl_progress(progress: CrawlProgress, max_pages: int | None, rate: float) -> str:
    """Return for example `12 pages  30 waiting  1 failed  8/s  about 4 s left`."""
    waiting = max(0, progress.known - progress.visited)  # an estimate: the store would have to count millions of rows
    pages = format_count(progress.visited, "page")
    to_visit = waiting if max_pages is None else min(waiting, max_pages - progress.visited)
    time_left = f"  about {to_visit / rate:,.0f} s left" if rate > 1 and to_visit else ""
    return f"{pages}  {waiting:,} waiting  {progress.failed:,} failed  {rate:,.0f}/s{time_left}"


def should_show_progress(settings: Settings) -> bool:
    """Return True if standard error is a terminal and --quiet was not given."""
    return sys.stderr.isatty() and not settings.quiet


def print_crawl_summary(outcome: ScanOutcome, settings: Settings, notes: Sequence[str] = ()) -> None:
    """Print how many pages were found, why others were not visited, and how to continue."""
    counts = outcome.result.counts
    fetched, known = format_count(counts.fetched, "page"), format_count(counts.known, "URL")
    lines = [f"\n{fetched} fetched, {counts.failed:,} failed, {known} known, in {outcome.seconds:.1f} s"]
    lines += format_deferred(counts, settings)
    lines += format_incomplete_notice(outcome.result, settings)
    lines += notes
    if counts.skipped:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(counts.skipped.items()))
        lines.append(f"Skipped: {reasons}")
    click.echo("\n".join([*lines, format_report_hint(settings)]), err=True)
