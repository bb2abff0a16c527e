"""The interface of all fetchers, including those that wrap another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from headwater.model import FetchFailure, Request, Response


class Fetcher(Protocol):
    """Returns a response, or a failure with its reason."""

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch one URL; raise only when cancelled."""
