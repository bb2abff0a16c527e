"""Follow redirects one hop at a time; robots.txt, rate limits and the egress policy apply to every hop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import REDIRECT_STATUSES, FetchFailure, Redirect, Request, Response
from headwater.urls.redirects import check_redirect, get_redirect_target, make_redirect_failure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.fetch.fetcher import Fetcher
    from headwater.fetch.request_limits import RequestLimits
    from headwater.model import RequestPurpose


CHAIN_TIMEOUT_FACTOR = 2.0
"""A chain of redirects may take this many times the timeout of one request, not counting waits for rate limits."""


class RedirectingFetcher:
    """Follows `Location` to http and https only, up to the limit of the kind of request."""

    def __init__(self, inner: Fetcher, limits: Mapping[RequestPurpose, RequestLimits], timeout: float) -> None:
        self._inner = inner
        self._limits = limits
        self._timeout = timeout

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch a URL and follow its redirects."""
        result = await self._inner.fetch(request)
        if isinstance(result, FetchFailure) or result.status not in REDIRECT_STATUSES:
            return result
        return await self._follow(request, result)

    async def _follow(self, request: Request, result: Response | FetchFailure) -> Response | FetchFailure:
        hops: list[Redirect] = []
        seen = {request.url}
        timeout = request.timeout or self._timeout
        remaining = timeout * CHAIN_TIMEOUT_FACTOR
        while isinstance(result, Response) and result.status in REDIRECT_STATUSES:
            hops.append(Redirect(result.url, result.status))
            remaining -= result.timings.total
            target = get_redirect_target(result)
            failure = check_redirect(result, target, seen, len(hops), self._limits[request.purpose].max_redirects)
            if remaining <= 0 and not failure:
                detail = f"{len(hops)} redirects took more than {timeout * CHAIN_TIMEOUT_FACTOR:g} s"
                failure = make_redirect_failure(result, "timeout-total", detail)
            if failure:
                result = failure
                break
            seen.add(target)
            request = Request(target, request.purpose, timeout=min(timeout, remaining), is_head=request.is_head)
            result = await self._inner.fetch(request)
        return result._replace(hops=tuple(hops))
