"""Requests wait their turn: per host for delay, pauses and concurrency, and all together for a free place.

A host that does not answer is given up: what waits for it is told so at once.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from headwater.fetch.failure_reasons import HOST_DOWN_REASONS, HOST_UNRESPONSIVE, NO_RESPONSE_REASONS
from headwater.frontier.circuit_breaker import CircuitBreaker
from headwater.frontier.rate_limiter import HostRateLimiter
from headwater.frontier.retry import compute_pause
from headwater.model import FetchFailure
from headwater.urls.parsing import get_authority

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from headwater.fetch.fetcher import Fetcher
    from headwater.model import Request, Response

BACKOFF_STATUSES = frozenset({429, 503})
MAX_IDLE_HOSTS = 10_000


class HostState:
    """A host's pace, our patience with it, and the requests that wait for it."""

    __slots__ = ("is_starved", "pace", "patience", "timer", "waiters")

    def __init__(self, pace: HostRateLimiter, patience: CircuitBreaker) -> None:
        self.pace = pace
        self.patience = patience
        self.waiters: deque[asyncio.Future[bool]] = deque()
        self.timer: asyncio.TimerHandle | None = None
        self.is_starved = False


class PoliteFetcher:
    """Lets a request through when its host and the client as a whole have room for it.

    `max_parallel` is both the limit in all and the limit for one host; a host that did not answer `max_unanswered`
    requests in a row is given up.
    """

    def __init__(
        self,
        inner: Fetcher,
        max_parallel: int,
        delay: float = 0.0,
        max_retry_after: float = 300.0,
        max_unanswered: int | None = None,
    ) -> None:
        self._inner = inner
        self._max_parallel = self._max_in_flight = max_parallel
        self._delay = delay
        self._max_retry_after = max_retry_after
        self._max_unanswered = max_unanswered
        self._hosts: dict[str, HostState] = {}
        self._in_flight = 0
        self._starved: deque[HostState] = deque()

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Wait for the turn, fetch, and learn from how the host answered."""
        host = self._host(get_authority(request.url))
        if host.patience.is_over or not await self._acquire_slot(host):
            return FetchFailure(request.url, HOST_UNRESPONSIVE, "the host did not answer many requests in a row")
        result: Response | FetchFailure | None = None
        try:
            result = await self._inner.fetch(request)
        finally:
            self._leave(host, result)
        self._record_response(host, request, result)
        return result

    @asynccontextmanager
    async def request_slot(self, url: str) -> AsyncIterator[None]:
        """A turn for those who make their request themselves, such as the browser."""
        host = self._host(get_authority(url))
        while not await self._acquire_slot(host):
            pass  # the host was given up for others; it may still be opened in the browser
        try:
            yield
        finally:
            self._leave(host, None)

    def back_off(self, url: str, outcome: FetchFailure) -> None:
        """Slow down as the host asked one who took a turn."""
        self._back_off(self._host(get_authority(url)), outcome)

    def set_crawl_delay(self, authority: str, delay: float) -> None:
        """Leave at least this many seconds between two requests to a host, as its robots.txt asks."""
        self._host(authority).pace.slow_to(max(self._delay, delay), asyncio.get_running_loop().time())

    def set_max_in_flight(self, places: int) -> None:
        """So many requests may be under way from now on: the part of `max_parallel` that others leave."""
        self._max_in_flight = places
        for starved in self._pop_starved_hosts():
            self._admit(starved)

    @property
    def max_in_flight(self) -> int:
        """How many requests may be under way at once."""
        return self._max_in_flight

    def get_pace(self, authority: str) -> HostRateLimiter:
        """The rhythm a host has at present."""
        return self._host(authority).pace

    def _host(self, authority: str) -> HostState:
        host = self._hosts.get(authority)
        if host is None:
            self._forget_idle_hosts()
            host = self._hosts[authority] = HostState(
                HostRateLimiter(self._max_parallel, self._delay), CircuitBreaker(self._max_unanswered)
            )
        return host

    def _forget_idle_hosts(self) -> None:
        if len(self._hosts) >= MAX_IDLE_HOSTS:
            now = asyncio.get_running_loop().time()
            self._hosts = {name: host for name, host in self._hosts.items() if not self._is_idle(host, now)}

    def _is_idle(self, host: HostState, now: float) -> bool:
        """Nothing is under way, and nothing would be forgotten: no pause, no delay of robots.txt, no silence."""
        if not host.patience.has_no_failures:
            return False
        ready = host.pace.get_next_start()
        is_quiet = not host.waiters and not host.pace.in_flight and ready is not None and ready <= now
        return is_quiet and host.pace.delay <= self._delay

    async def _acquire_slot(self, host: HostState) -> bool:
        """Wait for a place; false if the host was given up meanwhile."""
        if not host.waiters and self._in_flight < self._max_in_flight:
            ready = host.pace.get_next_start()
            if ready is not None and ready <= (now := _now(host.pace)):
                self._start(host, now)
                return True
        place: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        host.waiters.append(place)
        self._admit(host)
        try:
            return await place
        except asyncio.CancelledError:
            self._cancel_waiter(host, place)
            raise

    def _cancel_waiter(self, host: HostState, place: asyncio.Future[bool]) -> None:
        if place.done() and not place.cancelled():
            if place.result():
                self._leave(host, None)
        elif place in host.waiters:
            host.waiters.remove(place)

    def _start(self, host: HostState, now: float) -> None:
        self._in_flight += 1
        host.pace.started(now)

    def _leave(self, host: HostState, result: Response | FetchFailure | None) -> None:
        self._in_flight -= 1
        is_answered = result is not None and result.status is not None
        host.pace.finished(result.timings.first_byte if result is not None and is_answered else None)
        if isinstance(result, FetchFailure):
            self._back_off(host, result)
        if host.waiters:
            self._admit(host)
        for starved in self._pop_starved_hosts():
            self._admit(starved)

    def _record_response(self, host: HostState, request: Request, result: Response | FetchFailure) -> None:
        """Note whether the host answered; a robots.txt that was served says nothing about its pages."""
        reason = result.reason if isinstance(result, FetchFailure) else ""
        if reason in HOST_DOWN_REASONS:
            host.patience.record_timeout(asyncio.get_running_loop().time(), result.timings.total)
            if host.patience.is_over:
                self._reject_waiters(host)
        elif request.purpose != "robots" and reason not in NO_RESPONSE_REASONS:
            host.patience.record_response()

    def _reject_waiters(self, host: HostState) -> None:
        """Send away those who wait for a host that is given up."""
        waiting, host.waiters = host.waiters, deque()
        for place in waiting:
            if not place.done():
                place.set_result(False)

    def _back_off(self, host: HostState, outcome: FetchFailure) -> None:
        if outcome.status in BACKOFF_STATUSES:
            pause = compute_pause(outcome.retry_after, self._max_retry_after, random.random())  # noqa: S311
            host.pace.refused(asyncio.get_running_loop().time(), pause)

    def _pop_starved_hosts(self) -> Iterator[HostState]:
        """Hosts that lack nothing but a free place, in the order they began to wait."""
        while self._starved and self._in_flight < self._max_in_flight:
            host = self._starved.popleft()
            host.is_starved = False
            yield host

    def _admit(self, host: HostState) -> None:
        """Let those waiting for this host go, as far as pace and places allow; else see that we come back."""
        while host.waiters:
            if self._in_flight >= self._max_in_flight:
                if not host.is_starved:
                    host.is_starved = True
                    self._starved.append(host)
                return
            ready = host.pace.get_next_start()
            if ready is None:
                return
            if ready > (now := _now(host.pace)):
                self._wake_at(host, ready)
                return
            place = host.waiters.popleft()
            if not place.done():
                self._start(host, now)
                place.set_result(True)

    def _wake_at(self, host: HostState, moment: float) -> None:
        if host.timer:
            host.timer.cancel()
        host.timer = asyncio.get_running_loop().call_at(moment, self._admit, host)


def _now(pace: HostRateLimiter) -> float:
    return asyncio.get_running_loop().time() if pace.needs_clock() else 0.0
