"""One process of several: a pipe says which scans to work on; what belongs into a file it sends to its one writer."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

from headwater.errors import StoreError
from headwater.event_loop import create_runner
from headwater.output_stream import replace_standard_streams
from headwater.scheduling.scan_runner import ScanEnd, ScanRunner
from headwater.store import is_server_url, open_store
from headwater.store.sqlite.write_forwarding import ForwardingStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from headwater.settings import Settings
    from headwater.store import Store

REPORT_INTERVAL = 0.25
"""Seconds between two words about how many pages were visited."""

_EXIT_ORPHANED = 1


def run_process(settings: Settings, orders: Connection, writes: Connection) -> None:
    """The whole life of a process; it ends when it is told to, or with its parent."""
    replace_standard_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the parent decides

    def ask(message: bytes) -> bytes:
        try:
            writes.send_bytes(message)
            return writes.recv_bytes()
        except (EOFError, OSError):
            os._exit(_EXIT_ORPHANED)  # nobody is left who could keep anything

    try:
        store = _open_process_store(settings, ask)
    except StoreError as error:
        orders.send(("broken", str(error)))
        os._exit(_EXIT_ORPHANED)
    with create_runner() as runner:
        runner.run(_ScanWorker(store, settings, orders).work())
    store.close()
    os._exit(0)  # all is kept and closed; taking the interpreter down in order would keep the parent waiting


def _open_process_store(settings: Settings, ask: Callable[[bytes], bytes]) -> Store:
    if is_server_url(settings.db):
        return open_store(settings.db, settings.transaction_timeout)
    return ForwardingStore(settings.db, ask)


def add_pipe_reader(pipe: Connection, hear: Callable[..., object], *what: object) -> None:
    """Call it whenever something was said; what is longer than a pipe's buffer is waited for."""
    asyncio.get_running_loop().add_reader(pipe.fileno(), hear, *what)
    os.set_blocking(pipe.fileno(), True)  # uvloop makes it one that gives up in the midst of a message


class _ScanWorker:
    """Does what the parent says."""

    def __init__(self, store: Store, settings: Settings, orders: Connection) -> None:
        self._orders = orders
        self._runner = ScanRunner(store, settings, self._tell)
        self._stopping = asyncio.Event()

    async def work(self) -> None:
        """Until told to stop."""
        add_pipe_reader(self._orders, self._hear)
        teller = asyncio.create_task(self._send_progress())
        await self._stopping.wait()
        teller.cancel()
        await self._runner.stop()

    def _hear(self) -> None:
        try:
            what, number = self._orders.recv()
        except (EOFError, OSError):
            os._exit(_EXIT_ORPHANED)
        if what == "begin":
            self._runner.begin(number)
        elif what == "end_slice":
            self._runner.end_slice(number)
        elif what == "allow":
            self._runner.allow(number)
        else:
            self._stopping.set()

    def _tell(self, ended: ScanEnd) -> None:
        self._send(("pages", self._runner.pages))
        self._send(("ended", tuple(ended)))

    async def _send_progress(self) -> None:
        told = 0
        while True:
            await asyncio.sleep(REPORT_INTERVAL)
            if self._runner.pages != told:
                told = self._runner.pages
                self._send(("pages", told))

    def _send(self, message: tuple[str, object]) -> None:
        try:
            self._orders.send(message)
        except OSError:
            os._exit(_EXIT_ORPHANED)
