"""A fetcher without a network, for tests and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import FetchFailure, Request, Response

if TYPE_CHECKING:
    from collections.abc import Mapping


class FakeFetcher:
    """Returns pages, responses or failures from a mapping of URLs, else a 404, and records the requests."""

    def __init__(self, pages: Mapping[str, str | bytes | Response | FetchFailure]) -> None:
        self._pages = pages
        self.requests: list[Request] = []

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Return the page of the requested URL."""
        self.requests.append(request)
        page = self._pages.get(request.url)
        if page is None:
            return FetchFailure(request.url, "http-404", status=404)
        if isinstance(page, Response | FetchFailure):
            return page
        body = page.encode() if isinstance(page, str) else page
        return Response(request.url, 200, {"content-type": "text/html"}, body, "text/html", "utf-8")
