"""Run one scan: open its connections, run its stages, and store its end state."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from headwater.discovery.context import Listener, ScanTask
from headwater.discovery.deadline import ScanDeadline
from headwater.discovery.pipeline import discover_site, open_context
from headwater.discovery.process_limits import ProcessLimits
from headwater.discovery.reachability import check_reachable
from headwater.discovery.session_check import record_lost_session
from headwater.discovery.stages.crawl import crawl, enqueue_seeds, find_shape_limit
from headwater.discovery.stages.link_analysis import analyze_links
from headwater.discovery.stages.nav_scrape import NavigationStage
from headwater.discovery.stages.sitemaps import SitemapStage
from headwater.runner.scan_result import summarize_scan
from headwater.urls.parsing import get_authority

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from headwater.discovery.context import ScanContext
    from headwater.discovery.stage import StageReport
    from headwater.fetch import FetchStack
    from headwater.runner.scan_result import ScanResult
    from headwater.runner.slices import Slice

__all__ = ["Listener", "ProcessLimits", "ScanRunner", "ScanTask"]


class ScanRunner:
    """Runs one scan, new or interrupted. `required_pause` is set by `run_slice`."""

    def __init__(self, task: ScanTask) -> None:
        self.required_pause = 0.0
        """Seconds for which a host of the site must not be requested: the next slice has to wait."""

        self._task, self._deadline = task, ScanDeadline()
        self._stack: FetchStack | None = None
        self._max_requests = task.settings.max_parallel

    async def run(self) -> ScanResult:
        """Run all stages; raise UnreachableError if no connection to the site is possible."""
        with self._mark_interrupted():
            async with self._open() as context:
                await check_reachable(context)
                reports = await discover_site(context)
        return self._finish(reports)

    async def run_slice(self, current: Slice) -> ScanResult:
        """Run the stages until the slice ends; raise SliceEndedError if that is before the end of the scan."""
        async with self._open() as context:
            try:
                reports = await current.run(discover_site(context))
            finally:
                self.required_pause = _compute_required_pause(context)
        return self._finish(reports)

    async def crawl(self, *, analyzes_links: bool) -> ScanResult:
        """Follow links only, without the other stages."""
        with self._mark_interrupted():
            async with self._open() as context:
                if not context.store.counts(context.scan).known:
                    enqueue_seeds(context)
                loop = await crawl(context)
                if analyzes_links:
                    await analyze_links(context.store, context.scan, context.settings.batch_size)
                if context.settings.analyze:
                    context.store.mark_near_duplicates(context.scan)
                await record_lost_session(context)
                limit = loop.limit_reached or find_shape_limit(context)
        return self._finish((), limit)

    async def read_sitemaps(self) -> StageReport:
        """Read the sitemaps only, and the start pages, which may name some."""
        async with self._open() as context:
            await NavigationStage().run(context)
            return await SitemapStage().run(context)

    def stop(self, reason: str) -> None:
        """Start no more requests; the pages found so far are classified. `reason` becomes the limit of the result."""
        self._deadline.stop(reason)

    def limit_requests(self, max_requests: int) -> None:
        """Change the number of requests that may be active at once."""
        self._max_requests = max_requests
        if self._stack is not None:
            self._stack.polite.set_max_in_flight(max_requests)

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[ScanContext]:
        async with open_context(self._task, self._deadline) as context:
            self._stack = context.stack
            if self._max_requests != self._task.settings.max_parallel:
                self.limit_requests(self._max_requests)
            yield context

    @contextmanager
    def _mark_interrupted(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._task.store.finish_scan(self._task.scan.number, "interrupted")
            raise

    def _finish(self, reports: Sequence[StageReport], limit: str = "") -> ScanResult:
        store, number = self._task.store, self._task.scan.number
        result = summarize_scan(reports, store.counts(number), limit)
        store.finish_scan(number, result.state)
        return result


def _compute_required_pause(context: ScanContext) -> float:
    """Return the seconds for which a host of the site has asked not to be requested."""
    hosts = {get_authority(url) for url in (*context.entry_urls, *context.store.redirected_seeds(context.scan))}
    starts = [context.stack.polite.get_rate_limiter(host).get_next_start() or 0.0 for host in hosts]
    return max(0.0, max(starts) - asyncio.get_running_loop().time())
