"""A slice: some time of work on one site, which goes on where the last one stopped and leaves all it found."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from headwater.api import public_settings
from headwater.discovery.pipeline import compute_end_state, find_limit, open_context
from headwater.discovery.process_limits import ProcessLimits
from headwater.discovery.slices import Slice, SliceEndedError, get_required_pause
from headwater.discovery.stage_names import DEFERRED_MESSAGE
from headwater.errors import LeaseLostError, StoreError
from headwater.frontier.rescan_interval import compute_next_interval
from headwater.settings import build_settings
from headwater.store.postgres.batches import Fence
from headwater.store.postgres.store import PostgresStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headwater.discovery.stage import StageReport
    from headwater.settings import Settings
    from headwater.store.postgres.connection import ServerConnection
    from headwater.store.postgres.fleet import Claim, Fleet
    from headwater.worker.lease import Lease

UNFINISHED_STATES = frozenset({"running", "interrupted", "incomplete"})
MAX_TRIES = 3
"""So often a site whose robots.txt cannot be had is tried again before the scan counts as ended."""

log = logging.getLogger("headwater.worker")


class ClaimedSlice(Slice):
    """One claimed site under way."""

    def __init__(self, claim: Claim, seconds: float, grace: float, on_pages: Callable[[int], None]) -> None:
        super().__init__(seconds, grace, on_pages)
        self.claim = claim


class SliceWorker:
    """Works slices of sites over one connection; `overrides` are settings that hold for every site."""

    def __init__(
        self,
        fleet: Fleet,
        lease: Lease,
        settings: Settings,
        given: Mapping[str, object],
        note_path: Callable[[int], str] = lambda _: "",
    ) -> None:
        self._fleet, self._lease, self._settings, self._overrides = fleet, lease, settings, given
        self._crash_record_path = note_path
        self._limits = ProcessLimits.for_processes(settings.processes)
        self.under_way: dict[int, ClaimedSlice] = {}
        self.pages = self.slices = 0

    async def work(self, site: int, worker: int | None) -> bool:
        """One slice; true if the site wants another one now."""
        claim = self._fleet.claim(site, worker)
        if claim is None:
            return False
        one = ClaimedSlice(claim, self._settings.slice_time, self._settings.grace, self._count)
        self.under_way[site] = one
        self.slices += 1
        try:
            return await self._work(one)
        except LeaseLostError as error:
            log.warning("slice lost", extra={"site": claim.seeds[0], "error": str(error)})
            return self._fleet.requeue_site(claim, 0.0)  # nothing happens if somebody else has it
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

    async def _work(self, one: ClaimedSlice) -> bool:
        claim = one.claim
        settings = build_settings({**claim.settings, **self._overrides})
        store = self._store(claim)
        scan = self._scan(claim, store, settings)
        log.info("slice begins", extra={"site": claim.seeds[0], "scan": scan, "epoch": claim.epoch})
        delay = 0.0
        try:
            async with open_context(
                store, scan, claim.seeds, settings, one.listener(), may_request=self._lease.is_held, limits=self._limits
            ) as context:
                try:
                    reports = await one.run(context)
                finally:
                    delay = get_required_pause(context)
        except SliceEndedError:
            return self._fleet.requeue_site(claim, delay) and delay <= 0
        except asyncio.CancelledError:
            self._fleet.requeue_site(claim, delay)
            raise
        self._finish(claim, store, scan, reports)
        return False

    def _store(self, claim: Claim) -> PostgresStore:
        server: ServerConnection = self._fleet.server
        return PostgresStore(server, fence=Fence(claim.site, claim.epoch), path=self._crash_record_path(claim.site))

    def _scan(self, claim: Claim, store: PostgresStore, settings: Settings) -> int:
        """The scan to go on with, or a new one."""
        state = self._fleet.scan_state(claim.scan)
        if claim.scan is None or state not in UNFINISHED_STATES:
            return self._fleet.create_scan(claim, public_settings(settings)).number
        if state == "incomplete":
            store.retry_deferred(claim.scan)
        return claim.scan

    def _finish(self, claim: Claim, store: PostgresStore, scan: int, reports: list[StageReport]) -> None:
        state = compute_end_state(store.counts(scan), find_limit(reports))
        store.finish_scan(scan, state)
        log.info("site done", extra={"site": claim.seeds[0], "scan": scan, "state": state})
        if state == "incomplete" and claim.failures + 1 < MAX_TRIES:
            self._fleet.postpone(claim, DEFERRED_MESSAGE)
            return
        pace = claim.every
        if claim.every is not None and not claim.is_fixed:
            previous = store.previous_scan(scan)
            changed = None if previous is None else sum(1 for _ in store.changes(previous, scan))
            pace = compute_next_interval(claim.every, claim.pace, changed, store.count_listed(scan))
        self._fleet.finish(claim, pace, "" if state != "incomplete" else DEFERRED_MESSAGE)
