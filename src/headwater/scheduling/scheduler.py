"""Schedule the sites of a list: which site is next, how many requests each may have, and when a slice ends."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from headwater.errors import StoreError, StoreFailedError
from headwater.runner.scan_setup import public_settings
from headwater.scheduling.executors import MultiProcessExecutor
from headwater.scheduling.scan_pool import PROCESS_DIED, STORE_FAILED, YIELDED, ScanPool

if TYPE_CHECKING:
    from headwater.scheduling.executors import ScanExecutor
    from headwater.scheduling.scan_pool import ScanEnd
    from headwater.settings import Settings
    from headwater.store import Store
    from headwater.store.site_list_store import SiteListEntry

TICK_SECONDS = 0.2
SITES_PER_PROCESS = 4
"""Sites for which one more process is started."""

MAX_SITE_CRASHES = 10
"""Crashes after which a site is no longer retried; a page that crashes the parser is skipped after three."""


class SchedulerListener(Protocol):
    """Receives the progress of a list."""

    def on_site_ended(self, site: SiteListEntry, end: ScanEnd, seconds: float) -> None:
        """Handle the end of a site."""

    def tick(self, active: int, pages: int) -> None:
        """Handle the current number of active sites and visited pages, at short intervals."""


class _ActiveSite(NamedTuple):
    """A site whose slice is running."""

    site: SiteListEntry
    started: float


class Scheduler:
    """Runs the unfinished sites of a list."""

    def __init__(self, store: Store, number: int, settings: Settings, listener: SchedulerListener) -> None:
        self._store, self._lists, self._number = store, store.site_lists, number
        self._settings, self._listener = settings, listener
        self._public_settings = public_settings(settings)
        self._active: dict[int, _ActiveSite] = {}
        self._seconds_by_site: dict[int, float] = {}
        self._crashes: dict[int, int] = {}
        self._wake = asyncio.Event()
        self._problem = ""
        self._executor: ScanExecutor

    async def run(self, processes: int) -> None:
        """Run every site once, to its end."""
        if processes > 1:
            self._executor = MultiProcessExecutor(self._store, self._settings, processes, self._on_ended)
        else:
            self._executor = ScanPool(self._store, replace(self._settings, processes=1), self._on_ended)
        try:
            while self._schedule():
                await self._wait()
        finally:
            await self._executor.stop()
        if self._problem:
            raise StoreFailedError(self._problem)

    def _schedule(self) -> bool:
        """Start sites and end slices; return False when nothing is left to do."""
        self._problem = self._problem or self._executor.problem
        if self._problem:
            return False
        self._start_sites()
        self._end_slices()
        self._listener.tick(len(self._active), self._executor.pages)
        return bool(self._active) or self._lists.next_due(self._number) is not None

    async def _wait(self) -> None:
        try:
            await asyncio.wait_for(self._wake.wait(), TICK_SECONDS)
        except TimeoutError:
            return
        finally:
            self._wake.clear()

    def _start_sites(self) -> None:
        while len(self._active) < self._settings.sites:
            busy = [one.site.host for one in self._active.values()]
            site = self._lists.next_site(self._number, busy, time.time())
            if site is None:
                break
            scan = self._lists.start_site(site, self._public_settings)
            if site.scan is not None and not site.turn:
                self._store.retry_deferred(scan)
            self._active[scan] = _ActiveSite(site, time.monotonic())
            self._executor.begin(scan)
        self._executor.limit_requests(max(1, self._settings.max_parallel // max(1, len(self._active))))

    def _end_slices(self) -> None:
        """End the slices of sites that have used their time, if other sites are waiting."""
        cutoff = time.monotonic() - self._settings.slice_time
        over = [scan for scan, one in self._active.items() if one.started < cutoff]
        if over and self._lists.has_waiting_site(self._number, time.time()):
            for scan in over:
                self._executor.end_slice(scan)

    def _on_ended(self, ended: ScanEnd) -> None:
        self._wake.set()
        try:
            self._handle_end(ended)
        except StoreError as error:
            self._problem = str(error)

    def _handle_end(self, ended: ScanEnd) -> None:
        site, started = self._active.pop(ended.scan)
        seconds = self._seconds_by_site.pop(site.number, 0.0) + time.monotonic() - started
        if ended.state == STORE_FAILED:
            self._problem = ended.reason
        elif ended.state == YIELDED or (ended.state == PROCESS_DIED and self._should_retry(site)):
            self._seconds_by_site[site.number] = seconds
            self._lists.requeue_site(site.number, time.time() + ended.pause if ended.pause else 0.0)
        else:
            state = "failed" if ended.state == PROCESS_DIED else ended.state
            self._lists.finish_site(site.number, state, ended.pages, ended.missing, ended.reason)
            self._listener.on_site_ended(site, ended._replace(state=state), seconds)

    def _should_retry(self, site: SiteListEntry) -> bool:
        self._crashes[site.number] = self._crashes.get(site.number, 0) + 1
        return self._crashes[site.number] < MAX_SITE_CRASHES


def choose_process_count(settings: Settings, sites: int) -> int:
    """Return the number of processes: the setting, or one per core if there are enough sites."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = settings.processes or min(cores, sites // SITES_PER_PROCESS)
    return max(1, min(wanted, sites, settings.sites))
