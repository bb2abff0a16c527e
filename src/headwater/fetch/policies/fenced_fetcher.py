"""Stop sending requests as soon as the lease of a site is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.errors import LeaseLostError
from headwater.model import FetchFailure

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.fetch.fetcher import Fetcher
    from headwater.model import Request, Response


class FencedFetcher:
    """Checks the lease before every request, including retries and redirects."""

    def __init__(self, inner: Fetcher, may_request: Callable[[], bool]) -> None:
        self._inner, self._may_request = inner, may_request

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch if the lease is valid; raise LeaseLostError otherwise, which ends the scan."""
        check_lease(self._may_request)
        result = await self._inner.fetch(request)
        if isinstance(result, FetchFailure):  # the lease may have expired between start and sending
            check_lease(self._may_request)
        return result


def check_lease(may_request: Callable[[], bool]) -> None:
    """Raise LeaseLostError if requests are no longer allowed, which ends the scan."""
    if not may_request():
        raise LeaseLostError("the heartbeat is late: another worker may have taken over the site")
