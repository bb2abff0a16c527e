"""Publish the progress of a scan in its store, and poll the store for stop requests."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.errors import ScanStoppedError
from headwater.event_loop import cancel_tasks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from headwater.discovery.context import Listener, ScanState, ScanTask
    from headwater.discovery.visits.crawl_loop import CrawlLoop
    from headwater.model import FetchFailure

PUBLISH_INTERVAL = 0.5
SLOW_PUBLISH_INTERVAL = 2.0
"""Seconds between two events: in the first minutes, and in a long scan."""

SLOW_AFTER = 300.0
STOP_POLL_INTERVAL = 1.0
KEEPALIVE_INTERVAL = 5.0
"""Seconds after which an event is written even if nothing changed, so that readers can tell a dead scan."""

MAX_REASONS = 20


class ProgressReporter:
    """Counts events of a scan; never queries the store, which would have to count millions of rows."""

    def __init__(self, task: ScanTask, state: ScanState) -> None:
        self.is_stopped = False
        self.listener: Listener = replace(
            task.listener, on_failed=self._on_failed, on_crawl_started=self._on_crawl_started
        )
        self._store, self._scan, self._inner, self._state = task.store, task.scan.number, task.listener, state
        self._loop: CrawlLoop | None = None
        self._failures: Counter[str] = Counter()
        self._started = time.monotonic()
        self._published: dict[str, object] = {}
        self._published_at = self._polled_at = 0.0

    async def run_until_cancelled(self, scan: asyncio.Task[object] | None) -> None:
        """Publish at intervals; cancel the scan when a stop is requested."""
        while True:
            is_slow = time.monotonic() - self._started > SLOW_AFTER
            await asyncio.sleep(SLOW_PUBLISH_INTERVAL if is_slow else PUBLISH_INTERVAL)
            self.publish()
            if self._is_stop_requested() and scan is not None:
                self.is_stopped = True
                scan.cancel()
                return

    def publish(self) -> None:
        """Write a progress event if anything changed."""
        now = time.monotonic()
        snapshot = self._build_snapshot()
        if snapshot == self._published and now - self._published_at < KEEPALIVE_INTERVAL:
            return
        self._published, self._published_at = snapshot, now
        self._store.add_event(self._scan, "progress", {**snapshot, "seconds": round(now - self._started, 2)})

    def _is_stop_requested(self) -> bool:
        now = time.monotonic()
        if now - self._polled_at < STOP_POLL_INTERVAL:
            return False
        self._polled_at = now
        return self._store.is_stop_requested(self._scan)

    def _build_snapshot(self) -> dict[str, object]:
        loop = self._loop
        visited, known = (loop.visited, loop.known) if loop else (0, 0)
        return {
            "named": self._state.listed_count,
            "visited": visited,
            "waiting": max(0, known - visited),
            "failed": loop.failed if loop else 0,
            "depth": loop.depth if loop else 0,
            "errors": dict(self._failures.most_common(MAX_REASONS)),
        }

    def _on_failed(self, failure: FetchFailure) -> None:
        self._failures[failure.reason] += 1
        if self._inner.on_failed:
            self._inner.on_failed(failure)

    def _on_crawl_started(self, loop: CrawlLoop) -> None:
        self._loop = loop
        if self._inner.on_crawl_started:
            self._inner.on_crawl_started(loop)


@asynccontextmanager
async def report_progress(task: ScanTask, state: ScanState) -> AsyncIterator[Listener]:
    """Publish the progress of a scan inside the block; yield the listener that the scan must call.

    A store that no other process can open gets no events.
    """
    if not task.store.is_shared:
        yield task.listener
        return
    task.store.clear_stop_request(task.scan.number)
    reporter = ProgressReporter(task, state)
    scan = asyncio.current_task()
    publisher = asyncio.create_task(reporter.run_until_cancelled(scan))
    try:
        yield reporter.listener
        reporter.publish()
    except asyncio.CancelledError:
        if not reporter.is_stopped or scan is None or scan.uncancel():
            raise
        raise ScanStoppedError("stopped by a request from another process") from None
    finally:
        await cancel_tasks((publisher,))
