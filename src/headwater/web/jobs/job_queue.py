"""Scans and dives that the page started: a short queue, a few processes of their own, one at a time for a site."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import deque
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from headwater.fetch.credentials import origin_of
from headwater.runner.scan_setup import extract_credentials, public_settings
from headwater.urls.parsing import parse_seed_url
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.settings import Settings
    from headwater.store.browse_store import BrowseStore
    from headwater.web.serving.store_readers import StoreReaders

    JobKey = tuple[str, int]

MAX_RUNNING = 2
MAX_QUEUED = 20
STOP_TIMEOUT = 15.0
"""Seconds a scan has to keep what it found once it was told to stop."""

NICENESS = 10
"""How much lower the priority of scans and dives is than that of the server."""


class Job(NamedTuple):
    """A scan to run, or a dive into it: the settings hold what may not be stored, and reach the process by its
    standard input."""

    scan: int
    seeds: tuple[str, ...]
    settings: Settings
    is_resumed: bool = False
    dive: int = 0

    @property
    def key(self) -> JobKey:
        """What tells it from others."""
        return ("dive", self.dive) if self.dive else ("scan", self.scan)

    @property
    def module(self) -> str:
        """What runs it."""
        return "headwater.web.jobs.dive_process" if self.dive else "headwater.web.jobs.scan_process"

    @property
    def sites(self) -> frozenset[str]:
        """The origins it visits."""
        return frozenset(origin_of(parse_seed_url(seed)) for seed in self.seeds)


class JobQueue:
    """Starts what waits as soon as there is room."""

    def __init__(self, desk: StoreReaders) -> None:
        self._readers = desk
        self._waiting: deque[Job] = deque()
        self._running: dict[JobKey, tuple[Job, asyncio.subprocess.Process | None]] = {}
        self._tasks: dict[JobKey, asyncio.Task[None]] = {}
        self._stopped: set[JobKey] = set()
        self._is_closing = False

    async def add(self, seeds: Sequence[str], settings: Settings) -> int:
        """Begin a new scan; gives its number."""
        self.check_capacity()
        clean, settings = extract_credentials(seeds, settings)
        public = public_settings(settings)

        def begin(store: BrowseStore) -> int:
            number = store.begin(clean, public).number
            store.mark(number, "queued")
            return number

        number = await self._readers.read(begin)
        self._enqueue(Job(number, tuple(clean), settings))
        return number

    async def resume_scan(self, scan: int, seeds: Sequence[str], settings: Settings) -> None:
        """Go on with a scan that ended early."""
        self.check_capacity()
        await self.wait_for_end(("scan", scan))
        self._enqueue(Job(scan, tuple(seeds), settings, is_resumed=True))
        await self._readers.read(lambda store: store.mark(scan, "queued"))

    def dive(self, dive: int, scan: int, seeds: Sequence[str], settings: Settings) -> None:
        """Carry out a dive that was begun in the store."""
        if self.get_job_state(("dive", dive)):
            raise Problem(409, f"dive {dive} is under way")
        self._enqueue(Job(scan, tuple(seeds), settings, dive=dive))

    async def wait_for_end(self, key: JobKey) -> None:
        """Until it is over, if it is about to be; a problem if it is not."""
        task, (order, _) = self._tasks.get(key), self._running.get(key, (None, None))
        if task and (order is None or await self._readers.read(_has_ended, order)):
            await asyncio.wait([task], timeout=STOP_TIMEOUT)  # its end is noted a moment before its process is gone
        if self.get_job_state(key):
            raise Problem(409, f"{key[0]} {key[1]} is under way")

    def holds(self, scan: int) -> bool:
        """Whether it waits or runs here."""
        return bool(self.get_job_state(("scan", scan)))

    def get_job_state(self, key: JobKey) -> str:
        """Whether it is running or queued here, or nothing."""
        is_queued = any(order.key == key for order in self._waiting)
        return "running" if key in self._running else "queued" if is_queued else ""

    async def stop(self, scan: int) -> None:
        """Stop a scan."""
        await self.stop_job(("scan", scan))

    async def stop_job(self, key: JobKey) -> None:
        """Take it out of the queue, or tell it to stop; what it found is kept."""
        for order in self._waiting:
            if order.key == key:
                self._waiting.remove(order)
                await self._readers.read(_interrupt, order)
                return
        if key not in self._running:
            named = f"{key[0]} {key[1]}"
            raise Problem(409, f"{named} does not run here: only what this page started can be stopped from it")
        self._stopped.add(key)
        process = self._running[key][1]
        if process is not None and process.returncode is None:
            process.send_signal(signal.SIGINT)

    async def close(self) -> None:
        """Tell every scan to stop, and wait until each has kept what it found."""
        self._is_closing = True
        for order in self._waiting:
            await self._readers.read(_interrupt, order)
        self._waiting.clear()
        for key in list(self._running):
            await self.stop_job(key)
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=STOP_TIMEOUT)
        for _, process in self._running.values():
            if process is not None:
                process.kill()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def check_capacity(self) -> None:
        """A problem if too many wait."""
        if len(self._waiting) >= MAX_QUEUED:
            raise Problem(429, f"{MAX_QUEUED} scans wait already")

    def _enqueue(self, order: Job) -> None:
        self._waiting.append(order)
        self._start()

    def _start(self) -> None:
        for order in list(self._waiting):
            if self._is_closing or len(self._running) >= MAX_RUNNING:
                return
            if any(order.sites & other.sites for other, _ in self._running.values()):
                continue
            self._waiting.remove(order)
            self._running[order.key] = (order, None)
            self._tasks[order.key] = asyncio.create_task(self._run(order))

    async def _run(self, order: Job) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", order.module,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
                env={name: value for name, value in os.environ.items() if name != "HEADWATER_TOKEN"},
                start_new_session=True,
            )  # fmt: skip
            self._running[order.key] = (order, process)
            _lower_priority(process.pid)
            if order.key in self._stopped:
                process.kill()
            await process.communicate(_encode_job(order, self._readers.db))
        finally:
            self._running.pop(order.key, None)
            self._stopped.discard(order.key)
            await self._readers.read(_interrupt_unless_ended, order)
            self._tasks.pop(order.key, None)
            self._start()


def _lower_priority(pid: int) -> None:
    """Let a process have less of a busy processor than those who answer requests."""
    with suppress(ProcessLookupError):
        os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)


def _encode_job(order: Job, db: str) -> bytes:
    return json.dumps(
        {
            "db": db,
            "scan": order.scan,
            "dive": order.dive,
            "settings": asdict(order.settings),
            "goes_on": order.is_resumed,
        }
    ).encode()


def _interrupt_unless_ended(store: BrowseStore, order: Job) -> None:
    """A process that died without a word leaves a scan or dive that can go on."""
    if not _has_ended(store, order):
        _interrupt(store, order)


def _has_ended(store: BrowseStore, order: Job) -> bool:
    now = store.dives.dive(order.dive) if order.dive else store.scan(order.scan)
    return now is None or now.state not in {"queued", "running"}


def _interrupt(store: BrowseStore, order: Job) -> None:
    if order.dive:
        store.dives.end(order.dive, "interrupted")
    else:
        store.end(order.scan, "interrupted")
