"""Run several scans at once on one event loop; each is started by its number and reported when it ends."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from headwater.errors import HeadwaterError, StoreError
from headwater.runner.scan_result import DEFERRED_MESSAGE
from headwater.runner.scan_runner import ProcessLimits, ScanRunner, ScanTask
from headwater.runner.slices import Slice, SliceEndedError
from headwater.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.runner.scan_result import ScanResult
    from headwater.settings import Settings
    from headwater.store import Store

YIELDED, STORE_FAILED, PROCESS_DIED = "waiting", "broken", "lost"
"""States of scans that have not ended: resumed later; the store cannot be written; the process died."""


STOP_TIMEOUT = 1.2
"""Seconds that scans have to store their results when everything stops."""


class ScanEnd(NamedTuple):
    """The end of a slice or of a scan; `missing` counts pages and stages that could not be loaded."""

    scan: int
    state: str
    pages: int = 0
    missing: int = 0
    reason: str = ""
    pause: float = 0.0


class _ActiveScan:
    """A running scan; `runner` is set once the scan is loaded."""

    def __init__(self, current: Slice) -> None:
        self.slice = current
        self.runner: ScanRunner | None = None
        self.task: asyncio.Task[None] | None = None


class ScanPool:
    """The scans that one process runs."""

    problem = ""

    def __init__(self, store: Store, settings: Settings, on_ended: Callable[[ScanEnd], None]) -> None:
        self._store, self._on_ended = store, on_ended
        self._settings = replace(settings, render_parallel=settings.render_parallel or 1)
        self._active: dict[int, _ActiveScan] = {}
        self._max_requests = settings.max_parallel
        self._limits = ProcessLimits.for_processes(settings.processes)
        self.pages = 0

    def begin(self, number: int) -> None:
        """Start or resume a scan."""
        active = self._active[number] = _ActiveScan(Slice(None, self._settings.grace, self._count))
        active.task = asyncio.create_task(self._run(number, active))

    def end_slice(self, number: int) -> None:
        """End the slice of a scan if it is in a stage that can be resumed."""
        if number in self._active:
            self._active[number].slice.end_crawl()

    def limit_requests(self, max_requests: int) -> None:
        """Change the number of requests that each scan may have active at once."""
        self._max_requests = max_requests
        for one in self._active.values():
            if one.runner is not None:
                one.runner.limit_requests(max_requests)

    async def stop(self) -> None:
        """Stop all scans within `STOP_TIMEOUT`; finished visits are stored."""
        tasks = [one.task for one in self._active.values() if one.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.wait([asyncio.gather(*tasks, return_exceptions=True)], timeout=STOP_TIMEOUT)

    def _count(self, pages: int) -> None:
        self.pages += pages

    async def _run(self, number: int, active: _ActiveScan) -> None:
        try:
            ended = await self._run_slice(number, active)
        except asyncio.CancelledError:
            self._store.finish_scan(number, "interrupted")
            raise
        except StoreError as error:
            ended = ScanEnd(number, STORE_FAILED, reason=str(error))
        except HeadwaterError as error:
            ended = self._report_failure(number, str(error))
        except Exception as error:  # noqa: BLE001  (an error of one site must not stop the others)
            ended = self._report_failure(number, f"{type(error).__name__}: {error}"[:300])
        finally:
            del self._active[number]
        self._on_ended(ended)

    async def _run_slice(self, number: int, active: _ActiveScan) -> ScanEnd:
        scan = self._store.scan(number)
        assert scan is not None
        listener = active.slice.make_listener()
        runner = active.runner = ScanRunner(ScanTask(self._store, scan, self._settings, listener, self._limits))
        runner.limit_requests(self._max_requests)
        try:
            return self._report_end(number, await runner.run_slice(active.slice))
        except SliceEndedError:
            return ScanEnd(number, YIELDED, pause=runner.required_pause)

    def _report_end(self, number: int, result: ScanResult) -> ScanEnd:
        problem = next(filter(None, result.problems), "")
        if not result.is_reached:
            return ScanEnd(number, "failed", 0, result.missing, self._find_unreachable_reason(number) or problem)
        limit = f"stopped by --{result.limit.replace('_', '-')}" if result.limit in SETTINGS else DEFERRED_MESSAGE
        reason = {"limited": limit, "incomplete": DEFERRED_MESSAGE}.get(result.state) or problem
        return ScanEnd(number, result.state, self._store.count_listed(number), result.missing, reason)

    def _find_unreachable_reason(self, number: int) -> str:
        """Return the error of the last request for robots.txt or for a start page."""
        newest = [self._store.evidence(number, kind)[-1:] for kind in ("robots_txt", "nav_scrape")]
        return next((one.error for tried in newest for one in tried if one.error and not one.success), "")

    def _report_failure(self, number: int, reason: str) -> ScanEnd:
        try:
            self._store.finish_scan(number, "interrupted")
            return ScanEnd(number, "failed", self._store.count_listed(number), 1, reason)
        except StoreError as error:
            return ScanEnd(number, STORE_FAILED, reason=str(error))
