"""A worker process: runs the scans that its parent names, and sends writes to a file to the parent."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

from headwater.errors import StoreError
from headwater.event_loop import create_runner
from headwater.output_stream import replace_standard_streams
from headwater.scheduling.scan_pool import ScanEnd, ScanPool
from headwater.store import is_server_url, open_store
from headwater.store.sqlite.write_forwarding import ForwardingStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from headwater.settings import Settings
    from headwater.store import Store

REPORT_INTERVAL = 0.25
"""Seconds between two reports of the number of visited pages."""

_EXIT_ORPHANED = 1


def run_process(settings: Settings, commands: Connection, writes: Connection) -> None:
    """Run a worker process until the parent stops it or ends."""
    replace_standard_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides

    def send_request(message: bytes) -> bytes:
        try:
            writes.send_bytes(message)
            return writes.recv_bytes()
        except (EOFError, OSError):
            os._exit(_EXIT_ORPHANED)  # without the parent nothing can be stored

    try:
        store = _open_process_store(settings, send_request)
    except StoreError as error:
        commands.send(("broken", str(error)))
        os._exit(_EXIT_ORPHANED)
    with create_runner() as runner:
        runner.run(_ScanWorker(store, settings, commands).work())
    store.close()
    os._exit(0)  # everything is stored; an orderly shutdown of the interpreter would delay the parent


def _open_process_store(settings: Settings, send_request: Callable[[bytes], bytes]) -> Store:
    if is_server_url(settings.db):
        return open_store(settings.db, settings.transaction_timeout)
    return ForwardingStore(settings.db, send_request)


def add_pipe_reader(pipe: Connection, on_readable: Callable[..., object], *arguments: object) -> None:
    """Call a function whenever a message arrives; it may block until a long message is complete."""
    asyncio.get_running_loop().add_reader(pipe.fileno(), on_readable, *arguments)
    os.set_blocking(pipe.fileno(), True)  # uvloop has made it non-blocking, which cuts long messages


class _ScanWorker:
    """Executes the commands of the parent."""

    def __init__(self, store: Store, settings: Settings, commands: Connection) -> None:
        self._commands = commands
        self._pool = ScanPool(store, settings, self._on_ended)
        self._stopping = asyncio.Event()

    async def work(self) -> None:
        """Run scans until the command to stop arrives."""
        add_pipe_reader(self._commands, self._receive)
        reporter = asyncio.create_task(self._send_progress())
        await self._stopping.wait()
        reporter.cancel()
        await self._pool.stop()

    def _receive(self) -> None:
        try:
            command, number = self._commands.recv()
        except (EOFError, OSError):
            os._exit(_EXIT_ORPHANED)
        if command == "begin":
            self._pool.begin(number)
        elif command == "end_slice":
            self._pool.end_slice(number)
        elif command == "limit_requests":
            self._pool.limit_requests(number)
        else:
            self._stopping.set()

    def _on_ended(self, ended: ScanEnd) -> None:
        self._send(("pages", self._pool.pages))
        self._send(("ended", tuple(ended)))

    async def _send_progress(self) -> None:
        reported = 0
        while True:
            await asyncio.sleep(REPORT_INTERVAL)
            if self._pool.pages != reported:
                reported = self._pool.pages
                self._send(("pages", reported))

    def _send(self, message: tuple[str, object]) -> None:
        try:
            self._commands.send(message)
        except OSError:
            os._exit(_EXIT_ORPHANED)
