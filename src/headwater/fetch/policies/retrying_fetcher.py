"""Retry failed requests that may succeed later; rate limits apply to every attempt."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from headwater.fetch.failure_reasons import RETRYABLE_REASONS
from headwater.frontier.timing.retry import compute_backoff
from headwater.model import FetchFailure, Response

if TYPE_CHECKING:
    from headwater.fetch.fetcher import Fetcher
    from headwater.model import Request


SITE_FILE_KINDS = frozenset({"robots", "sitemap", "feed", "probe"})
"""Files that whole stages wait for: they are not retried after a timeout or a long Retry-After."""

MAX_FILE_RETRY_AFTER = 10.0
"""The longest Retry-After in seconds after which one of these files is retried."""


class RetryingFetcher:
    """Retries up to `retries` times with exponential backoff; final failures are not retried."""

    def __init__(self, inner: Fetcher, retries: int) -> None:
        self._inner = inner
        self._retries = retries

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Fetch, and retry if another attempt may succeed."""
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
