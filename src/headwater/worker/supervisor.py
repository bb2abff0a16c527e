"""Start the worker processes of one machine, replace those that die, and shut all of them down."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import shutil
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.discovery.visits.crash_record import MAX_CRASHES, read_crash_record
from headwater.errors import StoreError
from headwater.store.postgres.connection import ServerConnection
from headwater.store.postgres.store import PostgresStore
from headwater.worker.lease import EXIT_LEASE_LOST
from headwater.worker.metrics_server import MetricsServer
from headwater.worker.process import WorkerConfig, make_crash_folder, make_worker_name, run_process
from headwater.worker.site_queue import SiteQueue

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.context import SpawnProcess

    from headwater.settings import Settings

_EARLY_EXIT_SECONDS = 5.0
"""A process that dies within these seconds is replaced after a pause that doubles each time."""

log = logging.getLogger("headwater.worker")


async def supervise(settings: Settings, overrides: Mapping[str, object]) -> None:
    """Run the worker processes until SIGTERM or SIGINT."""
    server = ServerConnection(settings.db)  # raises an error before any process is started
    SiteQueue(server)
    server.close()
    folder = make_crash_folder()
    supervisor = _Supervisor(WorkerConfig(settings, overrides, folder, os.getpid()))
    clock = asyncio.get_running_loop()
    for one in (signal.SIGTERM, signal.SIGINT):
        clock.add_signal_handler(one, supervisor.stop)
    try:
        async with MetricsServer(settings, supervisor.pids):
            await asyncio.gather(*(supervisor.keep_alive() for _ in range(settings.processes or 1)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Supervisor:
    """The worker processes of this machine."""

    def __init__(self, config: WorkerConfig) -> None:
        self._config = config
        self._context = multiprocessing.get_context("spawn")
        self._alive: set[SpawnProcess] = set()
        self._stopping = asyncio.Event()

    def pids(self) -> list[int]:
        """Return the ids of the running processes."""
        return [process.pid for process in self._alive if process.pid is not None]

    def stop(self) -> None:
        """Ask every process to stop."""
        self._stopping.set()
        for process in self._alive:
            process.terminate()

    async def keep_alive(self) -> None:
        """Keep one worker process running until `stop` is called."""
        pause = 0.0
        while not self._stopping.is_set():
            started = time.monotonic()
            process = self._context.Process(target=run_process, args=(self._config,))
            process.start()
            self._alive.add(process)
            await self._wait_for_exit(process)
            self._alive.discard(process)
            await self._handle_exit(process)
            pause = min(30.0, pause * 2 or 0.5) if time.monotonic() - started < _EARLY_EXIT_SECONDS else 0.0
            if pause and not self._stopping.is_set():
                await _wait_with_timeout(self._stopping.wait(), pause)

    async def _wait_for_exit(self, process: SpawnProcess) -> None:
        """Wait until a process ends; kill it after the grace period."""
        clock, ended = asyncio.get_running_loop(), asyncio.Event()
        clock.add_reader(process.sentinel, ended.set)
        try:
            while not ended.is_set():
                if self._stopping.is_set():
                    await _wait_with_timeout(ended.wait(), self._config.settings.grace + _EARLY_EXIT_SECONDS)
                    process.kill()
                    await ended.wait()
                else:
                    await _wait_for_first(ended.wait(), self._stopping.wait())
        finally:
            clock.remove_reader(process.sentinel)
            process.join()

    async def _handle_exit(self, process: SpawnProcess) -> None:
        """Log the end of a process, and release its sites at once if it died."""
        pid = process.pid or 0
        if not process.exitcode:
            return
        reason = "process was suspended for too long" if process.exitcode == EXIT_LEASE_LOST else "process died"
        log.warning(reason, extra={"pid": pid, "code": process.exitcode})
        try:
            await asyncio.to_thread(self._release_sites, pid, is_crash=process.exitcode != EXIT_LEASE_LOST)
        except StoreError as error:
            log.warning("sites of a dead process not released", extra={"pid": pid, "error": str(error)})

    def _release_sites(self, pid: int, *, is_crash: bool) -> None:
        """Release the sites of a process; count a crash for the pages it was examining."""
        server = ServerConnection(self._config.settings.db)
        try:
            for file in Path(self._config.crash_folder).glob(f"{pid}-*-examining-*"):
                scan, identity = read_crash_record(file)
                file.unlink()
                if is_crash and scan and identity:
                    PostgresStore(server).record_crash(scan, identity, MAX_CRASHES)
            SiteQueue(server).mark_dead(make_worker_name(pid))
        finally:
            server.close()


async def _wait_with_timeout(awaitable: object, seconds: float) -> None:
    try:
        await asyncio.wait_for(awaitable, seconds)  # type: ignore[arg-type]
    except TimeoutError:
        return


async def _wait_for_first(*awaitables: object) -> None:
    tasks = [asyncio.ensure_future(one) for one in awaitables]  # type: ignore[call-overload]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
