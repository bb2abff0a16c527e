"""What failed and may succeed next time is tried again, a little later; each try waits its turn like any request."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from headwater.fetch.failure_reasons import RETRYABLE_REASONS
from headwater.frontier.retry import compute_backoff
from headwater.model import FetchFailure, Response

if TYPE_CHECKING:
    from headwater.fetch.fetcher import Fetcher
    from headwater.model import Request


SITE_FILE_KINDS = frozenset({"robots", "sitemap", "feed", "probe"})
"""What others wait for: one that hangs, or whose host asks for a long pause, costs its time once."""

MAX_FILE_RETRY_AFTER = 10.0
"""Seconds that a host may ask us to wait before one of these files is tried again."""


class RetryingFetcher:
    """Tries up to `retries` times more, with exponential backoff; final failures are never repeated."""

    def __init__(self, inner: Fetcher, retries: int) -> None:
        self._inner = inner
        self._retries = retries

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch, and fetch again where that is worth it."""
        attempt = 1
        while True:
            result = await self._inner.fetch(request)
            if isinstance(result, Response):
                return result
            is_late = result.reason.startswith("timeout") or (result.retry_after or 0.0) > MAX_FILE_RETRY_AFTER
            is_final = result.reason not in RETRYABLE_REASONS or (is_late and request.purpose in SITE_FILE_KINDS)
            if attempt > self._retries or is_final:
                return result._replace(attempts=attempt)
            await asyncio.sleep(compute_backoff(attempt, random.random()))  # noqa: S311
            attempt += 1
