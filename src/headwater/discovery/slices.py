"""A slice of a discovery: it is stopped when others are to have their turn, and goes on in the next one."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING

from headwater.discovery.pipeline import discover_site
from headwater.discovery.stage import Listener
from headwater.urls.parsing import get_authority

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.discovery.stage import ScanContext, StageReport
    from headwater.discovery.visits.crawl_loop import CrawlLoop

_MIN_CRAWL_SHARE = 0.25
"""The share of a slice that is left for the crawl, however long the stages before it took."""


class SliceEndedError(Exception):
    """The time is up, or the site is to rest: what waits is for the next slice."""


class Slice:
    """One discovery under way, for so many seconds, or, without a number, until `end_crawl` is called."""

    def __init__(self, seconds: float | None, grace: float, on_pages: Callable[[int], None]) -> None:
        self._seconds, self._grace, self._on_pages = seconds, grace, on_pages
        self._is_over = False
        self._crawl: CrawlLoop | None = None
        self._stage = ""
        self._task: asyncio.Task[object] | None = None
        self._until = 0.0

    async def run(self, context: ScanContext) -> list[StageReport]:
        """Discover until the end, or until SliceOverError."""
        clock = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._until = math.inf if self._seconds is None else clock.time() + self._seconds
        timer = None if self._seconds is None else clock.call_at(self._until, self.end_crawl)
        try:
            return await discover_site(context)
        except asyncio.CancelledError:
            if not self._is_over:
                raise
            raise SliceEndedError from None
        finally:
            if timer is not None:
                timer.cancel()
            self._task = None

    def stop(self) -> None:
        """Begin nothing more; what is under way has the grace period."""
        if self._is_over:
            return
        self._is_over = True
        asyncio.get_running_loop().call_later(self._grace, self.cancel)
        if self._crawl is not None:
            self._crawl.stop()

    def cancel(self) -> None:
        """Stop at once; what was settled is kept, if the site is still ours."""
        self._is_over = True
        if self._task is not None:
            self._task.cancel()

    def listener(self) -> Listener:
        """What the discovery tells us."""
        return Listener(
            on_stage=self._hear, on_saved=lambda settled: self._on_pages(len(settled)), on_crawl_started=self._watch
        )

    def end_crawl(self) -> None:
        """The time is up. Only the crawl can go on where it stopped; the other stages are left to finish."""
        if self._stage == "crawl" and self._crawl is not None:
            self.stop()

    def _watch(self, crawl: CrawlLoop) -> None:
        self._crawl = crawl
        clock = asyncio.get_running_loop()
        if self._is_over:
            crawl.stop()
        elif self._seconds is not None and clock.time() >= self._until:  # the stages before it took all the time
            clock.call_later(self._seconds * _MIN_CRAWL_SHARE, self.end_crawl)

    def _hear(self, report: StageReport) -> None:
        self._stage = report.name if report.state == "running" else ""
        if report.name == "crawl" and report.limit == "stopped":
            raise SliceEndedError


def get_required_pause(context: ScanContext) -> float:
    """Seconds for which a host of the site wants to be left alone: the next slice must not come before."""
    hosts = {get_authority(url) for url in (*context.entry_urls, *context.store.redirected_seeds(context.scan))}
    until = [context.stack.polite.get_rate_limiter(host).get_next_start() or 0.0 for host in hosts]
    return max(0.0, max(until) - asyncio.get_running_loop().time())
