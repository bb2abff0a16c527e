"""Those who do the work: this process alone, or others, for which it then writes."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from headwater.scheduling.scan_runner import BROKEN, LOST, ScanEnd, ScanRunner
from headwater.scheduling.worker_process import add_pipe_reader, run_process
from headwater.store.sqlite.write_forwarding import WriterStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from headwater.settings import Settings
    from headwater.store import Store

STOP_TIMEOUT = 1.2
"""Seconds for keeping what was found when everything has to stop."""

MAX_CRASHES = 30
"""After so many deaths without a site that ended it is not the sites that kill."""

_JOIN_TIMEOUT = 0.3


class ScanExecutor(Protocol):
    """Works on scans and tells how each ended."""

    problem: str
    """What keeps it from working at all, if anything does."""

    @property
    def pages(self) -> int:
        """How many pages were visited so far."""

    def begin(self, scan: int) -> None:
        """Work on a scan."""

    def end_slice(self, scan: int) -> None:
        """Let others have their turn."""

    def allow(self, places: int) -> None:
        """So many requests each scan may have under way."""

    async def stop(self) -> None:
        """Stop everything, within GRACE."""


class InProcessExecutor:
    """This process does it."""

    problem = ""

    def __init__(self, store: Store, settings: Settings, tell: Callable[[ScanEnd], None]) -> None:
        self._runner = ScanRunner(store, replace(settings, processes=1), tell)
        self.begin, self.end_slice, self.allow = self._runner.begin, self._runner.end_slice, self._runner.allow

    @property
    def pages(self) -> int:
        """How many pages were visited so far."""
        return self._runner.pages

    async def stop(self) -> None:
        """Stop everything."""
        await asyncio.wait([asyncio.create_task(self._runner.stop())], timeout=STOP_TIMEOUT)


class _WorkerHandle:
    """Another process: what it works on, and the pipes to it."""

    def __init__(self, settings: Settings) -> None:
        context = multiprocessing.get_context("spawn")
        self.commands, orders = context.Pipe()
        self.writes, writes = context.Pipe()
        self.scans: set[int] = set()
        self.pages = 0
        self.exited = asyncio.Event()
        self.process = context.Process(target=run_process, args=(settings, orders, writes), daemon=True)
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # also while it starts, Ctrl-C is not for it
        try:
            self.process.start()
        finally:
            signal.signal(signal.SIGINT, handler)
        orders.close()
        writes.close()

    def say(self, what: str, number: int = 0) -> None:
        try:
            self.commands.send((what, number))
        except OSError:
            return  # it has died, which is told by its sentinel


class MultiProcessExecutor:
    """Others do it; whoever has least to do gets the next scan, so that a host is never in two of them."""

    def __init__(self, store: Store, settings: Settings, number: int, tell: Callable[[ScanEnd], None]) -> None:
        self._store, self._settings, self._tell = store, replace(settings, processes=number), tell
        self._places = settings.max_parallel
        self._pages = self._deaths = 0
        self.problem = ""
        self._is_over = False
        self._workers = [self._spawn() for _ in range(number)]

    @property
    def pages(self) -> int:
        """How many pages were visited so far."""
        return self._pages + sum(hand.pages for hand in self._workers)

    def begin(self, scan: int) -> None:
        """Work on a scan."""
        hand = min(self._workers, key=lambda one: len(one.scans))
        hand.scans.add(scan)
        hand.say("begin", scan)

    def end_slice(self, scan: int) -> None:
        """Let others have their turn."""
        for hand in self._workers:
            if scan in hand.scans:
                hand.say("end_slice", scan)

    def allow(self, places: int) -> None:
        """So many requests each scan may have under way."""
        if places != self._places:
            self._places = places
            for hand in self._workers:
                hand.say("allow", places)

    async def stop(self) -> None:
        """Stop everything; what they still send is written."""
        self._is_over = True
        for hand in self._workers:
            hand.say("stop")
        await asyncio.wait([asyncio.create_task(hand.exited.wait()) for hand in self._workers], timeout=STOP_TIMEOUT)
        for hand in self._workers:
            self._let_go(hand)
            hand.process.kill()
            hand.process.join(_JOIN_TIMEOUT)

    def _spawn(self) -> _WorkerHandle:
        hand, clock = _WorkerHandle(self._settings), asyncio.get_running_loop()
        add_pipe_reader(hand.commands, self._hear, hand)
        if isinstance(self._store, WriterStore):  # a server they write to themselves
            add_pipe_reader(hand.writes, _handle_write, hand, self._store)
        clock.add_reader(hand.process.sentinel, self._replace, hand)
        hand.say("allow", self._places)
        return hand

    def _let_go(self, hand: _WorkerHandle) -> None:
        clock = asyncio.get_running_loop()
        for one in (hand.commands.fileno(), hand.writes.fileno(), hand.process.sentinel):
            clock.remove_reader(one)

    def _hear(self, hand: _WorkerHandle) -> None:
        try:
            self._take(hand, *hand.commands.recv())
        except (EOFError, OSError):
            asyncio.get_running_loop().remove_reader(hand.commands.fileno())

    def _take(self, hand: _WorkerHandle, _what: str, told: object) -> None:
        if isinstance(told, int):
            hand.pages = told
        elif isinstance(told, str):
            self.problem = told
        elif isinstance(told, tuple):
            ended = ScanEnd(*told)
            hand.scans.discard(ended.scan)
            self._deaths = 0
            self._tell(ended)

    def _replace(self, hand: _WorkerHandle) -> None:
        """It died: another one takes its place, and what it worked on goes on."""
        self._let_go(hand)
        _drain(hand.commands, lambda message: self._take(hand, *message))
        hand.process.join()
        hand.exited.set()
        if self._is_over:
            return
        self._pages += hand.pages
        self._deaths += 1
        why = f"its process died ({hand.process.exitcode})"
        if self._deaths >= MAX_CRASHES:
            self.problem = self.problem or why
        if not self.problem:
            self._workers[self._workers.index(hand)] = self._spawn()
        for scan in hand.scans:
            self._tell(ScanEnd(scan, BROKEN if self.problem else LOST, missing=1, reason=self.problem or why))


def _handle_write(hand: _WorkerHandle, store: WriterStore) -> None:
    try:
        hand.writes.send_bytes(store.handle_write_request(hand.writes.recv_bytes()))
    except (EOFError, OSError):
        asyncio.get_running_loop().remove_reader(hand.writes.fileno())


def _drain(pipe: Connection, take: Callable[[tuple[str, object]], None]) -> None:
    """What it said before it died."""
    try:
        while pipe.poll():
            take(pipe.recv())
    except (EOFError, OSError):
        return
