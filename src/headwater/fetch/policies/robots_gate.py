"""Read robots.txt before anything else of an origin, and obey it (RFC 9309)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from headwater.event_loop import cancel_tasks
from headwater.fetch.failure_reasons import NO_RESPONSE_REASONS
from headwater.model import FetchFailure, Request, Response
from headwater.pages.files.robots_txt import Robots, parse_robots
from headwater.urls.parsing import get_authority, get_origin
from headwater.version import ROBOTS_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headwater.fetch.fetcher import Fetcher

CACHE_SECONDS = 24 * 3600.0
"""A robots.txt is not used for longer than a day (RFC 9309)."""

RETRY_SECONDS = 60.0
"""Seconds until an unreachable robots.txt is requested again; until then the URLs of the origin are deferred."""

MAX_ORIGINS = 10_000


class RobotsEntry(NamedTuple):
    """The rules of an origin, None while robots.txt is unreachable, and the result of requesting it."""

    robots: Robots | None
    result: Response | FetchFailure


class RobotsGate:
    """Sends a request if the origin's robots.txt allows it, and passes crawl delays to `on_delay`."""

    def __init__(
        self, inner: Fetcher, robots_fetcher: Fetcher, on_delay: Callable[[str, float], None], max_delay: float = 60.0
    ) -> None:
        self._inner = inner
        self._robots_fetcher = robots_fetcher
        self._on_delay = on_delay
        self._max_delay = max_delay
        self._entries: dict[str, RobotsEntry] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._pending: dict[str, asyncio.Task[RobotsEntry]] = {}

    @property
    def file_fetcher(self) -> Fetcher:
        """A fetcher for sitemaps: it ignores the rules, but skips origins whose robots.txt got no response."""
        return _FilesGate(self._inner, self._entries)

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch an allowed URL; other URLs fail with robots-disallowed or robots-unreachable."""
        entry = self._entries.get(get_origin(request.url)) or await self.get_robots(request.url)
        if entry.robots is None:
            return _build_unreachable_failure(request, entry.result)
        rule = entry.robots.find_deciding_rule(ROBOTS_NAME, request.url)
        if rule is not None and not rule.allow:
            return FetchFailure(request.url, "robots-disallowed", f"line {rule.line}: {rule.text}"[:200])
        return await self._inner.fetch(request)

    async def get_robots(self, url: str) -> RobotsEntry:
        """Return the robots.txt of this URL's origin; concurrent calls share one request."""
        origin = get_origin(url)
        entry = self._entries.get(origin)
        if entry is not None:
            return entry
        task = self._pending.get(origin)
        if task is None:
            task = self._pending[origin] = asyncio.create_task(self._request_robots(origin))
            task.add_done_callback(lambda _: self._pending.pop(origin, None))
        return await asyncio.shield(task)

    async def aclose(self) -> None:
        """Cancel running requests for robots.txt and forget all entries."""
        await cancel_tasks(list(self._pending.values()))
        for origin in list(self._entries):
            self._forget(origin)

    def _cache_entry(self, origin: str, entry: RobotsEntry) -> None:
        """Keep an entry until it expires. A timer removes it, so that no request has to read the clock."""
        if len(self._entries) >= MAX_ORIGINS:
            self._forget(next(iter(self._entries)))
        self._entries[origin] = entry
        seconds = RETRY_SECONDS if entry.robots is None else CACHE_SECONDS
        self._timers[origin] = asyncio.get_running_loop().call_later(seconds, self._forget, origin)

    def _forget(self, origin: str) -> None:
        self._entries.pop(origin, None)
        timer = self._timers.pop(origin, None)
        if timer:
            timer.cancel()

    async def _request_robots(self, origin: str) -> RobotsEntry:
        result = await self._robots_fetcher.fetch(Request(f"{origin}/robots.txt", "robots"))
        robots = parse_robots_result(result)
        entry = RobotsEntry(robots, result)
        self._cache_entry(origin, entry)
        delay = robots.crawl_delay(ROBOTS_NAME) if robots else None
        if delay:
            self._on_delay(get_authority(f"{origin}/"), min(delay, self._max_delay))
        return entry


class _FilesGate:
    """Sends a request unless the origin's robots.txt was requested and got no response."""

    def __init__(self, inner: Fetcher, entries: Mapping[str, RobotsEntry]) -> None:
        self._inner, self._entries = inner, entries

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch a URL; it fails with robots-unreachable if the origin did not respond."""
        entry = self._entries.get(get_origin(request.url))
        if entry is not None and has_no_response(entry.result):
            return _build_unreachable_failure(request, entry.result)
        return await self._inner.fetch(request)


def has_no_response(result: Response | FetchFailure) -> bool:
    """Return True if there was no connection or no complete response, so that nothing else is requested there."""
    return isinstance(result, FetchFailure) and result.reason in NO_RESPONSE_REASONS


def _build_unreachable_failure(request: Request, result: Response | FetchFailure) -> FetchFailure:
    """Return the failure that defers a URL; if the address is private, it fails for that reason."""
    reason = result.reason if isinstance(result, FetchFailure) else ""
    if isinstance(result, FetchFailure) and reason == "private-address":
        return FetchFailure(request.url, reason, result.detail)
    return FetchFailure(
        request.url, "robots-unreachable", f"could not load {result.url} ({reason}); the URL is deferred"
    )


def parse_robots_result(result: Response | FetchFailure) -> Robots | None:
    """Return the rules: everything is allowed after 4xx except 429, and None after 429, 5xx and network errors."""
    if isinstance(result, Response):
        return parse_robots(result.body)
    is_absent = result.status is not None and 400 <= result.status < 500 and result.status != 429
    # RFC 9309: after too many redirects the file counts as absent.
    return Robots() if is_absent or result.reason in {"too-many-redirects", "redirect-loop", "bad-redirect"} else None
