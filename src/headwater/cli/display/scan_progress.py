"""Progress of `headwater discover` and `headwater crawl`, one line per stage, and the summary of `discover`."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Self

import click

from headwater.cli.display.closing_notes import (
    format_deferred,
    format_diagnosis,
    format_incomplete_notice,
    format_lost_session,
    format_missing_browser,
    format_report_hint,
    format_unvisited_by_shape,
)
from headwater.cli.display.crawl_progress import format_crawl_progress, should_show_progress
from headwater.cli.display.result_output import make_truncation_note
from headwater.cli.display.terminal import clear_line, draw_line
from headwater.cli.display.text_streams import printable
from headwater.plurals import format_count
from headwater.runner.scan_result import STAGE_NAMES
from headwater.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from headwater.cli.scan_runs import ScanOutcome, ScanSession
    from headwater.model import FetchFailure
    from headwater.runner.scan_result import CrawlProgress, StageReport
    from headwater.settings import Settings
    from headwater.store import Store

_MARKS = {"done": "✓", "skipped": "–", "failed": "✗", "timed-out": "…"}
_INTERVAL = 0.2
_MAX_CLUSTERS = 8


class ScanProgress:
    """Prints one line per stage to stderr; on a terminal, the line of the running stage is redrawn."""

    def __init__(self, settings: Settings, stage: str = "") -> None:
        self._quiet, self._max_pages = settings.quiet, settings.max_pages
        self._is_live = should_show_progress(settings)
        self._stage = stage
        self._started = time.monotonic()
        self._crawl: CrawlProgress | None = None
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._ticker = threading.Thread(target=self._redraw, daemon=True)

    def __enter__(self) -> Self:
        if self._is_live:
            self._ticker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._is_live:
            self._ticker.join()
            self._clear()

    def show(self, report: StageReport) -> None:
        """Show that a stage has started or ended."""
        with self._lock:
            if report.state == "running":
                self._stage, self._started = report.name, time.monotonic()
                return
            self._stage, self._crawl = "", None
            if not self._quiet:
                self._clear()
                sys.stderr.write(format_stage(report) + "\n")
                sys.stderr.flush()

    def say(self, line: str) -> None:
        """Print a message above the line of the running stage."""
        with self._lock:
            self._clear()
            sys.stderr.write(line + "\n")

    def say_failed(self, outcome: FetchFailure) -> None:
        """Print a page that failed to load, unless --quiet was given."""
        if not self._quiet:
            self.say(f"{outcome.reason}  {printable(outcome.url, 500)}  {printable(outcome.detail)}".rstrip())

    def print_result(self, text: str) -> None:
        """Write results to standard output; on a terminal, they replace the line of the running stage."""
        with self._lock:
            if sys.stdout.isatty():
                self._clear()
            sys.stdout.write(text)

    def watch(self, crawl: CrawlProgress) -> None:
        """Show the counts of this crawl from now on."""
        self._crawl = crawl

    def _redraw(self) -> None:
        while not self._stop.wait(_INTERVAL):
            with self._lock:
                if self._stage:
                    seconds = time.monotonic() - self._started
                    draw_line(f"  ▸ {STAGE_NAMES[self._stage]:<11}{self._format_detail(seconds)}")

    def _format_detail(self, seconds: float) -> str:
        if self._crawl is None:
            return f"{seconds:.0f} s"
        rate = self._crawl.visited / seconds if seconds else 0.0
        return f"{format_crawl_progress(self._crawl, self._max_pages, rate)}  {seconds:.0f} s"

    def _clear(self) -> None:
        if self._is_live:
            clear_line()


def format_stage(report: StageReport) -> str:
    """Return for example `  ✓ sitemaps      340 URLs     0.4 s  3 files`."""
    name = STAGE_NAMES.get(report.name, report.name)
    if report.state == "skipped":
        return f"  – {name:<11}skipped: {report.note}"
    limit = f"  ended by {SETTINGS[report.limit].flag}" if report.limit in SETTINGS else ""
    unit = "page" if report.name == "merge" else "URL"
    count = f"{report.urls:>7,} {unit if report.urls == 1 else unit + 's':<5}"
    note = f"  {printable(report.note, 200)}" if report.note else ""
    state = "" if report.state == "done" else f"  {report.state}"
    mark = _MARKS.get(report.state, "?")
    return f"  {mark} {name:<11}{count} {report.seconds:>6.1f} s{state}{note}{limit}"


def print_scan_summary(session: ScanSession, outcome: ScanOutcome) -> None:
    """Print the pages by source, status and cluster, the URLs that are not listed and why, and how to continue."""
    store, number, settings, counts = session.store, session.scan.number, session.settings, outcome.result.counts
    visited = f"{counts.fetched:,} visited, {counts.failed:,} failed"
    lines = [f"\n{format_count(store.count_listed(number), 'page')} ({visited}) in {outcome.seconds:.1f} s"]
    clusters = store.clusters(number)[:_MAX_CLUSTERS]
    lines += _format_row("by source", store.source_counts(number).items())
    lines += _format_row("by status", store.status_counts(number).items())
    lines += _format_row("clusters", ((cluster.title, cluster.pages) for cluster in clusters), separator=" · ")
    lines += _format_row("not listed", _select_unlisted(store.list_counts(number)), "; write them with --list NAME")
    lines += _format_row("duplicates", store.duplicate_counts(number).items())
    lines += _format_row("skipped", sorted(counts.skipped.items(), key=lambda item: -item[1]))
    notes = [
        *_format_sitemap_gaps(store, number, outcome.result.reports),
        *make_truncation_note(store, number, settings),
        *_format_dropped_links(store, number, settings),
        *format_unvisited_by_shape(store, number, settings),
        *format_lost_session(store, number, settings),
        *format_missing_browser(store, number),
        *format_deferred(counts, settings),
    ]
    lines += [f"  {note}" for note in notes]
    lines += format_incomplete_notice(outcome.result, settings)
    lines += [f"  {format_report_hint(settings)}", *format_diagnosis(store, number)]
    click.echo("\n".join(lines), err=True)


def _format_sitemap_gaps(store: Store, scan: int, reports: Sequence[StageReport]) -> list[str]:
    """Compare the sitemaps with the links, if both stages found URLs."""
    ran = {report.name for report in reports if report.state == "done" and report.urls}
    if not {"sitemaps", "crawl"} <= ran:
        return []
    orphans, gaps = store.orphans_and_gaps(scan)
    return [f"{format_count(orphans, 'page')} only in sitemaps, {gaps:,} linked but in no sitemap"]


def _format_dropped_links(store: Store, scan: int, settings: Settings) -> list[str]:
    """Return a line that says that links beyond the limit were not stored, if there were any."""
    if (
        settings.links != "all"
        or settings.max_links is None
        or store.links.next_numbers(scan).kept_links < settings.max_links
    ):
        return []
    return [f"Links beyond --max-links {settings.max_links:,} were counted but not stored"]


def _select_unlisted(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the lists of URLs that were requested but are not pages, for example redirects."""
    return [(name, count) for name, count in counts.items() if name not in {"pages", "skipped"}]


def _format_row(name: str, items: Iterable[tuple[str, int]], note: str = "", separator: str = ", ") -> list[str]:
    text = separator.join(f"{printable(item, 60)} {count:,}" for item, count in items)
    return [f"  {name:<12}{text}{note}"] if text else []
