"""The one-method interface that everything which fetches has, and that wrappers keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from headwater.model import FetchFailure, Request, Response


class Fetcher(Protocol):
    """Gives a response, or an outcome that says why there is none."""

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch one URL; raises only when cancelled."""
