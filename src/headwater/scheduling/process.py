"""One process of several: a pipe says which scans to work on; what belongs into a file it sends to its one writer."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

from headwater.errors import StoreError
from headwater.event_loop import new_runner
from headwater.output_stream import replace_standard_streams
from headwater.scheduling.runner import Ended, Runner
from headwater.store import is_server, open_store
from headwater.store.sqlite.shared import SharedStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from headwater.settings import Settings
    from headwater.store import Store

TOLD_EVERY = 0.25
"""Seconds between two words about how many pages were visited."""

_ORPHANED = 1


def run_process(settings: Settings, orders: Connection, writes: Connection) -> None:
    """The whole life of a process; it ends when it is told to, or with its parent."""
    replace_standard_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the parent decides

    def ask(message: bytes) -> bytes:
        try:
            writes.send_bytes(message)
            return writes.recv_bytes()
        except (EOFError, OSError):
            os._exit(_ORPHANED)  # nobody is left who could keep anything

    try:
        store = _open(settings, ask)
    except StoreError as error:
        orders.send(("broken", str(error)))
        os._exit(_ORPHANED)
    with new_runner() as runner:
        runner.run(_Hand(store, settings, orders).work())
    store.close()
    os._exit(0)  # all is kept and closed; taking the interpreter down in order would keep the parent waiting


def _open(settings: Settings, ask: Callable[[bytes], bytes]) -> Store:
    if is_server(settings.db):
        return open_store(settings.db, settings.transaction_timeout)
    return SharedStore(settings.db, ask)


def listen(pipe: Connection, hear: Callable[..., object], *what: object) -> None:
    """Call it whenever something was said; what is longer than a pipe's buffer is waited for."""
    asyncio.get_running_loop().add_reader(pipe.fileno(), hear, *what)
    os.set_blocking(pipe.fileno(), True)  # uvloop makes it one that gives up in the midst of a message


class _Hand:
    """Does what the parent says."""

    def __init__(self, store: Store, settings: Settings, orders: Connection) -> None:
        self._orders = orders
        self._runner = Runner(store, settings, self._tell)
        self._over = asyncio.Event()

    async def work(self) -> None:
        """Until told to stop."""
        listen(self._orders, self._hear)
        teller = asyncio.create_task(self._tell_pages())
        await self._over.wait()
        teller.cancel()
        await self._runner.stop()

    def _hear(self) -> None:
        try:
            what, number = self._orders.recv()
        except (EOFError, OSError):
            os._exit(_ORPHANED)
        if what == "begin":
            self._runner.begin(number)
        elif what == "end_slice":
            self._runner.end_slice(number)
        elif what == "allow":
            self._runner.allow(number)
        else:
            self._over.set()

    def _tell(self, ended: Ended) -> None:
        self._send(("pages", self._runner.pages))
        self._send(("ended", tuple(ended)))

    async def _tell_pages(self) -> None:
        told = 0
        while True:
            await asyncio.sleep(TOLD_EVERY)
            if self._runner.pages != told:
                told = self._runner.pages
                self._send(("pages", told))

    def _send(self, message: tuple[str, object]) -> None:
        try:
            self._orders.send(message)
        except OSError:
            os._exit(_ORPHANED)
