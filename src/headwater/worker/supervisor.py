"""Keeps the processes of one machine alive: starts them, replaces those that die, stops them with grace."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import shutil
import signal
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.discovery.visits.crash_record import MAX_CRASHES
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

_CRASH_RECORD = struct.Struct("=qq")
_EARLY_EXIT_SECONDS = 5.0
"""A process that dies sooner than this is replaced only after a pause, each time a longer one."""

log = logging.getLogger("headwater.worker")


async def supervise(settings: Settings, given: Mapping[str, object]) -> None:
    """Run until SIGTERM or SIGINT."""
    server = ServerConnection(settings.db)  # mistakes are told before anything is started
    SiteQueue(server)
    server.close()
    folder = make_crash_folder()
    machine = _Supervisor(WorkerConfig(settings, given, folder, os.getpid()))
    clock = asyncio.get_running_loop()
    for one in (signal.SIGTERM, signal.SIGINT):
        clock.add_signal_handler(one, machine.stop)
    try:
        async with MetricsServer(settings, machine.pids):
            await asyncio.gather(*(machine.keep_alive() for _ in range(settings.processes or 1)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Supervisor:
    """The processes of this machine."""

    def __init__(self, orders: WorkerConfig) -> None:
        self._orders = orders
        self._context = multiprocessing.get_context("spawn")
        self._alive: set[SpawnProcess] = set()
        self._stopping = asyncio.Event()

    def pids(self) -> list[int]:
        """The processes that live."""
        return [process.pid for process in self._alive if process.pid is not None]

    def stop(self) -> None:
        """Ask every process to stop."""
        self._stopping.set()
        for process in self._alive:
            process.terminate()

    async def keep_alive(self) -> None:
        """One process after another, until told to stop."""
        pause = 0.0
        while not self._stopping.is_set():
            started = time.monotonic()
            process = self._context.Process(target=run_process, args=(self._orders,))
            process.start()
            self._alive.add(process)
            await self._wait_for_exit(process)
            self._alive.discard(process)
            await self._handle_exit(process)
            pause = min(30.0, pause * 2 or 0.5) if time.monotonic() - started < _EARLY_EXIT_SECONDS else 0.0
            if pause and not self._stopping.is_set():
                await _wait_with_timeout(self._stopping.wait(), pause)

    async def _wait_for_exit(self, process: SpawnProcess) -> None:
        """Wait for its end; after the grace period it is made to end."""
        clock, ended = asyncio.get_running_loop(), asyncio.Event()
        clock.add_reader(process.sentinel, ended.set)
        try:
            while not ended.is_set():
                if self._stopping.is_set():
                    await _wait_with_timeout(ended.wait(), self._orders.settings.grace + _EARLY_EXIT_SECONDS)
                    process.kill()
                    await ended.wait()
                else:
                    await _wait_for_first(ended.wait(), self._stopping.wait())
        finally:
            clock.remove_reader(process.sentinel)
            process.join()

    async def _handle_exit(self, process: SpawnProcess) -> None:
        """Say what became of it, and let others have its sites at once."""
        pid = process.pid or 0
        if not process.exitcode:
            return
        why = "process was stopped for too long" if process.exitcode == EXIT_LEASE_LOST else "process died"
        log.warning(why, extra={"pid": pid, "code": process.exitcode})
        try:
            await asyncio.to_thread(self._release_sites, pid, counts=process.exitcode != EXIT_LEASE_LOST)
        except StoreError as error:
            log.warning("death not told", extra={"pid": pid, "error": str(error)})

    def _release_sites(self, pid: int, *, counts: bool) -> None:
        """A page that was being examined when the process died may have killed it."""
        server = ServerConnection(self._orders.settings.db)
        try:
            for file in Path(self._orders.crash_folder).glob(f"{pid}-*-examining-*"):
                scan, identity = _CRASH_RECORD.unpack(file.read_bytes())
                file.unlink()
                if counts and scan and identity:
                    PostgresStore(server).record_crash(scan, identity, MAX_CRASHES)
            SiteQueue(server).mark_dead(make_worker_name(pid))
        finally:
            server.close()


async def _wait_with_timeout(what: object, seconds: float) -> None:
    try:
        await asyncio.wait_for(what, seconds)  # type: ignore[arg-type]
    except TimeoutError:
        return


async def _wait_for_first(*what: object) -> None:
    tasks = [asyncio.ensure_future(one) for one in what]  # type: ignore[call-overload]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
