"""Run slices of claimed sites: each continues where the last one stopped, and stores its results."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from headwater.errors import LeaseLostError, StoreError
from headwater.frontier.timing.rescan_interval import compute_next_interval
from headwater.runner.scan_result import DEFERRED_MESSAGE
from headwater.runner.scan_runner import ProcessLimits, ScanRunner, ScanTask
from headwater.runner.scan_setup import public_settings
from headwater.runner.slices import Slice, SliceEndedError
from headwater.settings import build_settings
from headwater.store.postgres.batches import Fence
from headwater.store.postgres.store import PostgresStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headwater.settings import Settings
    from headwater.store import Scan
    from headwater.store.postgres.connection import ServerConnection
    from headwater.store.postgres.fleet import Claim, Fleet
    from headwater.worker.lease import Lease

UNFINISHED_STATES = frozenset({"running", "interrupted", "incomplete"})
MAX_TRIES = 3
"""Tries of a site whose robots.txt cannot be loaded before its scan counts as ended."""

log = logging.getLogger("headwater.worker")


class ClaimedSlice(Slice):
    """The running slice of a claimed site."""

    def __init__(self, claim: Claim, seconds: float, grace: float, on_pages: Callable[[int], None]) -> None:
        super().__init__(seconds, grace, on_pages)
        self.claim = claim


class SliceWorker:
    """Runs slices over one database connection; `overrides` are settings that apply to every site."""

    def __init__(
        self,
        fleet: Fleet,
        lease: Lease,
        settings: Settings,
        overrides: Mapping[str, object],
        crash_record_path: Callable[[int], str] = lambda _: "",
    ) -> None:
        self._fleet, self._lease, self._settings, self._overrides = fleet, lease, settings, overrides
        self._crash_record_path = crash_record_path
        self._limits = ProcessLimits.for_processes(settings.processes)
        self.active: dict[int, ClaimedSlice] = {}
        self.pages = self.slices = 0

    async def work(self, site: int, worker: int | None) -> bool:
        """Run a slice of a site; return True if the next one can start now."""
        claim = self._fleet.claim(site, worker)
        if claim is None:
            return False
        one = ClaimedSlice(claim, self._settings.slice_time, self._settings.grace, self._count)
        self.active[site] = one
        self.slices += 1
        try:
            return await self._work(one)
        except LeaseLostError as error:
            log.warning("slice lost", extra={"site": claim.seeds[0], "error": str(error)})
            return self._fleet.requeue_site(claim, 0.0)  # has no effect if another worker has claimed it
        except StoreError as error:
            log.error("slice aborted", extra={"site": claim.seeds[0], "error": str(error)})
            raise
        except Exception as error:
            log.exception("slice failed", extra={"site": claim.seeds[0]})
            self._fleet.postpone(claim, f"{type(error).__name__}: {error}")
        finally:
            del self.active[site]
        return False

    def _count(self, pages: int) -> None:
        self.pages += pages

    async def _work(self, one: ClaimedSlice) -> bool:
        claim = one.claim
        settings = build_settings({**claim.settings, **self._overrides})
        store = self._open_store(claim)
        scan = self._load_scan(claim, store, settings)
        log.info("slice started", extra={"site": claim.seeds[0], "scan": scan.number, "epoch": claim.epoch})
        runner = ScanRunner(
            ScanTask(store, scan, settings, one.make_listener(), self._limits, may_request=self._lease.is_held)
        )
        try:
            result = await runner.run_slice(one)
        except SliceEndedError:
            return self._fleet.requeue_site(claim, runner.required_pause) and runner.required_pause <= 0
        except asyncio.CancelledError:
            self._fleet.requeue_site(claim, runner.required_pause)
            raise
        self._finish(claim, store, scan.number, result.state)
        return False

    def _open_store(self, claim: Claim) -> PostgresStore:
        server: ServerConnection = self._fleet.server
        return PostgresStore(server, fence=Fence(claim.site, claim.epoch), path=self._crash_record_path(claim.site))

    def _load_scan(self, claim: Claim, store: PostgresStore, settings: Settings) -> Scan:
        """Return the unfinished scan of a site, or a new one."""
        scan = store.scan(claim.scan) if claim.scan is not None else None
        if scan is None or scan.state not in UNFINISHED_STATES:
            return self._fleet.create_scan(claim, public_settings(settings))
        if scan.state == "incomplete":
            store.retry_deferred(scan.number)
        return scan

    def _finish(self, claim: Claim, store: PostgresStore, scan: int, state: str) -> None:
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
