"""What a worker does beside its event loop: heartbeats, which no parsing may delay, and the fleet's house-keeping."""

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
    """Does something over its own connection, again and again, whatever the server does."""

    def __init__(self, name: str, settings: Settings, interval: float) -> None:
        super().__init__(name=name, daemon=True)
        self._settings, self._interval = settings, interval
        self._stopping = threading.Event()
        self._queue: SiteQueue | None = None
        self._server: ServerConnection | None = None
        self._connected_at = 0.0

    def run(self) -> None:
        while not self._stopping.is_set():
            self.look()
            try:
                self.tick(self._connect())
            except StoreError as error:
                log.warning("database away", extra={"part": self.name, "error": str(error)})
                self._disconnect()
            except Exception:
                log.exception("unexpected", extra={"part": self.name})
                self._disconnect()
            self._stopping.wait(self._interval)
        self._disconnect()

    def stop(self) -> None:
        """End soon, and wait for the end."""
        self._stopping.set()
        self.join()

    def look(self) -> None:
        """What needs no database."""

    def tick(self, queue: SiteQueue) -> None:
        """What it is there for."""
        raise NotImplementedError

    def seconds_connected(self) -> float:
        """Seconds since the server was reached anew."""
        return time.monotonic() - self._connected_at

    def _connect(self) -> SiteQueue:
        if self._queue is None:
            idle_limit = self._settings.stall_limit / 3  # whoever is stopped in the midst must not hold others up
            self._server = ServerConnection(self._settings.db, patience=0.0, idle_limit=idle_limit)
            self._queue = SiteQueue(self._server)
            self._connected_at = time.monotonic()
        return self._queue

    def _disconnect(self) -> None:
        if self._server is not None:
            self._server.close()
        self._queue = self._server = None


class HeartbeatThread(_PeriodicThread):
    """Says that the process lives, and renews its lease; ends the process if its parent has died."""

    def __init__(
        self,
        settings: Settings,
        lease: Lease,
        parent: int,
        told: Callable[[], WorkerReport | None],
        *,
        on_orphan: Callable[[], object],
        on_late: Callable[[], object],
    ) -> None:
        super().__init__("heartbeat", settings, settings.stall_limit / HEARTBEATS_PER_STALL)
        self._lease, self._told, self._on_parent_exit, self._on_lease_expired = lease, told, on_orphan, on_late
        self._parent = parent
        self._last = (time.monotonic(), 0)
        self._rate = 0.0

    def look(self) -> None:
        """Whether the parent lives; also while the database is away."""
        if os.getppid() != self._parent:
            self._on_parent_exit()

    def tick(self, queue: SiteQueue) -> None:
        """One heartbeat."""
        moment, beat = time.monotonic(), self._told()
        if not self._lease.is_held() and beat is not None and beat.sites:
            self._on_lease_expired()  # a lease that ran out is not renewed: first everything that relied on it has to end
            return
        if beat is None or queue.record_heartbeat(beat._replace(rate=self._update_rate(moment, beat.pages))):
            self._lease.renew(moment)

    def _update_rate(self, moment: float, pages: int) -> float:
        before, counted = self._last
        if moment > before:
            self._rate += _SMOOTHING * ((pages - counted) / (moment - before) - self._rate)
        self._last = (moment, pages)
        return round(self._rate, 2)


class MaintenanceThread(_PeriodicThread):
    """Sweeps and feeds when it is this process's turn, and looks whether our own sites are still ours and wanted."""

    def __init__(
        self,
        settings: Settings,
        under_way: Callable[[], Mapping[int, int]],
        tell: Callable[[int, str], object],
    ) -> None:
        super().__init__("house-keeping", settings, min(1.0, settings.stall_limit / HEARTBEATS_PER_STALL))
        self._under_way, self._tell = under_way, tell
        self._next_search = 0.0

    def tick(self, queue: SiteQueue) -> None:
        """After the server was away everybody gets the time for a heartbeat before anybody counts as silent."""
        stall, now = self._settings.stall_limit, time.monotonic()
        sweeps, searches = self.seconds_connected() > 2 * stall / HEARTBEATS_PER_STALL, now > self._next_search
        found = queue.run_maintenance(stall, self._settings.ready_sites, sweeps=sweeps, searches=searches)
        if searches:
            self._next_search = now + stall * random.uniform(0.5, 1.0)  # noqa: S311  (not all at the same time)
        if found and any(found):
            freed, lost = found
            log.warning("sites freed", extra={"silent": len(freed), "lost": len(lost)})
        mine = dict(self._under_way())
        if mine:
            self._check_sites(queue, mine)

    def _check_sites(self, queue: SiteQueue, mine: Mapping[int, int]) -> None:
        now = queue.watch(list(mine))
        for site, epoch in mine.items():
            current, state = now.get(site, (0, "gone"))
            if current > epoch:
                self._tell(site, "lost")
            elif state == "paused":
                self._tell(site, "paused")
