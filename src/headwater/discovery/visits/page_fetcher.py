"""Fetch the page of a candidate, with a conditional request if the previous scan visited it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.discovery.visits.decisions.slash_prediction import SlashPrediction
from headwater.discovery.visits.visit_results import is_reusable
from headwater.model import REDIRECT_STATUSES, FetchFailure, Request
from headwater.urls.normalization import spell_href
from headwater.urls.redirects import check_redirect, get_redirect_target

if TYPE_CHECKING:
    from headwater.discovery.stages.render import Renderer
    from headwater.discovery.visits.crawl_session import CrawlSession
    from headwater.examination import SiteState
    from headwater.fetch import Fetcher
    from headwater.model import Candidate, Response


class PageFetcher:
    """Follows redirects to other spellings of the same page; redirects to other pages are returned."""

    def __init__(
        self, session: CrawlSession, site: SiteState, fetcher: Fetcher, renderer: Renderer | None, max_redirects: int
    ) -> None:
        self._store, self._previous, self._preloaded = session.store, session.previous, session.preloaded
        self._site, self._fetcher, self._renderer, self._max_redirects = site, fetcher, renderer, max_redirects
        self._prediction = SlashPrediction(site.slashes) if site.scope.policy.spelling == "answered" else None

    async def fetch(self, candidate: Candidate) -> Response | FetchFailure:
        """Return the response of a candidate's page, or a redirect to another page."""
        url, visited = candidate.fetch_url, {candidate.fetch_url}
        while True:
            result = self._preloaded.pop(url, None) or await self._request(url, candidate)
            if isinstance(result, FetchFailure) or result.status not in REDIRECT_STATUSES:
                return result
            target = get_redirect_target(result)
            hops = candidate.redirects + len(visited)
            failure = check_redirect(result, target, visited, hops, self._max_redirects)
            if failure is not None:
                return failure
            if spell_href(target, self._site.scope.policy).key != candidate.key:
                return result
            visited.add(target)
            url = target

    async def _request(self, url: str, candidate: Candidate) -> Response | FetchFailure:
        async def fetch(spelling: str) -> Response | FetchFailure:
            return await self._fetcher.fetch(self._make_request(spelling, candidate))

        return await (fetch(url) if self._prediction is None else self._prediction.fetch(url, fetch))

    def _make_request(self, url: str, candidate: Candidate) -> Request:
        """Return a request, conditional if the previous scan stored everything that an unchanged page needs."""
        if self._renderer is not None and self._renderer.was_opened(candidate.url):
            return Request(url)
        previous_visit = (
            self._store.previous_visit(self._previous, candidate.identity) if self._previous is not None else None
        )
        if previous_visit is None or not is_reusable(previous_visit, self._site):
            return Request(url)
        return Request(url, "page", previous_visit.etag, previous_visit.last_modified)
