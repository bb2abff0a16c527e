"""A slice: some time of work on one site, which goes on where the last one stopped and leaves all it found."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from headwater.api import public_settings
from headwater.discovery.stage import Listener
from headwater.discovery.waterfall import discover_site, end_state, limit_of, open_context
from headwater.errors import FencedError, StoreError
from headwater.frontier.revisit import next_pace
from headwater.settings import from_mapping
from headwater.store.batches import Fence
from headwater.store.postgres import PostgresStore
from headwater.urls.parse import authority_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headwater.discovery.loop import Loop
    from headwater.discovery.stage import Context, StageReport
    from headwater.settings import Settings
    from headwater.store.connection import ServerConnection
    from headwater.store.fleet import Claim, Fleet
    from headwater.worker.lease import Lease

UNFINISHED = frozenset({"running", "interrupted", "incomplete"})
MOST_TRIES = 3
"""So often a site whose robots.txt cannot be had is tried again before the scan counts as ended."""

_LEAST = 0.25
"""The share of a slice that is left for the crawl, however long the stages before it took."""

log = logging.getLogger("headwater.worker")


class SliceOverError(Exception):
    """The time is up, or the site is to rest: what waits is for the next slice."""


class Slice:
    """One claimed site under way."""

    def __init__(self, claim: Claim, seconds: float, grace: float, on_pages: Callable[[int], None]) -> None:
        self.claim = claim
        self._seconds, self._grace, self._on_pages = seconds, grace, on_pages
        self._is_over = False
        self._crawl: Loop | None = None
        self._stage = ""
        self._task: asyncio.Task[object] | None = None
        self._until = 0.0

    async def run(self, context: Context) -> list[StageReport]:
        """Discover until the end, or until SliceOverError."""
        clock = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._until = clock.time() + self._seconds
        timer = clock.call_at(self._until, self._end_crawl)
        try:
            return await discover_site(context)
        except asyncio.CancelledError:
            if not self._is_over:
                raise
            raise SliceOverError from None
        finally:
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
            on_stage=self._hear, on_settled=lambda settled: self._on_pages(len(settled)), on_loop=self._watch
        )

    def _end_crawl(self) -> None:
        """The time is up. Only the crawl can go on where it stopped; the other stages are left to finish."""
        if self._stage == "crawl" and self._crawl is not None:
            self.stop()

    def _watch(self, crawl: Loop) -> None:
        self._crawl = crawl
        clock = asyncio.get_running_loop()
        if self._is_over:
            crawl.stop()
        elif clock.time() >= self._until:  # the stages before it took all the time
            clock.call_later(self._seconds * _LEAST, self._end_crawl)

    def _hear(self, report: StageReport) -> None:
        self._stage = report.name if report.state == "running" else ""
        if report.name == "crawl" and report.limit == "stopped":
            raise SliceOverError


class SliceWorker:
    """Works slices of sites over one connection; `given` are settings that hold for every site."""

    def __init__(
        self,
        fleet: Fleet,
        lease: Lease,
        settings: Settings,
        given: Mapping[str, object],
        note_path: Callable[[int], str] = lambda _: "",
    ) -> None:
        self._fleet, self._lease, self._settings, self._given = fleet, lease, settings, given
        self._note_path = note_path
        self.under_way: dict[int, Slice] = {}
        self.pages = self.slices = 0

    async def work(self, site: int, worker: int | None) -> bool:
        """One slice; true if the site wants another one now."""
        claim = self._fleet.claim(site, worker)
        if claim is None:
            return False
        one = Slice(claim, self._settings.slice_time, self._settings.grace, self._count)
        self.under_way[site] = one
        self.slices += 1
        try:
            return await self._work(one)
        except FencedError as error:
            log.warning("slice lost", extra={"site": claim.seeds[0], "error": str(error)})
            return self._fleet.hand_back(claim, 0.0)  # nothing happens if somebody else has it
        except StoreError as error:
            log.error("slice cut off", extra={"site": claim.seeds[0], "error": str(error)})
            raise
        except Exception as error:
            log.exception("slice failed", extra={"site": claim.seeds[0]})
            self._fleet.postpone(claim, f"{type(error).__name__}: {error}")
        finally:
            del self.under_way[site]
        return False

    def _count(self, pages: int) -> None:
        self.pages += pages

    async def _work(self, one: Slice) -> bool:
        claim = one.claim
        settings = from_mapping({**claim.settings, **self._given})
        store = self._store(claim)
        scan = self._scan(claim, store, settings)
        log.info("slice begins", extra={"site": claim.seeds[0], "scan": scan, "epoch": claim.epoch})
        delay = 0.0
        try:
            async with open_context(
                store, scan, claim.seeds, settings, one.listener(), may_request=self._lease.is_held
            ) as context:
                try:
                    reports = await one.run(context)
                finally:
                    delay = _pause_asked_for(context)
        except SliceOverError:
            return self._fleet.hand_back(claim, delay) and delay <= 0
        except asyncio.CancelledError:
            self._fleet.hand_back(claim, delay)
            raise
        self._finish(claim, store, scan, reports)
        return False

    def _store(self, claim: Claim) -> PostgresStore:
        server: ServerConnection = self._fleet.server
        return PostgresStore(server, fence=Fence(claim.site, claim.epoch), path=self._note_path(claim.site))

    def _scan(self, claim: Claim, store: PostgresStore, settings: Settings) -> int:
        """The scan to go on with, or a new one."""
        state = self._fleet.scan_state(claim.scan)
        if claim.scan is None or state not in UNFINISHED:
            return self._fleet.begin(claim, public_settings(settings)).number
        if state == "incomplete":
            store.retry_deferred(claim.scan)
        return claim.scan

    def _finish(self, claim: Claim, store: PostgresStore, scan: int, reports: list[StageReport]) -> None:
        state = end_state(store.counts(scan), limit_of(reports))
        store.end(scan, state)
        log.info("site done", extra={"site": claim.seeds[0], "scan": scan, "state": state})
        if state == "incomplete" and claim.failures + 1 < MOST_TRIES:
            self._fleet.postpone(claim, "robots.txt could not be had")
            return
        pace = claim.every
        if claim.every is not None and not claim.is_fixed:
            previous = store.previous(scan)
            changed = None if previous is None else sum(1 for _ in store.changes(previous, scan))
            pace = next_pace(claim.every, claim.pace, changed, store.listed(scan))
        self._fleet.finish(claim, pace, "" if state != "incomplete" else "robots.txt could not be had")


def _pause_asked_for(context: Context) -> float:
    """Seconds for which the host wants to be left alone: the next slice must not come before."""
    ready = context.stack.polite.pace_of(authority_of(context.roots[0])).ready_at()
    return max(0.0, ready - asyncio.get_running_loop().time()) if ready is not None else 0.0
