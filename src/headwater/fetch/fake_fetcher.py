"""A fetcher without a network, for tests and examples: give it pages, ask it what it was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import FetchFailure, Request, Response

if TYPE_CHECKING:
    from collections.abc import Mapping


class FakeFetcher:
    """Answers from a mapping of URLs to pages, responses or outcomes; everything else is a 404."""

    def __init__(self, pages: Mapping[str, str | bytes | Response | FetchFailure]) -> None:
        self._pages = pages
        self.requests: list[Request] = []

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """The page of that URL."""
        self.requests.append(request)
        page = self._pages.get(request.url)
        if page is None:
            return FetchFailure(request.url, "http-404", status=404)
        if isinstance(page, Response | FetchFailure):
            return page
        body = page.encode() if isinstance(page, str) else page
        return Response(request.url, 200, {"content-type": "text/html"}, body, "text/html", "utf-8")
