"""How a discovery looks on the terminal: a line a stage while it runs, and a summary at the end."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Self

import click

from headwater.cli.display.crawl_progress import format_time_left
from headwater.cli.display.incomplete_notice import format_incomplete_notice
from headwater.cli.display.result_output import make_truncation_note
from headwater.cli.display.terminal import clear_line, draw_line
from headwater.cli.display.text_streams import printable
from headwater.runner.scan_result import DEFERRED_MESSAGE, format_count
from headwater.runner.scan_result import STAGE_NAMES as NAMES
from headwater.settings import SETTINGS, redact_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from headwater.runner.scan_result import CrawlProgress, ScanResult, StageReport
    from headwater.settings import Settings
    from headwater.store import Scan, Store

_MARKS = {"done": "✓", "skipped": "–", "failed": "✗", "timed-out": "…"}
_INTERVAL = 0.2
_MAX_CLUSTERS = 8


class ScanProgress:
    """One line a stage on stderr; on a terminal the line of the stage that runs is alive."""

    def __init__(self, settings: Settings) -> None:
        self._quiet, self._max_pages = settings.quiet, settings.max_pages
        self._is_live = sys.stderr.isatty() and not settings.quiet
        self._current: StageReport | None = None
        self._began = 0.0
        self._loop: CrawlProgress | None = None
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
        """A stage begins or has ended."""
        with self._lock:
            if report.state == "running":
                self._current, self._began = report, time.monotonic()
                return
            self._current = self._loop = None
            if not self._quiet:
                self._clear()
                sys.stderr.write(format_stage(report) + "\n")
                sys.stderr.flush()

    def say(self, line: str) -> None:
        """A failure, above the line that is alive."""
        with self._lock:
            self._clear()
            sys.stderr.write(line + "\n")

    def watch(self, loop: CrawlProgress) -> None:
        """The crawl has begun."""
        self._loop = loop

    def _redraw(self) -> None:
        while not self._stop.wait(_INTERVAL):
            with self._lock:
                if self._current is not None:
                    seconds = time.monotonic() - self._began
                    draw_line(f"  ▸ {NAMES[self._current.name]:<11}{self._detail(seconds)}")

    def _detail(self, seconds: float) -> str:
        if self._loop is None:
            return f"{seconds:.0f} s"
        rate = self._loop.visited / seconds if seconds else 0.0
        waiting = max(0, self._loop.known - self._loop.visited)
        told = f"{self._loop.visited:,} pages  {waiting:,} waiting  {self._loop.failed:,} failed"
        return f"{told}  {rate:,.0f}/s  {seconds:.0f} s{format_time_left(self._max_pages, self._loop.visited, waiting, rate)}"

    def _clear(self) -> None:
        if self._is_live:
            clear_line()


def format_stage(report: StageReport) -> str:
    """`  ✓ sitemaps      340 URLs   0.4 s  3 files`."""
    name = NAMES.get(report.name, report.name)
    if report.state == "skipped":
        return f"  – {name:<11}skipped: {report.note}"
    limit = f"  ended by --{report.limit.replace('_', '-')}" if report.limit in SETTINGS else ""
    unit = "pages" if report.name == "merge" else "URLs "
    note = f"  {printable(report.note, 200)}" if report.note else ""
    state = "" if report.state == "done" else f"  {report.state}"
    mark = _MARKS.get(report.state, "?")
    return f"  {mark} {name:<11}{report.urls:>7,} {unit} {report.seconds:>6.1f} s{state}{note}{limit}"


def print_scan_summary(store: Store, scan: Scan, settings: Settings, result: ScanResult, seconds: float) -> None:
    """What was found, what was not visited and why, and where to look."""
    counts, sources = result.counts, store.sources(scan.number)
    verified = f"{counts.fetched:,} visited, {counts.failed:,} failed"
    lines = [f"\n{format_count(store.listed(scan.number), 'page')} ({verified}) in {seconds:.1f} s"]
    lines += _format_row("by source", _format_counts(sources.items()))
    lines += _format_row("by status", _format_counts(store.status_counts(scan.number).items()))
    lines += _format_row(
        "clusters", _format_counts((one.title, one.pages) for one in store.clusters(scan.number)[:_MAX_CLUSTERS])
    )
    lines += _format_row("not listed", _format_unlisted(store.list_counts(scan.number)))
    lines += _format_row("not visited", _format_counts(sorted(counts.skipped.items(), key=lambda item: -item[1])))
    lines += _format_gaps(store, scan.number, result.reports)
    lines += [f"  {line}" for line in make_truncation_note(store, scan.number, settings)]
    lines += _format_dropped_links(store, scan.number, settings)
    if counts.deferred:
        lines.append(f"  {counts.deferred:,} deferred: {DEFERRED_MESSAGE}; `headwater resume` tries again")
    if result.state in {"limited", "interrupted"}:
        lines.append(f"\n{format_incomplete_notice(result.limit, counts.waiting + counts.held, settings)}\n")
    db = redact_value("db", settings.db)
    lines.append(f"  kept in {db}; `headwater export --db {db} --format html -o report.html` shows it")
    click.echo("\n".join(lines), err=True)


def _format_gaps(store: Store, scan: int, reports: Sequence[StageReport]) -> list[str]:
    """What the sitemaps list and no link reaches, and the reverse; told when both stages ran."""
    ran = {report.name for report in reports if report.state == "done" and report.urls}
    if not {"sitemaps", "crawl"} <= ran:
        return []
    orphans, gaps = store.orphans_and_gaps(scan)
    return [f"  {orphans:,} only in sitemaps (no visited page links to them), {gaps:,} linked but in no sitemap"]


def _format_dropped_links(store: Store, scan: int, settings: Settings) -> list[str]:
    """Say that links beyond the limit were counted only."""
    if settings.links != "all" or settings.max_links is None or store.links.numbers(scan).kept < settings.max_links:
        return []
    return [f"  links beyond --max-links {settings.max_links:,} were counted and not kept"]


def _format_unlisted(counts: Mapping[str, int]) -> str:
    """`redirects 156, broken 28`: what was requested and is no page."""
    others = [(name, count) for name, count in counts.items() if name not in {"pages", "skipped"}]
    return f"{_format_counts(others)}; --list NAME writes them" if others else ""


def _format_row(name: str, text: str) -> list[str]:
    return [f"  {name:<12}{text}"] if text else []


def _format_counts(items: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{printable(name, 60)} {count:,}" for name, count in items)
