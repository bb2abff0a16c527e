"""Name lookups in threads of our own, so that names which never answer hold up nobody else.

libcurl looks names up in at most 20 threads and waits for them when it closes: twenty dead name servers would stop
every other host. Its limit cannot be raised from Python, so it is handed addresses instead.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections import deque
from typing import NamedTuple

MAX_THREADS = 1024
CACHE_SECONDS = 300.0
MAX_NAMES = 50_000
_FAMILIES = {"any": socket.AF_UNSPEC, "4": socket.AF_INET, "6": socket.AF_INET6}


class DnsResult(NamedTuple):
    """What a name has, or why nothing is known of it."""

    ip_addresses: tuple[str, ...] = ()
    problem: str = ""


class DnsResolver:
    """Looks a name up once, however many ask, and remembers the addresses for five minutes."""

    def __init__(self, ip_version: str = "any") -> None:
        self._family = _FAMILIES[ip_version]
        self._known: dict[str, DnsResult] = {}
        self._pending: dict[str, asyncio.Future[DnsResult]] = {}
        self._queue: deque[tuple[str, asyncio.Future[DnsResult]]] = deque()
        self._threads = 0

    def get_cached(self, host: str) -> DnsResult | None:
        """What was found a short while ago."""
        return self._known.get(host)

    async def lookup(self, host: str, patience: float) -> DnsResult:
        """The addresses of a host; a lookup that takes longer goes on for those who ask later."""
        if (known := self._known.get(host)) is not None:
            return known
        future = self._pending.get(host)
        if future is None:
            future = self._pending[host] = asyncio.get_running_loop().create_future()
            self._queue.append((host, future))
            self._start_threads()
        done, _ = await asyncio.wait([future], timeout=patience)
        return future.result() if done else DnsResult(problem="timeout-connect")

    def _start_threads(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue and self._threads < MAX_THREADS:
            host, future = self._queue.popleft()
            self._threads += 1
            # A daemon: the end of the program does not wait for a name server.
            threading.Thread(target=self._work, args=(loop, host, future), daemon=True, name=f"lookup {host}").start()

    def _work(self, loop: asyncio.AbstractEventLoop, host: str, future: asyncio.Future[DnsResult]) -> None:
        addresses = _look_up(host, self._family)
        with contextlib.suppress(RuntimeError):  # the loop may have closed meanwhile
            loop.call_soon_threadsafe(self._finish, host, future, addresses)

    def _finish(self, host: str, future: asyncio.Future[DnsResult], addresses: DnsResult) -> None:
        self._threads -= 1
        self._pending.pop(host, None)
        if addresses.ip_addresses:
            self._remember(host, addresses)
        if not future.done():
            future.set_result(addresses)
        self._start_threads()

    def _remember(self, host: str, addresses: DnsResult) -> None:
        if len(self._known) >= MAX_NAMES:
            del self._known[next(iter(self._known))]
        self._known[host] = addresses
        asyncio.get_running_loop().call_later(CACHE_SECONDS, self._known.pop, host, None)


def _look_up(host: str, family: int) -> DnsResult:
    try:
        answers = socket.getaddrinfo(host, None, family, socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return DnsResult(problem="dns")
    return DnsResult(tuple(dict.fromkeys(str(answer[4][0]) for answer in answers)))
