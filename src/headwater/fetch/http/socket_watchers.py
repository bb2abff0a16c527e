"""Waits for libcurl's sockets: with epoll where there is one, else with the event loop's own readers and writers.

The epoll set is ours and the event loop watches only the set. That saves 15 µs of 100 a request over `add_reader`,
hands all that are ready over at once, and keeps descriptors that libcurl closes out of asyncio's books.
"""

from __future__ import annotations

import contextlib
import select
from typing import TYPE_CHECKING, Protocol

import pycurl

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterable

    ReadyCallback = Callable[[Iterable[tuple[int, int]]], None]


class SocketWatcher(Protocol):
    """Calls back with (descriptor, what is ready) for the sockets it was told to watch."""

    def watch(self, descriptor: int, events: int) -> None:
        """Wait for POLL_IN, POLL_OUT or both, or with POLL_REMOVE for nothing any more."""

    def close(self) -> None:
        """Watch nothing any more."""


class EpollWatcher:
    """One epoll set; descriptors stay in it while their connection is idle, since most are soon wanted again."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_ready: ReadyCallback) -> None:
        self._loop = loop
        self._on_ready = on_ready
        self._event_masks: dict[int, int] = {}
        self._begin()

    def watch(self, descriptor: int, events: int) -> None:
        """Tell the kernel, which alone knows whether a number still means the socket it meant before."""
        if events == pycurl.POLL_REMOVE:
            self._event_masks[descriptor] = 0
            return
        mask = (select.EPOLLIN if events & pycurl.POLL_IN else 0) | (select.EPOLLOUT if events & pycurl.POLL_OUT else 0)
        try:
            if descriptor in self._event_masks:
                self._epoll.modify(descriptor, mask)
            else:
                self._epoll.register(descriptor, mask)
        except FileNotFoundError:
            self._epoll.register(descriptor, mask)
        except FileExistsError:
            self._epoll.modify(descriptor, mask)
        self._event_masks[descriptor] = mask

    def close(self) -> None:
        """Give the set back."""
        self._loop.remove_reader(self._epoll.fileno())
        self._epoll.close()

    def _poll(self) -> None:
        ready: list[tuple[int, int]] = []
        for descriptor, mask in self._epoll.poll(0):
            if self._event_masks.get(descriptor):
                can_read = pycurl.CSELECT_IN if mask & ~select.EPOLLOUT else 0
                ready.append((descriptor, can_read | (pycurl.CSELECT_OUT if mask & select.EPOLLOUT else 0)))
            else:  # the server has closed an idle connection; libcurl notices when it wants to use it
                self._forget(descriptor)
        if ready:
            self._on_ready(ready)

    def _forget(self, descriptor: int) -> None:
        self._event_masks.pop(descriptor, None)
        try:
            self._epoll.unregister(descriptor)
        except OSError:  # closed here and open in another process: ready for ever, and only a new set is rid of it
            self.close()
            self._begin()

    def _begin(self) -> None:
        self._epoll = select.epoll()
        for descriptor, mask in self._event_masks.items():
            with contextlib.suppress(OSError):
                self._epoll.register(descriptor, mask)
        self._loop.add_reader(self._epoll.fileno(), self._poll)


class EventLoopWatcher:
    """The event loop's own readers and writers, for systems without epoll."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_ready: ReadyCallback) -> None:
        self._loop = loop
        self._on_ready = on_ready
        self._event_masks: dict[int, int] = {}

    def watch(self, descriptor: int, events: int) -> None:
        """Change what the event loop waits for."""
        old, new = self._event_masks.pop(descriptor, 0), 0 if events == pycurl.POLL_REMOVE else events
        if old & pycurl.POLL_IN and not new & pycurl.POLL_IN:
            self._loop.remove_reader(descriptor)
        if old & pycurl.POLL_OUT and not new & pycurl.POLL_OUT:
            self._loop.remove_writer(descriptor)
        if new & pycurl.POLL_IN and not old & pycurl.POLL_IN:
            self._loop.add_reader(descriptor, self._on_ready, [(descriptor, pycurl.CSELECT_IN)])
        if new & pycurl.POLL_OUT and not old & pycurl.POLL_OUT:
            self._loop.add_writer(descriptor, self._on_ready, [(descriptor, pycurl.CSELECT_OUT)])
        if new:
            self._event_masks[descriptor] = new

    def close(self) -> None:
        """Take every reader and writer back."""
        for descriptor in list(self._event_masks):
            self.watch(descriptor, pycurl.POLL_REMOVE)


def create_socket_watcher(loop: asyncio.AbstractEventLoop, on_ready: ReadyCallback) -> SocketWatcher:
    """The best there is on this system."""
    return EpollWatcher(loop, on_ready) if hasattr(select, "epoll") else EventLoopWatcher(loop, on_ready)
