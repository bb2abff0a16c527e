"""The wrappers in their order, wired in one place: every hop passes robots, every try waits its turn."""

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
    """Redirecting(RobotsGate(Retrying(Polite(Http)))): the fetcher the rest of Headwater uses."""

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
        self.file_fetcher: Fetcher = RedirectingFetcher(self._gate.file_fetcher, limits, settings.timeout) if obeys else following
        """For sitemaps, which may be read whatever robots.txt says of pages."""
        self._gated: Fetcher = self._gate if obeys else retrying
        self._outermost = RedirectingFetcher(self._gated, limits, settings.timeout)

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch as politely as the settings ask."""
        return await self._outermost.fetch(request)

    @asynccontextmanager
    async def request_slot(self, url: str) -> AsyncIterator[None]:
        """A turn for those who make their request themselves, such as the browser."""
        async with self.polite.request_slot(url):
            if self._may_request is not None:
                check_lease(self._may_request)
            yield

    def back_off(self, url: str, outcome: FetchFailure) -> None:
        """What came of a turn, for the pace of its host."""
        self.polite.back_off(url, outcome)

    @property
    def no_redirect_fetcher(self) -> Fetcher:
        """The same without following redirects, for those who judge each target themselves."""
        return self._gated

    async def get_robots(self, url: str) -> RobotsEntry:
        """What the robots.txt of this URL's origin says."""
        return await self._gate.get_robots(url)

    async def aclose(self) -> None:
        """Close every connection."""
        await self._gate.aclose()
        await self.http.aclose()

    async def __aenter__(self) -> FetchStack:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
