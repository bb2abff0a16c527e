"""Keeps the processes of one machine alive: starts them, replaces those that die, stops them with grace."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import shutil
import signal
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.discovery.blackbox import MAX_DEATHS
from headwater.errors import StoreError
from headwater.store.connection import ServerConnection
from headwater.store.postgres import PostgresStore
from headwater.worker.endpoint import Endpoint
from headwater.worker.lease import LOST
from headwater.worker.process import Orders, notes_folder, run_process
from headwater.worker.queue import Queue

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.context import SpawnProcess

    from headwater.settings import Settings

_NOTE = struct.Struct("=qq")
_SOON = 5.0
"""A process that dies sooner than this is replaced only after a pause, each time a longer one."""

log = logging.getLogger("headwater.worker")


async def supervise(settings: Settings, given: Mapping[str, object]) -> None:
    """Run until SIGTERM or SIGINT."""
    server = ServerConnection(settings.db)  # mistakes are told before anything is started
    Queue(server)
    server.close()
    folder = notes_folder()
    machine = _Machine(Orders(settings, given, folder))
    clock = asyncio.get_running_loop()
    for one in (signal.SIGTERM, signal.SIGINT):
        clock.add_signal_handler(one, machine.stop)
    try:
        async with Endpoint(settings, machine.pids):
            await asyncio.gather(*(machine.keep_alive() for _ in range(settings.processes)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Machine:
    """The processes of this machine."""

    def __init__(self, orders: Orders) -> None:
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
            await self._ended(process)
            self._alive.discard(process)
            self._note_end(process)
            pause = min(30.0, pause * 2 or 0.5) if time.monotonic() - started < _SOON else 0.0
            if pause and not self._stopping.is_set():
                await _first(self._stopping.wait(), pause)

    async def _ended(self, process: SpawnProcess) -> None:
        """Wait for its end; after the grace period it is made to end."""
        clock, ended = asyncio.get_running_loop(), asyncio.Event()
        clock.add_reader(process.sentinel, ended.set)
        try:
            while not ended.is_set():
                if self._stopping.is_set():
                    await _first(ended.wait(), self._orders.settings.grace + _SOON)
                    process.kill()
                    await ended.wait()
                else:
                    await _first_of(ended.wait(), self._stopping.wait())
        finally:
            clock.remove_reader(process.sentinel)
            process.join()

    def _note_end(self, process: SpawnProcess) -> None:
        if process.exitcode == LOST:
            log.warning("process was stopped for too long", extra={"pid": process.pid})
        elif process.exitcode:
            log.warning("process died", extra={"pid": process.pid, "code": process.exitcode})
            self._count_deaths(process.pid or 0)

    def _count_deaths(self, pid: int) -> None:
        """A page that was being examined when the process died may have killed it."""
        for file in Path(self._orders.notes).glob(f"{pid}-*-examining"):
            scan, identity = _NOTE.unpack(file.read_bytes())
            file.unlink()
            if scan and identity:
                try:
                    store = PostgresStore(self._orders.settings.db)
                    store.count_death(scan, identity, MAX_DEATHS)
                    store.close()
                except StoreError as error:
                    log.warning("death not counted", extra={"error": str(error)})


async def _first(what: object, seconds: float) -> None:
    try:
        await asyncio.wait_for(what, seconds)  # type: ignore[arg-type]
    except TimeoutError:
        return


async def _first_of(*what: object) -> None:
    tasks = [asyncio.ensure_future(one) for one in what]  # type: ignore[call-overload]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
