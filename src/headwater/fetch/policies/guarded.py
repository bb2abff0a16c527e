"""No request is begun once somebody says that the site is no longer ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.errors import FencedError
from headwater.model import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.fetch.fetcher import Fetcher
    from headwater.model import Request, Response


class GuardedFetcher:
    """Asks before every request, also before a second try or the next hop."""

    def __init__(self, inner: Fetcher, may_request: Callable[[], bool]) -> None:
        self._inner, self._may_request = inner, may_request

    async def fetch(self, request: Request) -> Response | Outcome:
        """Fetch, if that is still allowed; else the whole discovery is over."""
        check_may_request(self._may_request)
        result = await self._inner.fetch(request)
        if isinstance(result, Outcome):  # perhaps a failure of our own making
            check_may_request(self._may_request)
        return result


def check_may_request(may_request: Callable[[], bool]) -> None:
    """Whether a request may be begun; if not, the whole discovery is over."""
    if not may_request():
        raise FencedError("the heartbeat is late: somebody else may have the site by now")
