"""Run libcurl's multi interface in the event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pycurl

from headwater.fetch.http.socket_watchers import create_socket_watcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from headwater.fetch.http.socket_watchers import SocketWatcher
    from headwater.fetch.http.transfer import Transfer
    from headwater.model import FetchFailure, Response


class CurlDriver:
    """One CurlMulti with its connection pool; it belongs to the event loop in which it is first used."""

    def __init__(self, connections: int, create_watcher: Callable[..., SocketWatcher] = create_socket_watcher) -> None:
        self._create_watcher = create_watcher
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sockets: SocketWatcher | None = None
        self._timer: asyncio.Handle | None = None
        self._running: dict[pycurl.Curl, Transfer] = {}
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_MAXCONNECTS, connections)
        self._multi.setopt(pycurl.M_MAX_TOTAL_CONNECTIONS, connections)
        self._multi.setopt(pycurl.M_MAX_HOST_CONNECTIONS, connections)
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._watch)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer_change)

    async def run(self, transfer: Transfer) -> Response | FetchFailure:
        """Run a prepared transfer; cancelling closes its connection."""
        loop = self._loop or self._bind_to_loop(asyncio.get_running_loop())
        future: asyncio.Future[Response | FetchFailure] = loop.create_future()
        transfer.future = future
        self._running[transfer.curl] = transfer
        self._multi.add_handle(transfer.curl)
        try:
            return await future
        except asyncio.CancelledError:
            if self._running.pop(transfer.curl, None):
                self._multi.remove_handle(transfer.curl)
            raise

    def close(self) -> None:
        """Cancel all transfers and close all connections."""
        for curl, transfer in list(self._running.items()):
            self._multi.remove_handle(curl)
            if transfer.future and not transfer.future.done():
                transfer.future.cancel()
        self._running.clear()
        self._multi.close()
        if self._timer:
            self._timer.cancel()
        if self._sockets:
            self._sockets.close()

    def _bind_to_loop(self, loop: asyncio.AbstractEventLoop) -> asyncio.AbstractEventLoop:
        self._loop = loop
        self._sockets = self._create_watcher(loop, self._on_ready)
        return loop

    def _watch(self, events: int, descriptor: int, _multi: object, _data: object) -> None:
        if self._sockets is not None:
            self._sockets.watch(descriptor, events)

    def _on_timer_change(self, milliseconds: int) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if milliseconds < 0 or self._loop is None:
            return
        if milliseconds == 0:
            self._timer = self._loop.call_soon(self._on_ready, _TIMEOUT)
        else:
            self._timer = self._loop.call_later(milliseconds / 1000, self._on_ready, _TIMEOUT)

    def _on_ready(self, ready: Iterable[tuple[int, int]]) -> None:
        for descriptor, events in ready:
            self._multi.socket_action(descriptor, events)
        remaining = 1
        while remaining:
            remaining, done, failed = self._multi.info_read()
            for curl in done:
                self._finish_transfer(curl, None)
            for curl, code, message in failed:
                self._finish_transfer(curl, (code, message))

    def _finish_transfer(self, curl: pycurl.Curl, error: tuple[int, str] | None) -> None:
        self._multi.remove_handle(curl)
        transfer = self._running.pop(curl)
        if transfer.future and not transfer.future.done():
            try:
                transfer.future.set_result(transfer.finish(error))
            except asyncio.InvalidStateError:
                return  # a signal handler cancelled it since the check above


_TIMEOUT = ((pycurl.SOCKET_TIMEOUT, 0),)
