"""Wait for libcurl's sockets with epoll if available, else with readers and writers of the event loop.

The event loop watches only the epoll set. That saves 15 of 100 µs per request compared to `add_reader`, reports all
ready sockets at once, and keeps descriptors that libcurl closes out of asyncio's bookkeeping.
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
    """Watches sockets and calls back with (descriptor, ready events)."""

    def watch(self, descriptor: int, events: int) -> None:
        """Watch a socket for POLL_IN, POLL_OUT or both, or stop watching it with POLL_REMOVE."""

    def close(self) -> None:
        """Stop watching all sockets."""


class EpollWatcher:
    """One epoll set; descriptors of idle connections stay in it, because most are soon used again."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_ready: ReadyCallback) -> None:
        self._loop = loop
        self._on_ready = on_ready
        self._event_masks: dict[int, int] = {}
        self._begin()

    def watch(self, descriptor: int, events: int) -> None:
        """Update the epoll set; only the kernel knows whether a descriptor still belongs to the same socket."""
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
        """Close the epoll set."""
        self._loop.remove_reader(self._epoll.fileno())
        self._epoll.close()

    def _poll(self) -> None:
        ready: list[tuple[int, int]] = []
        for descriptor, mask in self._epoll.poll(0):
            if self._event_masks.get(descriptor):
                can_read = pycurl.CSELECT_IN if mask & ~select.EPOLLOUT else 0
                ready.append((descriptor, can_read | (pycurl.CSELECT_OUT if mask & select.EPOLLOUT else 0)))
            else:  # the server has closed an idle connection; libcurl notices when it uses it next
                self._forget(descriptor)
        if ready:
            self._on_ready(ready)

    def _forget(self, descriptor: int) -> None:
        self._event_masks.pop(descriptor, None)
        try:
            self._epoll.unregister(descriptor)
        except OSError:  # closed here but open in another process: it stays ready until the set is replaced
            self.close()
            self._begin()

    def _begin(self) -> None:
        self._epoll = select.epoll()
        for descriptor, mask in self._event_masks.items():
            with contextlib.suppress(OSError):
                self._epoll.register(descriptor, mask)
        self._loop.add_reader(self._epoll.fileno(), self._poll)


class EventLoopWatcher:
    """Readers and writers of the event loop, for systems without epoll."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_ready: ReadyCallback) -> None:
        self._loop = loop
        self._on_ready = on_ready
        self._event_masks: dict[int, int] = {}

    def watch(self, descriptor: int, events: int) -> None:
        """Add and remove the reader and writer of a socket."""
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
        """Remove all readers and writers."""
        for descriptor in list(self._event_masks):
            self.watch(descriptor, pycurl.POLL_REMOVE)


def create_socket_watcher(loop: asyncio.AbstractEventLoop, on_ready: ReadyCallback) -> SocketWatcher:
    """Return the fastest watcher of this system."""
    return EpollWatcher(loop, on_ready) if hasattr(select, "epoll") else EventLoopWatcher(loop, on_ready)
