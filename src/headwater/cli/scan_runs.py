"""Run scans for the commands; the only module of the command line that starts work of `headwater.discovery`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import click

from headwater.cli.async_runner import run, stop_on_interrupt
from headwater.cli.display.closing_notes import format_resume_command
from headwater.discovery.pipeline import (
    compute_end_state,
    discover_site,
    find_incomplete_stages,
    find_limit,
    open_context,
)
from headwater.discovery.reachability import check_reachable
from headwater.discovery.stage import Listener, StageReport
from headwater.discovery.stages.crawl import crawl, enqueue_seeds
from headwater.discovery.stages.link_analysis import analyze_links
from headwater.discovery.stages.nav_scrape import NavigationStage
from headwater.discovery.stages.sitemaps import SitemapStage
from headwater.errors import UnreachableError
from headwater.plurals import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from headwater.settings import Settings
    from headwater.store import Counts, Scan, Store

__all__ = ["Listener", "ScanOutcome", "ScanSession", "crawl_links", "read_sitemaps", "run_scan", "run_stages"]


class ScanSession(NamedTuple):
    """A scan that this process may run, and the store that holds it."""

    store: Store
    scan: Scan
    settings: Settings


class ScanOutcome(NamedTuple):
    """The end of a scan; `limit` names the limit that ended it early, or is "interrupted"."""

    counts: Counts
    reports: list[StageReport]
    limit: str
    state: str
    seconds: float

    @property
    def incomplete(self) -> int:
        """Return the number of pages and stages that are incomplete."""
        return self.counts.failed + self.counts.deferred + len(find_incomplete_stages(self.reports))

    @property
    def is_cut_short(self) -> bool:
        """Return True if a limit or the user ended the scan before everything was visited."""
        return self.state in {"limited", "interrupted"}


def run_scan(session: ScanSession, stages: Coroutine[object, object, list[StageReport]]) -> ScanOutcome:
    """Run a scan and record how it ended. If it is interrupted, say how to continue it."""
    store, scan, settings = session
    started = time.monotonic()
    try:
        reports = run(stages)
    except BaseException as error:
        store.end(scan.number, "interrupted")
        if not settings.quiet and not isinstance(error, UnreachableError):
            pages = format_count(store.listed(scan.number), "page")
            command = format_resume_command(settings)
            click.echo(f"\n{pages} stored in {settings.shown_db}. Continue with: {command}", err=True)
        raise
    counts = store.counts(scan.number)
    limit = find_limit(reports, counts)
    state = compute_end_state(counts, limit)
    store.end(scan.number, state)
    return ScanOutcome(counts, reports, limit, state, time.monotonic() - started)


async def run_stages(session: ScanSession, listener: Listener, say: Callable[[str], None]) -> list[StageReport]:
    """Run every stage of a scan that is still to do; the first Ctrl-C ends it in order."""
    async with open_context(
        session.store, session.scan.number, session.scan.seeds, session.settings, listener
    ) as context:
        with stop_on_interrupt(lambda: context.stop("interrupted"), say):
            await check_reachable(context)
            return await discover_site(context)


async def crawl_links(session: ScanSession, listener: Listener, *, analyzes_links: bool) -> list[StageReport]:
    """Run only the crawl of a scan, without the stages around it."""
    store, scan, settings = session
    if not store.counts(scan.number).known:
        enqueue_seeds(store, scan.number, scan.seeds, settings)
    async with open_context(store, scan.number, scan.seeds, settings, listener) as context:
        loop = await crawl(context)
        if analyzes_links:
            await analyze_links(store, scan.number, settings.batch_size)
        return [StageReport("crawl", "done", limit=loop.limit_reached)]


async def read_sitemaps(session: ScanSession) -> StageReport:
    """Read the sitemaps of a site, including those its start page names, without visiting other pages."""
    async with open_context(session.store, session.scan.number, session.scan.seeds, session.settings) as context:
        await NavigationStage().run(context)
        return await SitemapStage().run(context)
