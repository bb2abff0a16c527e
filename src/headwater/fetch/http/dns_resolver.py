"""Look up host names in our own threads, so that lookups without an answer do not delay other hosts.

libcurl looks names up in at most 20 threads and waits for them when it closes, so twenty names without an answer would
block every other host. Python cannot raise that limit, so libcurl gets addresses instead of names.
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
    """The addresses of a host, or the reason why there are none."""

    ip_addresses: tuple[str, ...] = ()
    problem: str = ""


class DnsResolver:
    """Resolves host names; concurrent lookups of a name share one thread, and addresses are cached."""

    def __init__(self, ip_version: str = "any") -> None:
        self._family = _FAMILIES[ip_version]
        self._cache: dict[str, DnsResult] = {}
        self._pending: dict[str, asyncio.Future[DnsResult]] = {}
        self._queue: deque[tuple[str, asyncio.Future[DnsResult]]] = deque()
        self._threads = 0

    def get_cached(self, host: str) -> DnsResult | None:
        """Return the addresses of a host that was looked up in the last minutes."""
        return self._cache.get(host)

    async def lookup(self, host: str, max_wait: float) -> DnsResult:
        """Return the addresses of a host; after a timeout the lookup continues and fills the cache."""
        if (cached := self._cache.get(host)) is not None:
            return cached
        future = self._pending.get(host)
        if future is None:
            future = self._pending[host] = asyncio.get_running_loop().create_future()
            self._queue.append((host, future))
            self._start_threads()
        done, _ = await asyncio.wait([future], timeout=max_wait)
        return future.result() if done else DnsResult(problem="timeout-connect")

    def _start_threads(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue and self._threads < MAX_THREADS:
            host, future = self._queue.popleft()
            self._threads += 1
            # A daemon thread: the program can end while a name server has not answered.
            threading.Thread(target=self._work, args=(loop, host, future), daemon=True, name=f"lookup {host}").start()

    def _work(self, loop: asyncio.AbstractEventLoop, host: str, future: asyncio.Future[DnsResult]) -> None:
        result = _look_up(host, self._family)
        with contextlib.suppress(RuntimeError):  # the loop may have closed meanwhile
            loop.call_soon_threadsafe(self._finish, host, future, result)

    def _finish(self, host: str, future: asyncio.Future[DnsResult], result: DnsResult) -> None:
        self._threads -= 1
        self._pending.pop(host, None)
        if result.ip_addresses:
            self._remember(host, result)
        if not future.done():
            future.set_result(result)
        self._start_threads()

    def _remember(self, host: str, result: DnsResult) -> None:
        if len(self._cache) >= MAX_NAMES:
            del self._cache[next(iter(self._cache))]
        self._cache[host] = result
        asyncio.get_running_loop().call_later(CACHE_SECONDS, self._cache.pop, host, None)


def _look_up(host: str, family: int) -> DnsResult:
    try:
        answers = socket.getaddrinfo(host, None, family, socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return DnsResult(problem="dns")
    return DnsResult(tuple(dict.fromkeys(str(answer[4][0]) for answer in answers)))
