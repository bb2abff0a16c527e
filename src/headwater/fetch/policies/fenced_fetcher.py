"""No request is begun once somebody says that the site is no longer ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.errors import LeaseLostError
from headwater.model import FetchFailure

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.fetch.fetcher import Fetcher
    from headwater.model import Request, Response


class FencedFetcher:
    """Asks before every request, also before a second try or the next hop."""

    def __init__(self, inner: Fetcher, may_request: Callable[[], bool]) -> None:
        self._inner, self._may_request = inner, may_request

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch, if that is still allowed; else the whole discovery is over."""
        check_lease(self._may_request)
        result = await self._inner.fetch(request)
        if isinstance(result, FetchFailure):  # perhaps a failure of our own making
            check_lease(self._may_request)
        return result


def check_lease(may_request: Callable[[], bool]) -> None:
    """Whether a request may be begun; if not, the whole discovery is over."""
    if not may_request():
        raise LeaseLostError("the heartbeat is late: somebody else may have the site by now")
