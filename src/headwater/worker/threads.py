"""Threads of a worker: heartbeats, which parsing must not delay, and maintenance of the queue."""

from __future__ import annotations

import logging
import os
import random
import threading
import time
from typing import TYPE_CHECKING

from headwater.errors import StoreError
from headwater.store.postgres.connection import ServerConnection
from headwater.worker.site_queue import SiteQueue, WorkerReport

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headwater.settings import Settings
    from headwater.worker.lease import Lease

HEARTBEATS_PER_STALL = 5
"""Heartbeats in one stall limit."""

_SMOOTHING = 0.3
log = logging.getLogger("headwater.worker")


class _PeriodicThread(threading.Thread):
    """Repeats a task over its own connection, and reconnects after errors."""

    def __init__(self, name: str, settings: Settings, interval: float) -> None:
        super().__init__(name=name, daemon=True)
        self._settings, self._interval = settings, interval
        self._stopping = threading.Event()
        self._queue: SiteQueue | None = None
        self._server: ServerConnection | None = None
        self._connected_at = 0.0

    def run(self) -> None:
        while not self._stopping.is_set():
            self.check()
            try:
                self.tick(self._connect())
            except StoreError as error:
                log.warning("database unavailable", extra={"part": self.name, "error": str(error)})
                self._disconnect()
            except Exception:
                log.exception("unexpected error", extra={"part": self.name})
                self._disconnect()
            self._stopping.wait(self._interval)
        self._disconnect()

    def stop(self) -> None:
        """Stop the thread, and wait until it has ended."""
        self._stopping.set()
        self.join()

    def check(self) -> None:
        """Do the part of the task that needs no database."""

    def tick(self, queue: SiteQueue) -> None:
        """Do the part of the task that needs the database."""
        raise NotImplementedError

    def seconds_connected(self) -> float:
        """Return the seconds since the last connection was made."""
        return time.monotonic() - self._connected_at

    def _connect(self) -> SiteQueue:
        if self._queue is None:
            idle_limit = self._settings.stall_limit / 3  # a suspended process must not hold locks
            self._server = ServerConnection(self._settings.db, reconnect_timeout=0.0, idle_limit=idle_limit)
            self._queue = SiteQueue(self._server)
            self._connected_at = time.monotonic()
        return self._queue

    def _disconnect(self) -> None:
        if self._server is not None:
            self._server.close()
        self._queue = self._server = None


class HeartbeatThread(_PeriodicThread):
    """Sends heartbeats and renews the lease; stops the process if its parent has ended."""

    def __init__(
        self,
        settings: Settings,
        lease: Lease,
        parent: int,
        make_report: Callable[[], WorkerReport | None],
        *,
        on_parent_exit: Callable[[], object],
        on_lease_expired: Callable[[], object],
    ) -> None:
        super().__init__("heartbeat", settings, settings.stall_limit / HEARTBEATS_PER_STALL)
        self._lease, self._parent, self._make_report = lease, parent, make_report
        self._on_parent_exit, self._on_lease_expired = on_parent_exit, on_lease_expired
        self._last = (time.monotonic(), 0)
        self._rate = 0.0

    def check(self) -> None:
        """Check that the parent is alive."""
        if os.getppid() != self._parent:
            self._on_parent_exit()

    def tick(self, queue: SiteQueue) -> None:
        """Send a heartbeat; an expired lease is renewed only once all slices that relied on it have ended."""
        moment, report = time.monotonic(), self._make_report()
        if not self._lease.is_held() and report is not None and report.sites:
            self._on_lease_expired()
            return
        if report is None or queue.record_heartbeat(report._replace(rate=self._update_rate(moment, report.pages))):
            self._lease.renew(moment)

    def _update_rate(self, moment: float, pages: int) -> float:
        before, counted = self._last
        if moment > before:
            self._rate += _SMOOTHING * ((pages - counted) / (moment - before) - self._rate)
        self._last = (moment, pages)
        return round(self._rate, 2)


class MaintenanceThread(_PeriodicThread):
    """Maintains the queue if no other worker does, and checks if the sites of this process were claimed or paused."""

    def __init__(
        self,
        settings: Settings,
        get_epochs: Callable[[], Mapping[int, int]],
        on_site_changed: Callable[[int, str], object],
    ) -> None:
        super().__init__("maintenance", settings, min(1.0, settings.stall_limit / HEARTBEATS_PER_STALL))
        self._get_epochs, self._on_site_changed = get_epochs, on_site_changed
        self._next_search = 0.0

    def tick(self, queue: SiteQueue) -> None:
        """Maintain the queue; after a reconnect all workers get time for a heartbeat before any counts as silent."""
        stall, now = self._settings.stall_limit, time.monotonic()
        should_sweep, should_search = (
            self.seconds_connected() > 2 * stall / HEARTBEATS_PER_STALL,
            now > self._next_search,
        )
        found = queue.run_maintenance(
            stall, self._settings.ready_sites, should_sweep=should_sweep, should_search=should_search
        )
        if should_search:
            self._next_search = now + stall * random.uniform(0.5, 1.0)  # noqa: S311  (workers must not search at the same time)
        if found and any(found):
            freed, lost = found
            log.warning("sites freed", extra={"silent": len(freed), "lost": len(lost)})
        epochs = dict(self._get_epochs())
        if epochs:
            self._check_sites(queue, epochs)

    def _check_sites(self, queue: SiteQueue, epochs: Mapping[int, int]) -> None:
        now = queue.get_site_states(list(epochs))
        for site, epoch in epochs.items():
            current, state = now.get(site, (0, "gone"))
            if current > epoch:
                self._on_site_changed(site, "lost")
            elif state == "paused":
                self._on_site_changed(site, "paused")
