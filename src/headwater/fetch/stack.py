"""The complete fetcher, with all wrappers in their order, that the rest of Headwater uses."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from headwater.fetch.http.client import HttpFetcher
from headwater.fetch.policies.fenced_fetcher import FencedFetcher, check_lease
from headwater.fetch.policies.polite_fetcher import PoliteFetcher
from headwater.fetch.policies.redirecting_fetcher import RedirectingFetcher
from headwater.fetch.policies.retrying_fetcher import RetryingFetcher
from headwater.fetch.policies.robots_gate import RobotsEntry, RobotsGate
from headwater.fetch.request_limits import build_limits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from headwater.fetch.fetcher import Fetcher
    from headwater.model import FetchFailure, Request, Response
    from headwater.settings import Settings


class FetchStack:
    """Redirecting(RobotsGate(Retrying(Polite(Http)))): robots.txt covers every hop, rate limits every attempt."""

    def __init__(
        self, settings: Settings, seeds: Sequence[str] = (), may_request: Callable[[], bool] | None = None
    ) -> None:
        limits = build_limits(settings)
        self._may_request = may_request
        self.http = HttpFetcher(settings, seeds=seeds, may_request=may_request)
        http: Fetcher = FencedFetcher(self.http, may_request) if may_request else self.http
        self.polite = PoliteFetcher(
            http, settings.max_parallel, settings.delay, settings.max_retry_after, settings.max_unanswered
        )
        retrying = RetryingFetcher(self.polite, settings.retries)
        following = RedirectingFetcher(retrying, limits, settings.timeout)
        self._gate = RobotsGate(retrying, following, self.polite.set_crawl_delay, settings.max_crawl_delay)
        obeys = settings.robots == "obey"
        self.file_fetcher: Fetcher = (
            RedirectingFetcher(self._gate.file_fetcher, limits, settings.timeout) if obeys else following
        )
        """A fetcher for sitemaps, to which the rules of robots.txt do not apply."""
        self.head_fetcher: Fetcher = following
        """A fetcher for single HEAD requests to other sites, for which robots.txt is not read."""
        self._gated: Fetcher = self._gate if obeys else retrying
        self._outermost = RedirectingFetcher(self._gated, limits, settings.timeout)

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch with redirects, robots.txt, retries and rate limits as the settings say."""
        return await self._outermost.fetch(request)

    @asynccontextmanager
    async def request_slot(self, url: str) -> AsyncIterator[None]:
        """Wait for a request slot of the host, for a client such as the browser that sends the request itself."""
        async with self.polite.request_slot(url):
            if self._may_request is not None:
                check_lease(self._may_request)
            yield

    def back_off(self, url: str, failure: FetchFailure) -> None:
        """Slow down as a host asked in response to a request that used `request_slot`."""
        self.polite.back_off(url, failure)

    @property
    def no_redirect_fetcher(self) -> Fetcher:
        """A fetcher that does not follow redirects, for callers that check each target themselves."""
        return self._gated

    async def get_robots(self, url: str) -> RobotsEntry:
        """Return the robots.txt of this URL's origin."""
        return await self._gate.get_robots(url)

    async def aclose(self) -> None:
        """Close every connection."""
        await self._gate.aclose()
        await self.http.aclose()

    async def __aenter__(self) -> FetchStack:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
