"""What those who watch a discovery from elsewhere are told, in the store, now and then; and what they wish."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.errors import ScanStoppedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from headwater.discovery.stage import Listener, ScanContext
    from headwater.discovery.visits.crawl_loop import CrawlLoop
    from headwater.model import FetchFailure

PUBLISH_INTERVAL = 0.5
SLOW_PUBLISH_INTERVAL = 2.0
"""Seconds between two events: in the first minutes, and in a discovery that takes long."""

STOP_POLL_INTERVAL = 1.0
"""Seconds between two looks whether somebody wants it to stop."""

SLOW_AFTER = 300.0
KEEPALIVE_INTERVAL = 5.0
"""Seconds after which an event is written though nothing changed, so that a discovery that died can be told."""


class ProgressReporter:
    """Counts beside the discovery; asks nothing of the store, which would have to count millions of rows."""

    def __init__(self, context: ScanContext) -> None:
        self._context = context
        self._loop: CrawlLoop | None = None
        self._failed: Counter[str] = Counter()
        self._began = time.monotonic()
        self._told: dict[str, object] = {}
        self._told_at = self._polled_at = 0.0
        self.is_stopped = False

    def attach(self, listener: Listener) -> Listener:
        """The listener, heard too by this one."""
        return replace(listener, on_failed=self._on_failed(listener), on_crawl_started=self._on_crawl_started(listener))

    async def run_until_cancelled(self, discovery: asyncio.Task[object] | None) -> None:
        """Tell now and then, until cancelled; a discovery that somebody wants to stop ends as if by Ctrl-C."""
        while True:
            long = time.monotonic() - self._began > SLOW_AFTER
            await asyncio.sleep(SLOW_PUBLISH_INTERVAL if long else PUBLISH_INTERVAL)
            self.tell()
            if self._is_stop_requested() and discovery is not None:
                self.is_stopped = True
                discovery.cancel()
                return

    def _is_stop_requested(self) -> bool:
        now = time.monotonic()
        if now - self._polled_at < STOP_POLL_INTERVAL:
            return False
        self._polled_at = now
        return self._context.store.is_stop_requested(self._context.scan)

    def tell(self) -> None:
        """Write down how far it has come, if there is anything new."""
        now = time.monotonic()
        numbers = self._numbers()
        if numbers == self._told and now - self._told_at < KEEPALIVE_INTERVAL:
            return
        seconds = round(now - self._began, 2)
        self._told, self._told_at = numbers, now
        self._context.store.add_event(self._context.scan, "progress", {**numbers, "seconds": seconds})

    def _numbers(self) -> dict[str, object]:
        loop = self._loop
        visited, known = (loop.visited, loop.known) if loop else (0, 0)
        return {
            "named": self._context.listed_count,
            "visited": visited,
            "waiting": max(0, known - visited),
            "failed": loop.failed if loop else 0,
            "depth": loop.depth if loop else 0,
            "errors": dict(self._failed.most_common(20)),
        }

    def _on_failed(self, listener: Listener) -> Callable[[FetchFailure], None]:
        def note(outcome: FetchFailure) -> None:
            self._failed[outcome.reason] += 1
            if listener.on_failed:
                listener.on_failed(outcome)

        return note

    def _on_crawl_started(self, listener: Listener) -> Callable[[CrawlLoop], None]:
        def note(loop: CrawlLoop) -> None:
            self._loop = loop
            if listener.on_crawl_started:
                listener.on_crawl_started(loop)

        return note


@asynccontextmanager
async def report_progress(context: ScanContext) -> AsyncIterator[None]:
    """As long as the block lasts, tell of it; a store that nobody else can open is not written to."""
    if not context.store.is_shared:
        yield
        return
    context.store.clear_stop_request(context.scan)
    reporter = ProgressReporter(context)
    context.listener = reporter.attach(context.listener)
    discovery = asyncio.current_task()
    task = asyncio.create_task(reporter.run_until_cancelled(discovery))
    try:
        yield
        reporter.tell()
    except asyncio.CancelledError:
        if not reporter.is_stopped or discovery is None or discovery.uncancel():
            raise
        raise ScanStoppedError("stopped by somebody who watches it") from None
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
