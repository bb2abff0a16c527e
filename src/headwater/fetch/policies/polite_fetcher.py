"""Limit the rate and concurrency of requests per host, and the number of requests in flight overall.

Hosts that do not answer are given up: their waiting requests fail at once.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from headwater.fetch.failure_reasons import HOST_DOWN_REASONS, HOST_UNRESPONSIVE, NO_RESPONSE_REASONS
from headwater.frontier.timing.circuit_breaker import CircuitBreaker
from headwater.frontier.timing.rate_limiter import HostRateLimiter
from headwater.frontier.timing.retry import compute_pause
from headwater.model import FetchFailure
from headwater.urls.parsing import get_authority

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from headwater.fetch.fetcher import Fetcher
    from headwater.model import Request, Response

BACKOFF_STATUSES = frozenset({429, 503})
MAX_IDLE_HOSTS = 10_000


class HostState:
    """A host's rate limiter, its circuit breaker, and the requests that wait for a slot."""

    __slots__ = ("circuit_breaker", "is_starved", "rate_limiter", "timer", "waiters")

    def __init__(self, rate_limiter: HostRateLimiter, circuit_breaker: CircuitBreaker) -> None:
        self.rate_limiter = rate_limiter
        self.circuit_breaker = circuit_breaker
        self.waiters: deque[asyncio.Future[bool]] = deque()
        self.timer: asyncio.TimerHandle | None = None
        self.is_starved = False


class PoliteFetcher:
    """Sends a request when its host and the client as a whole have a free slot.

    `max_parallel` limits all hosts together and each single host; a host that did not answer `max_unanswered` requests
    in a row is given up.
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
        """Wait for a slot, fetch, and adapt to the host's response."""
        host = self._get_host(get_authority(request.url))
        if host.circuit_breaker.is_open or not await self._acquire_slot(host):
            return FetchFailure(request.url, HOST_UNRESPONSIVE, "the host did not answer many requests in a row")
        result: Response | FetchFailure | None = None
        try:
            result = await self._inner.fetch(request)
        finally:
            self._finish_request(host, result)
        self._record_response(host, request, result)
        return result

    @asynccontextmanager
    async def request_slot(self, url: str) -> AsyncIterator[None]:
        """Wait for a slot of the host, for a client such as the browser that sends the request itself."""
        host = self._get_host(get_authority(url))
        while not await self._acquire_slot(host):
            pass  # the host was given up for other requests, but the browser may still open it
        try:
            yield
        finally:
            self._finish_request(host, None)

    def back_off(self, url: str, failure: FetchFailure) -> None:
        """Slow down as the host asked in response to a request that used `request_slot`."""
        self._back_off(self._get_host(get_authority(url)), failure)

    def set_crawl_delay(self, authority: str, delay: float) -> None:
        """Wait at least this many seconds between requests to a host, as its robots.txt asks."""
        self._get_host(authority).rate_limiter.set_delay(max(self._delay, delay), asyncio.get_running_loop().time())

    def set_max_in_flight(self, count: int) -> None:
        """Change the number of requests that may be in flight: scans of one process share `max_parallel`."""
        self._max_in_flight = count
        for starved in self._pop_starved_hosts():
            self._admit(starved)

    @property
    def max_in_flight(self) -> int:
        """The number of requests that may be in flight."""
        return self._max_in_flight

    def get_rate_limiter(self, authority: str) -> HostRateLimiter:
        """Return the rate limiter of a host."""
        return self._get_host(authority).rate_limiter

    def _get_host(self, authority: str) -> HostState:
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
        """Return True if the host has no requests and its state is the default: no pause, crawl delay or failure."""
        if not host.circuit_breaker.has_no_failures:
            return False
        ready = host.rate_limiter.get_next_start()
        is_quiet = not host.waiters and not host.rate_limiter.in_flight and ready is not None and ready <= now
        return is_quiet and host.rate_limiter.delay <= self._delay

    async def _acquire_slot(self, host: HostState) -> bool:
        """Wait for a slot; return False if the host was given up meanwhile."""
        if not host.waiters and self._in_flight < self._max_in_flight:
            ready = host.rate_limiter.get_next_start()
            if ready is not None and ready <= (now := _now(host.rate_limiter)):
                self._start_request(host, now)
                return True
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        host.waiters.append(waiter)
        self._admit(host)
        try:
            return await waiter
        except asyncio.CancelledError:
            self._cancel_waiter(host, waiter)
            raise

    def _cancel_waiter(self, host: HostState, waiter: asyncio.Future[bool]) -> None:
        if waiter.done() and not waiter.cancelled():
            if waiter.result():
                self._finish_request(host, None)
        elif waiter in host.waiters:
            host.waiters.remove(waiter)

    def _start_request(self, host: HostState, now: float) -> None:
        self._in_flight += 1
        host.rate_limiter.record_start(now)

    def _finish_request(self, host: HostState, result: Response | FetchFailure | None) -> None:
        self._in_flight -= 1
        is_answered = result is not None and result.status is not None
        host.rate_limiter.record_end(result.timings.first_byte if result is not None and is_answered else None)
        if isinstance(result, FetchFailure):
            self._back_off(host, result)
        if host.waiters:
            self._admit(host)
        for starved in self._pop_starved_hosts():
            self._admit(starved)

    def _record_response(self, host: HostState, request: Request, result: Response | FetchFailure) -> None:
        """Tell the circuit breaker whether the host answered; a served robots.txt does not count as an answer."""
        reason = result.reason if isinstance(result, FetchFailure) else ""
        if reason in HOST_DOWN_REASONS:
            host.circuit_breaker.record_timeout(asyncio.get_running_loop().time(), result.timings.total)
            if host.circuit_breaker.is_open:
                self._reject_waiters(host)
        elif request.purpose != "robots" and reason not in NO_RESPONSE_REASONS:
            host.circuit_breaker.record_response()

    def _reject_waiters(self, host: HostState) -> None:
        """Fail the requests that wait for a host that was given up."""
        waiting, host.waiters = host.waiters, deque()
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(False)

    def _back_off(self, host: HostState, failure: FetchFailure) -> None:
        if failure.status in BACKOFF_STATUSES:
            pause = compute_pause(failure.retry_after, self._max_retry_after, random.random())  # noqa: S311
            host.rate_limiter.record_refusal(asyncio.get_running_loop().time(), pause)

    def _pop_starved_hosts(self) -> Iterator[HostState]:
        """Yield the hosts that only lack a free slot, in the order in which they started to wait."""
        while self._starved and self._in_flight < self._max_in_flight:
            host = self._starved.popleft()
            host.is_starved = False
            yield host

    def _admit(self, host: HostState) -> None:
        """Start waiting requests of this host as far as its rate limit and free slots allow, else schedule a retry."""
        while host.waiters:
            if self._in_flight >= self._max_in_flight:
                if not host.is_starved:
                    host.is_starved = True
                    self._starved.append(host)
                return
            ready = host.rate_limiter.get_next_start()
            if ready is None:
                return
            if ready > (now := _now(host.rate_limiter)):
                self._wake_at(host, ready)
                return
            waiter = host.waiters.popleft()
            if not waiter.done():
                self._start_request(host, now)
                waiter.set_result(True)

    def _wake_at(self, host: HostState, moment: float) -> None:
        if host.timer:
            host.timer.cancel()
        host.timer = asyncio.get_running_loop().call_at(moment, self._admit, host)


def _now(rate_limiter: HostRateLimiter) -> float:
    return asyncio.get_running_loop().time() if rate_limiter.needs_clock() else 0.0
