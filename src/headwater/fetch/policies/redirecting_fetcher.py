"""Follow redirects one hop at a time; robots.txt, rate limits and the egress policy apply to every hop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import REDIRECT_STATUSES, FetchFailure, Redirect, Request, Response
from headwater.urls.parsing import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.fetch.fetcher import Fetcher
    from headwater.fetch.request_limits import RequestLimits
    from headwater.model import RequestPurpose


CHAIN_TIMEOUT_FACTOR = 2.0
"""A chain of redirects may take this many times the timeout of one request, not counting waits for rate limits."""


class RedirectingFetcher:
    """Follows `Location` to http and https URLs, up to the limit for the kind of request."""

    def __init__(self, inner: Fetcher, limits: Mapping[RequestPurpose, RequestLimits], timeout: float) -> None:
        self._inner = inner
        self._limits = limits
        self._timeout = timeout

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch and follow redirects."""
        result = await self._inner.fetch(request)
        if isinstance(result, FetchFailure) or result.status not in REDIRECT_STATUSES:
            return result
        return await self._follow(request, result)

    async def _follow(self, request: Request, result: Response | FetchFailure) -> Response | FetchFailure:
        hops: list[Redirect] = []
        seen = {request.url}
        timeout = request.timeout or self._timeout
        left = timeout * CHAIN_TIMEOUT_FACTOR
        while isinstance(result, Response) and result.status in REDIRECT_STATUSES:
            hops.append(Redirect(result.url, result.status))
            left -= result.timings.total
            target = get_redirect_target(result)
            problem = self._problem(request, result, target, seen, len(hops))
            if left <= 0 and not problem:
                problem = "timeout-total", f"{len(hops)} redirects took more than {timeout * CHAIN_TIMEOUT_FACTOR:g} s"
            if problem:
                result = FetchFailure(result.url, *problem, result.status, result.headers, address=result.address)
                break
            seen.add(target)
            request = Request(target, request.purpose, timeout=min(timeout, left))
            result = await self._inner.fetch(request)
        return result._replace(hops=tuple(hops))

    def _problem(
        self, request: Request, result: Response, target: str, seen: set[str], hops: int
    ) -> tuple[str, str] | None:
        if not target:
            return "bad-redirect", f"to {result.headers.get('location', 'nowhere')[:200]!r}"
        if target in seen:
            return "redirect-loop", f"back to {target}"
        limit = self._limits[request.purpose].max_redirects
        return ("too-many-redirects", f"more than {limit}") if hops > limit else None


def get_redirect_target(response: Response) -> str:
    """Return the target of a redirect without fragment; empty if it is not an http(s) URL."""
    location = response.headers.get("location", "").encode("latin-1", "replace")
    # Headers are Latin-1, but servers send raw UTF-8. Like browsers, read UTF-8 and escape other bytes unchanged.
    try:
        text = location.decode()
    except UnicodeDecodeError:
        text = "".join(chr(byte) if byte < 128 else f"%{byte:02X}" for byte in location)
    return (resolve(text, response.url) or "").partition("#")[0] if text else ""
