"""Scans that the page started: a short queue, a few processes of their own, one at a time for a site."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import deque
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from headwater.api import public_settings, without_secrets
from headwater.fetch.credentials import origin_of
from headwater.urls.parse import seed_url
from headwater.web.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.settings import Settings
    from headwater.store.browse import Browse
    from headwater.web.desk import Desk

MAX_RUNNING = 2
MAX_WAITING = 20
GRACE = 15.0
"""Seconds a scan has to keep what it found once it was told to stop."""


class Order(NamedTuple):
    """A scan to run: the settings hold what may not be stored, and reach the process by its standard input."""

    scan: int
    seeds: tuple[str, ...]
    settings: Settings
    goes_on: bool = False

    @property
    def sites(self) -> frozenset[str]:
        """The origins it visits."""
        return frozenset(origin_of(seed_url(seed)) for seed in self.seeds)


class Jobs:
    """Starts what waits as soon as there is room."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._waiting: deque[Order] = deque()
        self._running: dict[int, tuple[Order, asyncio.subprocess.Process | None]] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._stopped: set[int] = set()
        self._is_closing = False

    async def add(self, seeds: Sequence[str], settings: Settings) -> int:
        """Begin a new scan; gives its number."""
        self._check_room()
        clean, settings = without_secrets(seeds, settings)
        public = public_settings(settings)

        def begin(store: Browse) -> int:
            number = store.begin(clean, public).number
            store.mark(number, "queued")
            return number

        number = await self._desk.read(begin)
        self._enqueue(Order(number, tuple(clean), settings))
        return number

    async def go_on(self, scan: int, seeds: Sequence[str], settings: Settings) -> None:
        """Go on with a scan that ended early."""
        self._check_room()
        if scan in self._tasks:  # its end is noted a moment before its process is gone
            await asyncio.wait([self._tasks[scan]], timeout=GRACE)
        if self.holds(scan):
            raise Problem(409, f"scan {scan} is under way")
        self._enqueue(Order(scan, tuple(seeds), settings, goes_on=True))
        await self._desk.read(lambda store: store.mark(scan, "queued"))

    def holds(self, scan: int) -> bool:
        """Whether it waits or runs here."""
        return scan in self._running or any(order.scan == scan for order in self._waiting)

    async def stop(self, scan: int) -> None:
        """Take it out of the queue, or tell it to stop; what it found is kept."""
        for order in self._waiting:
            if order.scan == scan:
                self._waiting.remove(order)
                await self._desk.read(lambda store: store.end(scan, "interrupted"))
                return
        if scan not in self._running:
            raise Problem(409, f"scan {scan} does not run here: only what this page started can be stopped from it")
        self._stopped.add(scan)
        process = self._running[scan][1]
        if process is not None and process.returncode is None:
            process.send_signal(signal.SIGINT)

    async def close(self) -> None:
        """Tell every scan to stop, and wait until each has kept what it found."""
        self._is_closing = True
        for order in self._waiting:
            await self._desk.read(lambda store, number: store.end(number, "interrupted"), order.scan)
        self._waiting.clear()
        for scan in list(self._running):
            await self.stop(scan)
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=GRACE)
        for _, process in self._running.values():
            if process is not None:
                process.kill()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _check_room(self) -> None:
        if len(self._waiting) >= MAX_WAITING:
            raise Problem(429, f"{MAX_WAITING} scans wait already")

    def _enqueue(self, order: Order) -> None:
        self._waiting.append(order)
        self._start()

    def _start(self) -> None:
        for order in list(self._waiting):
            if self._is_closing or len(self._running) >= MAX_RUNNING:
                return
            if any(order.sites & other.sites for other, _ in self._running.values()):
                continue
            self._waiting.remove(order)
            self._running[order.scan] = (order, None)
            self._tasks[order.scan] = asyncio.create_task(self._run(order))

    async def _run(self, order: Order) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "headwater.web.job",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
                env={name: value for name, value in os.environ.items() if name != "HEADWATER_TOKEN"},
                start_new_session=True,
            )  # fmt: skip
            self._running[order.scan] = (order, process)
            if order.scan in self._stopped:
                process.kill()
            await process.communicate(_spoken(order, self._desk.db))
        finally:
            self._running.pop(order.scan, None)
            self._stopped.discard(order.scan)
            await self._desk.read(_settle, order.scan)
            self._tasks.pop(order.scan, None)
            self._start()


def _spoken(order: Order, db: str) -> bytes:
    return json.dumps(
        {"db": db, "scan": order.scan, "settings": asdict(order.settings), "goes_on": order.goes_on}
    ).encode()


def _settle(store: Browse, scan: int) -> None:
    """A process that died without a word leaves a scan that can go on."""
    now = store.scan(scan)
    if now is not None and now.state in {"queued", "running"}:
        store.end(scan, "interrupted")
