"""Slices: a scan of a long list is stopped after some time so that other sites can run, and resumed later."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, TypeVar

from headwater.discovery.context import Listener

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from headwater.discovery.stage import StageReport
    from headwater.discovery.visits.crawl_loop import CrawlLoop

Result = TypeVar("Result")
_MIN_CRAWL_SHARE = 0.25
"""The share of a slice that is left for the crawl, however long the stages before it took."""


class SliceEndedError(Exception):
    """The slice has ended before the scan; the remaining candidates are for the next slice."""


class Slice:
    """One slice of `seconds`, or, if None, one that lasts until `end_crawl` is called."""

    def __init__(self, seconds: float | None, grace: float, on_pages: Callable[[int], None]) -> None:
        self._seconds, self._grace, self._on_pages = seconds, grace, on_pages
        self._is_over = False
        self._crawl: CrawlLoop | None = None
        self._stage = ""
        self._task: asyncio.Task[object] | None = None
        self._deadline = 0.0

    async def run(self, scan: Awaitable[Result]) -> Result:
        """Return the result of a scan; raise SliceEndedError if the slice ends first."""
        clock = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._deadline = math.inf if self._seconds is None else clock.time() + self._seconds
        timer = None if self._seconds is None else clock.call_at(self._deadline, self.end_crawl)
        try:
            return await scan
        except asyncio.CancelledError:
            if not self._is_over:
                raise
            raise SliceEndedError from None
        finally:
            if timer is not None:
                timer.cancel()
            self._task = None

    def stop(self) -> None:
        """Start no more visits; active ones have the grace period to finish."""
        if self._is_over:
            return
        self._is_over = True
        asyncio.get_running_loop().call_later(self._grace, self.cancel)
        if self._crawl is not None:
            self._crawl.stop()

    def cancel(self) -> None:
        """Stop at once; finished visits are stored if the site still belongs to this process."""
        self._is_over = True
        if self._task is not None:
            self._task.cancel()

    def make_listener(self) -> Listener:
        """Return the listener that the scan must have."""
        return Listener(
            on_stage=self._on_stage,
            on_saved=lambda saved: self._on_pages(len(saved)),
            on_crawl_started=self._on_crawl_started,
        )

    def end_crawl(self) -> None:
        """End the slice if the crawl is active, which can be resumed; other stages are left to finish."""
        if self._stage == "crawl" and self._crawl is not None:
            self.stop()

    def _on_crawl_started(self, crawl: CrawlLoop) -> None:
        self._crawl = crawl
        clock = asyncio.get_running_loop()
        if self._is_over:
            crawl.stop()
        elif self._seconds is not None and clock.time() >= self._deadline:  # earlier stages took all the time
            clock.call_later(self._seconds * _MIN_CRAWL_SHARE, self.end_crawl)

    def _on_stage(self, report: StageReport) -> None:
        self._stage = report.name if report.state == "running" else ""
        if report.name == "crawl" and report.limit == "stopped":
            raise SliceEndedError
