"""`headwater crawl`: every page that links lead to, printed as found or exported at the end (seed 002)."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.async_runner import run
from headwater.cli.display.crawl_progress import print_crawl_summary, should_show_progress, show_progress
from headwater.cli.display.result_output import StreamingPageWriter, make_truncation_note, write_scan
from headwater.cli.display.terminal import clear_line
from headwater.cli.display.text_streams import printable
from headwater.cli.options import add_setting_origin, settings_options
from headwater.cli.scan_commands.scan_session import choose_exit_code, start_scan
from headwater.runner.scan_runner import Listener, ScanRunner, ScanTask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.model import DiscoveredUrl, FetchFailure
    from headwater.runner.scan_result import CrawlProgress, ScanResult
    from headwater.settings import Settings
    from headwater.store import Scan, Store


@click.command("crawl")
@click.argument("urls", nargs=-1)
@click.option("--url", "more", multiple=True, metavar="URL", help="Where to start; the same as an argument")
@settings_options("scope", "urls", "limits", "fetch", "render", "store", "output")
def command(urls: tuple[str, ...], more: tuple[str, ...], **flags: Any) -> None:  # noqa: ANN401
    """Follow links from URLS to every page of the site.

    Without --format each new URL is printed as it is found: [page] -> [URL]. Failures go to stderr. The scan is kept
    in --db; after an interruption `headwater resume` goes on.
    """
    store, scan, settings, chosen = start_scan([*urls, *more], flags, "crawl")
    with add_setting_origin(chosen):
        finish_crawl(store, scan, settings, prints=chosen.origins["format"] == "default")


def finish_crawl(store: Store, scan: Scan, settings: Settings, *, prints: bool) -> None:
    """Crawl what waits, to the end or to the interruption, and write what was asked for."""
    started = time.monotonic()
    lines = StreamingPageWriter(store, scan, settings) if settings.format == "jsonl" and not prints else None
    result = run(_crawl(store, scan, settings, prints, lines))
    counts = result.counts
    notes: list[str] = []
    if lines:
        lines.finish()
    elif not prints:
        write_scan(store, scan, settings)
        notes = make_truncation_note(store, scan.number, settings)
    if not settings.quiet:
        print_crawl_summary(counts, time.monotonic() - started, result.limit, settings, notes)
    store.close()
    sys.exit(choose_exit_code(counts.fetched, counts.failed + counts.deferred, settings))


async def _crawl(
    store: Store, scan: Scan, settings: Settings, prints: bool, lines: StreamingPageWriter | None
) -> ScanResult:
    watchers: list[asyncio.Task[None]] = []

    def watch(loop: CrawlProgress) -> None:
        if should_show_progress(settings):
            watchers.append(asyncio.create_task(show_progress(loop, settings)))

    def say_found(found: Sequence[DiscoveredUrl]) -> None:
        lines = [f"[{one.parent_url}] -> [{one.url}]\n" for one in found if _is_listed(one, settings)]
        if should_show_progress(settings) and lines and sys.stdout.isatty():
            clear_line()
        sys.stdout.write("".join(lines))

    def say_failed(outcome: FetchFailure) -> None:
        sys.stderr.write(
            f"{outcome.reason}  {printable(outcome.url, 500)}  {printable(outcome.detail)}".rstrip() + "\n"
        )

    listener = Listener(
        on_found=say_found if prints else None,
        on_failed=say_failed,
        on_saved=lines.write_settled if lines else None,
        on_crawl_started=watch,
    )
    try:
        # What was printed as it was found stays as it was.
        return await ScanRunner(ScanTask(store, scan, settings, listener)).crawl(analyzes_links=not (prints or lines))
    finally:
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)
        if watchers:
            clear_line()


def _is_listed(one: DiscoveredUrl, settings: Settings) -> bool:
    return ("all" in settings.kinds or one.kind in settings.kinds) and not (one.kind == "page" and one.reason)
