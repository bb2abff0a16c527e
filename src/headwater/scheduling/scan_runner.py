"""Several discoveries side by side on one event loop; each is begun by its scan's number and told of when it ends."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from headwater.discovery.pipeline import compute_end_state, find_incomplete_stages, find_limit, open_context
from headwater.discovery.process_limits import ProcessLimits
from headwater.discovery.slices import Slice, SliceEndedError, get_required_pause
from headwater.discovery.stage_names import DEFERRED_MESSAGE
from headwater.errors import HeadwaterError, StoreError
from headwater.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.discovery.stage import StageReport
    from headwater.fetch import FetchStack
    from headwater.settings import Settings
    from headwater.store import Store

HANDED_BACK, BROKEN, LOST = "waiting", "broken", "lost"
"""Ends that are none: it goes on later; the store cannot be written; its process died."""


class ScanEnd(NamedTuple):
    """How the work on a scan ended, for now or for good."""

    scan: int
    state: str
    pages: int = 0
    missing: int = 0
    reason: str = ""
    pause: float = 0.0


class _RunningScan:
    """One discovery: its slice, and its connections once they are open."""

    def __init__(self, grace: float, on_pages: Callable[[int], None]) -> None:
        self.slice = Slice(None, grace, on_pages)
        self.stack: FetchStack | None = None
        self.task: asyncio.Task[None] | None = None


class ScanRunner:
    """What one process works on."""

    def __init__(self, store: Store, settings: Settings, tell: Callable[[ScanEnd], None]) -> None:
        self._store, self._tell = store, tell
        self._settings = replace(settings, render_parallel=settings.render_parallel or 1)
        self._under_way: dict[int, _RunningScan] = {}
        self._places = settings.max_parallel
        self._limits = ProcessLimits.for_processes(settings.processes)
        self.pages = 0

    def begin(self, scan: int) -> None:
        """Work on a scan."""
        one = self._under_way[scan] = _RunningScan(self._settings.grace, self._count)
        one.task = asyncio.create_task(self._run(scan, one))

    def end_slice(self, scan: int) -> None:
        """Let others have their turn, if it is in a stage that can go on later."""
        if scan in self._under_way:
            self._under_way[scan].slice.end_crawl()

    def allow(self, places: int) -> None:
        """So many requests each discovery may have under way."""
        self._places = places
        for one in self._under_way.values():
            if one.stack is not None:
                one.stack.polite.allow(places)

    async def stop(self) -> None:
        """Stop everything; what was settled is kept."""
        tasks = [one.task for one in self._under_way.values() if one.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _count(self, pages: int) -> None:
        self.pages += pages

    async def _run(self, scan: int, one: _RunningScan) -> None:
        try:
            ended = await self._discover(scan, one)
        except asyncio.CancelledError:
            self._store.finish_scan(scan, "interrupted")
            raise
        except StoreError as error:
            ended = ScanEnd(scan, BROKEN, reason=str(error))
        except HeadwaterError as error:
            ended = self._failed(scan, str(error))
        except Exception as error:  # noqa: BLE001  (whatever a site makes us stumble over, the others go on)
            ended = self._failed(scan, f"{type(error).__name__}: {error}"[:300])
        finally:
            del self._under_way[scan]
        self._tell(ended)

    async def _discover(self, scan: int, one: _RunningScan) -> ScanEnd:
        found = self._store.scan(scan)
        assert found is not None
        pause = 0.0
        try:
            async with open_context(
                self._store, scan, found.seeds, self._settings, one.slice.listener(), limits=self._limits
            ) as context:
                one.stack = context.stack
                one.stack.polite.allow(self._places)
                try:
                    reports = await one.slice.run(context)
                finally:
                    pause = get_required_pause(context)
        except SliceEndedError:
            return ScanEnd(scan, HANDED_BACK, pause=pause)
        return self._finished(scan, reports)

    def _finished(self, scan: int, reports: list[StageReport]) -> ScanEnd:
        counts, pages = self._store.counts(scan), self._store.count_listed(scan)
        limit = find_limit(reports, counts)
        state = compute_end_state(counts, limit)
        self._store.finish_scan(scan, state)
        is_reached = counts.fetched or any(report.urls for report in reports if report.name in {"nav", "sitemaps"})
        problems = [report.note for report in find_incomplete_stages(reports)]
        missing = counts.failed + counts.deferred + len(problems)
        if not is_reached:
            return ScanEnd(
                scan, "failed", 0, missing, self._find_unreachable_reason(scan) or next(filter(None, problems), "")
            )
        stopped = f"stopped by --{limit.replace('_', '-')}" if limit in SETTINGS else DEFERRED_MESSAGE
        why = {"limited": stopped, "incomplete": DEFERRED_MESSAGE}
        return ScanEnd(scan, state, pages, missing, why.get(state) or next(filter(None, problems), ""))

    def _find_unreachable_reason(self, scan: int) -> str:
        """What the last request for robots.txt came to, or the one for the first page."""
        newest = [self._store.evidence(scan, kind)[-1:] for kind in ("robots_txt", "nav_scrape")]
        return next((one.error for tried in newest for one in tried if one.error and not one.success), "")

    def _failed(self, scan: int, reason: str) -> ScanEnd:
        try:
            self._store.finish_scan(scan, "interrupted")
            return ScanEnd(scan, "failed", self._store.count_listed(scan), 1, reason)
        except StoreError as error:
            return ScanEnd(scan, BROKEN, reason=str(error))
