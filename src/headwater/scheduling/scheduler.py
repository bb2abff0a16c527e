"""Works a list of sites to its end: who is next, how many requests each may have, when others have their turn."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, NamedTuple, Protocol

from headwater.api import public_settings
from headwater.errors import StoreError, StoreFailedError
from headwater.scheduling.executors import InProcessExecutor, MultiProcessExecutor
from headwater.scheduling.scan_runner import BROKEN, HANDED_BACK, LOST

if TYPE_CHECKING:
    from headwater.scheduling.executors import ScanExecutor
    from headwater.scheduling.scan_runner import ScanEnd
    from headwater.settings import Settings
    from headwater.store import Store
    from headwater.store.site_list_store import SiteListEntry

TICK_SECONDS = 0.2
SITES_PER_PROCESS = 4
"""So many sites justify a process."""

MAX_SITE_CRASHES = 10
"""So often a site is tried whose process died; a page that kills is left alone after three times."""


class SchedulerListener(Protocol):
    """Who wants to know how it goes."""

    def ended(self, site: SiteListEntry, ended: ScanEnd, seconds: float) -> None:
        """A site has ended."""

    def tick(self, under_way: int, pages: int) -> None:
        """Some time has passed."""


class _ActiveSite(NamedTuple):
    """A site under way."""

    site: SiteListEntry
    started: float


class Scheduler:
    """One run over a list."""

    def __init__(self, store: Store, number: int, settings: Settings, watcher: SchedulerListener) -> None:
        self._store, self._lists, self._number = store, store.site_lists, number
        self._settings, self._watcher = settings, watcher
        self._public_settings = public_settings(settings)
        self._turns: dict[int, _ActiveSite] = {}
        self._taken: dict[int, float] = {}
        self._deaths: dict[int, int] = {}
        self._wake = asyncio.Event()
        self._problem = ""
        self._executor: ScanExecutor

    async def run(self, processes: int) -> None:
        """Until every site has ended, once."""
        if processes > 1:
            self._executor = MultiProcessExecutor(self._store, self._settings, processes, self._on_ended)
        else:
            self._executor = InProcessExecutor(self._store, self._settings, self._on_ended)
        try:
            while self._schedule():
                await self._rest()
        finally:
            await self._executor.stop()
        if self._problem:
            raise StoreFailedError(self._problem)

    def _schedule(self) -> bool:
        """Begin what there is room for; whether anything is left."""
        self._problem = self._problem or self._executor.problem
        if self._problem:
            return False
        self._start_sites()
        self._end_slices()
        self._watcher.tick(len(self._turns), self._executor.pages)
        return bool(self._turns) or self._lists.next_due(self._number) is not None

    async def _rest(self) -> None:
        try:
            await asyncio.wait_for(self._wake.wait(), TICK_SECONDS)
        except TimeoutError:
            return
        finally:
            self._wake.clear()

    def _start_sites(self) -> None:
        while len(self._turns) < self._settings.sites:
            busy = [turn.site.host for turn in self._turns.values()]
            site = self._lists.next_site(self._number, busy, time.time())
            if site is None:
                break
            scan = self._lists.start_site(site, self._public_settings)
            if site.scan is not None and not site.turn:
                self._store.retry_deferred(scan)
            self._turns[scan] = _ActiveSite(site, time.monotonic())
            self._executor.begin(scan)
        self._executor.allow(max(1, self._settings.max_parallel // max(1, len(self._turns))))

    def _end_slices(self) -> None:
        """Sites that have had their time make room, if others wait for it."""
        late = time.monotonic() - self._settings.slice_time
        over = [scan for scan, turn in self._turns.items() if turn.started < late]
        if over and self._lists.has_waiting_site(self._number, time.time()):
            for scan in over:
                self._executor.end_slice(scan)

    def _on_ended(self, ended: ScanEnd) -> None:
        self._wake.set()
        try:
            self._note(ended)
        except StoreError as error:
            self._problem = str(error)

    def _note(self, ended: ScanEnd) -> None:
        site, began = self._turns.pop(ended.scan)
        taken = self._taken.pop(site.number, 0.0) + time.monotonic() - began
        if ended.state == BROKEN:
            self._problem = ended.reason
        elif ended.state == HANDED_BACK or (ended.state == LOST and self._should_retry(site)):
            self._taken[site.number] = taken
            self._lists.requeue_site(site.number, time.time() + ended.pause if ended.pause else 0.0)
        else:
            state = "failed" if ended.state == LOST else ended.state
            self._lists.finish_site(site.number, state, ended.pages, ended.missing, ended.reason)
            self._watcher.ended(site, ended._replace(state=state), taken)

    def _should_retry(self, site: SiteListEntry) -> bool:
        self._deaths[site.number] = self._deaths.get(site.number, 0) + 1
        return self._deaths[site.number] < MAX_SITE_CRASHES


def choose_process_count(settings: Settings, sites: int) -> int:
    """As many as were asked for; else as many as there are cores, if the sites justify it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = settings.processes or min(cores, sites // SITES_PER_PROCESS)
    return max(1, min(wanted, sites, settings.sites))
