"""Scans and dives that were started through the server: a short queue, a few processes, one job per site at a time."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import deque
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from headwater.runner.scan_setup import extract_credentials, public_settings
from headwater.urls.parsing import get_origin, parse_seed_url
from headwater.web.jobs.job_process import JobInput
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
"""Seconds that a scan has to store its results after a stop request."""

NICENESS = 10
"""Difference between the CPU priority of the server and that of its scans and dives."""


class Job(NamedTuple):
    """A scan to run, or a dive into it; the settings may contain credentials."""

    scan: int
    seeds: tuple[str, ...]
    settings: Settings
    is_resumed: bool = False
    dive: int = 0

    @property
    def key(self) -> JobKey:
        """Identity of the job."""
        return ("dive", self.dive) if self.dive else ("scan", self.scan)

    @property
    def module(self) -> str:
        """Module that its process runs."""
        return "headwater.web.jobs.dive_process" if self.dive else "headwater.web.jobs.scan_process"

    @property
    def sites(self) -> frozenset[str]:
        """Origins that it requests."""
        return frozenset(get_origin(parse_seed_url(seed)) for seed in self.seeds)

    def make_input(self, db: str) -> JobInput:
        """Return what its process is given."""
        return JobInput(db, self.scan, self.dive, asdict(self.settings), self.is_resumed)


class JobQueue:
    """Starts queued jobs as processes, a few at a time."""

    def __init__(self, readers: StoreReaders) -> None:
        self._readers = readers
        self._queued: deque[Job] = deque()
        self._running: dict[JobKey, tuple[Job, asyncio.subprocess.Process | None]] = {}
        self._tasks: dict[JobKey, asyncio.Task[None]] = {}
        self._stopped: set[JobKey] = set()
        self._is_closing = False

    async def enqueue_scan(self, seeds: Sequence[str], settings: Settings) -> int:
        """Queue a new scan and return its number."""
        self.check_capacity()
        clean, settings = extract_credentials(seeds, settings)
        public = public_settings(settings)

        def begin(store: BrowseStore) -> int:
            number = store.create_scan(clean, public).number
            store.set_scan_state(number, "queued")
            return number

        number = await self._readers.read(begin)
        self._enqueue(Job(number, tuple(clean), settings))
        return number

    async def resume_scan(self, scan: int, seeds: Sequence[str], settings: Settings) -> None:
        """Queue a scan that ended early."""
        self.check_capacity()
        await self.wait_for_end(("scan", scan))
        await self._readers.read(lambda store: store.set_scan_state(scan, "queued"))  # its process requires this state
        self._raise_if_present(("scan", scan))  # another request may have resumed it in the meantime
        self._enqueue(Job(scan, tuple(seeds), settings, is_resumed=True))

    def enqueue_dive(self, dive: int, scan: int, seeds: Sequence[str], settings: Settings) -> None:
        """Queue a dive that exists in the store."""
        self._raise_if_present(("dive", dive))
        self._enqueue(Job(scan, tuple(seeds), settings, dive=dive))

    async def wait_for_end(self, key: JobKey) -> None:
        """Wait until a job that is about to end has ended; raise Problem if it runs on."""
        task, (job, _) = self._tasks.get(key), self._running.get(key, (None, None))
        if task and (job is None or await self._readers.read(_has_ended, job)):
            await asyncio.wait([task], timeout=STOP_TIMEOUT)  # the store knows a moment before the process exits
        self._raise_if_present(key)

    def has_scan(self, scan: int) -> bool:
        """Return True if a scan is running or queued here."""
        return bool(self.get_job_state(("scan", scan)))

    def get_job_state(self, key: JobKey) -> str:
        """Return "running", "queued", or an empty text for a job that is not here."""
        is_queued = any(job.key == key for job in self._queued)
        return "running" if key in self._running else "queued" if is_queued else ""

    async def stop_job(self, key: JobKey) -> None:
        """Remove a job from the queue, or signal its process to stop; its results are kept."""
        for job in self._queued:
            if job.key == key:
                self._queued.remove(job)
                await self._readers.read(_interrupt, job)
                return
        if key not in self._running:
            raise Problem(409, f"{_describe(key)} was not started by this server, so it cannot be stopped here")
        self._stopped.add(key)
        process = self._running[key][1]
        if process is not None and process.returncode is None:
            process.send_signal(signal.SIGINT)

    async def close(self) -> None:
        """Stop every job and wait until each has stored its results."""
        self._is_closing = True
        for job in self._queued:
            await self._readers.read(_interrupt, job)
        self._queued.clear()
        for key in list(self._running):
            await self.stop_job(key)
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=STOP_TIMEOUT)
        for _, process in self._running.values():
            if process is not None:
                process.kill()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def check_capacity(self) -> None:
        """Raise Problem if the queue is full."""
        if len(self._queued) >= MAX_QUEUED:
            raise Problem(429, f"{MAX_QUEUED} scans are queued already. Wait until one has ended, or stop one")

    def _raise_if_present(self, key: JobKey) -> None:
        if self.get_job_state(key):
            raise Problem(409, f"{_describe(key)} is already running or queued")

    def _enqueue(self, job: Job) -> None:
        self._queued.append(job)
        self._start_queued()

    def _start_queued(self) -> None:
        for job in list(self._queued):
            if self._is_closing or len(self._running) >= MAX_RUNNING:
                return
            if any(job.sites & other.sites for other, _ in self._running.values()):
                continue
            self._queued.remove(job)
            self._running[job.key] = (job, None)
            self._tasks[job.key] = asyncio.create_task(self._run(job))

    async def _run(self, job: Job) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", job.module,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
                env={name: value for name, value in os.environ.items() if name != "HEADWATER_TOKEN"},
                start_new_session=True,
            )  # fmt: skip
            self._running[job.key] = (job, process)
            _lower_priority(process.pid)
            if job.key in self._stopped:
                process.kill()
            await process.communicate(job.make_input(self._readers.db).encode())
        finally:
            self._running.pop(job.key, None)
            self._stopped.discard(job.key)
            await self._readers.read(_interrupt_unless_ended, job)
            self._tasks.pop(job.key, None)
            self._start_queued()


def _lower_priority(pid: int) -> None:
    """Lower the CPU priority of a process, so that the server stays responsive."""
    with suppress(ProcessLookupError):
        os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)


def _interrupt_unless_ended(store: BrowseStore, job: Job) -> None:
    """Mark the job of a process that died as interrupted, so that it can be resumed."""
    if not _has_ended(store, job):
        _interrupt(store, job)


def _describe(key: JobKey) -> str:
    return f"{key[0].capitalize()} {key[1]}"


def _has_ended(store: BrowseStore, job: Job) -> bool:
    now = store.dives.dive(job.dive) if job.dive else store.scan(job.scan)
    return now is None or now.state not in {"queued", "running"}


def _interrupt(store: BrowseStore, job: Job) -> None:
    if job.dive:
        store.dives.finish_dive(job.dive, "interrupted")
    else:
        store.finish_scan(job.scan, "interrupted")
