"""Run the scans of a list in worker processes, whose writes this process performs."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from headwater.scheduling.scan_pool import PROCESS_DIED, STOP_TIMEOUT, STORE_FAILED, ScanEnd
from headwater.scheduling.worker_process import add_pipe_reader, run_process
from headwater.store.sqlite.write_forwarding import WriterStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from headwater.settings import Settings
    from headwater.store import Store

MAX_CRASHES = 30
"""Consecutive crashes, with no site finished in between, after which all scans end: no single site is the cause."""

_JOIN_TIMEOUT = 0.3


class ScanExecutor(Protocol):
    """Runs scans and reports the end of each: `ScanPool` in this process, `MultiProcessExecutor` in others."""

    problem: str
    """The reason why no scan can run, if there is one."""

    @property
    def pages(self) -> int:
        """The number of pages visited so far."""

    def begin(self, scan: int, /) -> None:
        """Start or resume a scan."""

    def end_slice(self, scan: int, /) -> None:
        """End the slice of a scan."""

    def limit_requests(self, max_requests: int) -> None:
        """Change the number of requests that each scan may have active at once."""

    async def stop(self) -> None:
        """Stop all scans within `STOP_TIMEOUT`."""


class _WorkerHandle:
    """A worker process: the scans it runs, and the pipes to it."""

    def __init__(self, settings: Settings) -> None:
        context = multiprocessing.get_context("spawn")
        self.commands, commands = context.Pipe()
        self.writes, writes = context.Pipe()
        self.scans: set[int] = set()
        self.pages = 0
        self.exited = asyncio.Event()
        self.process = context.Process(target=run_process, args=(settings, commands, writes), daemon=True)
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker ignores Ctrl-C, also while it starts
        try:
            self.process.start()
        finally:
            signal.signal(signal.SIGINT, handler)
        commands.close()
        writes.close()

    def send(self, command: str, number: int = 0) -> None:
        try:
            self.commands.send((command, number))
        except OSError:
            return  # the process died; its sentinel reports that


class MultiProcessExecutor:
    """Runs the scans in worker processes; the one with the fewest scans gets the next one."""

    def __init__(self, store: Store, settings: Settings, number: int, on_ended: Callable[[ScanEnd], None]) -> None:
        self._store, self._settings, self._on_ended = store, replace(settings, processes=number), on_ended
        self._max_requests = settings.max_parallel
        self._pages = self._crashes = 0
        self.problem = ""
        self._is_over = False
        self._workers = [self._spawn() for _ in range(number)]

    @property
    def pages(self) -> int:
        """The number of pages visited so far."""
        return self._pages + sum(worker.pages for worker in self._workers)

    def begin(self, scan: int) -> None:
        """Start or resume a scan."""
        worker = min(self._workers, key=lambda one: len(one.scans))
        worker.scans.add(scan)
        worker.send("begin", scan)

    def end_slice(self, scan: int) -> None:
        """End the slice of a scan."""
        for worker in self._workers:
            if scan in worker.scans:
                worker.send("end_slice", scan)

    def limit_requests(self, max_requests: int) -> None:
        """Change the number of requests that each scan may have active at once."""
        if max_requests != self._max_requests:
            self._max_requests = max_requests
            for worker in self._workers:
                worker.send("limit_requests", max_requests)

    async def stop(self) -> None:
        """Stop all scans; results that the workers still send are stored."""
        self._is_over = True
        for worker in self._workers:
            worker.send("stop")
        exits = [asyncio.create_task(worker.exited.wait()) for worker in self._workers]
        await asyncio.wait(exits, timeout=STOP_TIMEOUT)
        for worker in self._workers:
            self._remove_readers(worker)
            worker.process.kill()
            worker.process.join(_JOIN_TIMEOUT)

    def _spawn(self) -> _WorkerHandle:
        worker, clock = _WorkerHandle(self._settings), asyncio.get_running_loop()
        add_pipe_reader(worker.commands, self._receive, worker)
        if isinstance(self._store, WriterStore):  # with a server, the workers write themselves
            add_pipe_reader(worker.writes, _handle_write, worker, self._store)
        clock.add_reader(worker.process.sentinel, self._replace, worker)
        worker.send("limit_requests", self._max_requests)
        return worker

    def _remove_readers(self, worker: _WorkerHandle) -> None:
        clock = asyncio.get_running_loop()
        for one in (worker.commands.fileno(), worker.writes.fileno(), worker.process.sentinel):
            clock.remove_reader(one)

    def _receive(self, worker: _WorkerHandle) -> None:
        try:
            self._handle_message(worker, *worker.commands.recv())
        except (EOFError, OSError):
            asyncio.get_running_loop().remove_reader(worker.commands.fileno())

    def _handle_message(self, worker: _WorkerHandle, _kind: str, value: object) -> None:
        if isinstance(value, int):
            worker.pages = value
        elif isinstance(value, str):
            self.problem = value
        elif isinstance(value, tuple):
            ended = ScanEnd(*value)
            worker.scans.discard(ended.scan)
            self._crashes = 0
            self._on_ended(ended)

    def _replace(self, worker: _WorkerHandle) -> None:
        """Replace a worker that died; its scans are resumed."""
        self._remove_readers(worker)
        _drain(worker.commands, lambda message: self._handle_message(worker, *message))
        worker.process.join()
        worker.exited.set()
        if self._is_over:
            return
        self._pages += worker.pages
        self._crashes += 1
        reason = f"its process died ({worker.process.exitcode})"
        if self._crashes >= MAX_CRASHES:
            self.problem = self.problem or reason
        if not self.problem:
            self._workers[self._workers.index(worker)] = self._spawn()
        for scan in worker.scans:
            state = STORE_FAILED if self.problem else PROCESS_DIED
            self._on_ended(ScanEnd(scan, state, missing=1, reason=self.problem or reason))


def _handle_write(worker: _WorkerHandle, store: WriterStore) -> None:
    try:
        worker.writes.send_bytes(store.handle_write_request(worker.writes.recv_bytes()))
    except (EOFError, OSError):
        asyncio.get_running_loop().remove_reader(worker.writes.fileno())


def _drain(pipe: Connection, handle: Callable[[tuple[str, object]], None]) -> None:
    """Handle the messages that a worker sent before it died."""
    try:
        while pipe.poll():
            handle(pipe.recv())
    except (EOFError, OSError):
        return
