"""The deadline of a scan: `max_time`, Ctrl-C or a stop request ends the current stage without losing its results."""

from __future__ import annotations

import asyncio
import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator

    from headwater.discovery.visits.crawl_loop import CrawlLoop

Result = TypeVar("Result")
STOP_GRACE_SECONDS = 2.0
"""Seconds that active requests have to finish after the deadline."""


class ScanDeadline:
    """The moment after which a scan sends no new requests; `stop_reason` names the limit or command that set it."""

    def __init__(self) -> None:
        self.stop_reason = "max_time"
        self._at = math.inf
        self._timeout: asyncio.Timeout | None = None
        self._loop: CrawlLoop | None = None

    @property
    def is_over(self) -> bool:
        """True once no request may start."""
        return self._at < math.inf and asyncio.get_running_loop().time() >= self._at

    def start(self, max_time: float | None) -> None:
        """Start the clock of a scan that may take `max_time` seconds."""
        if max_time is not None:
            self._at = min(self._at, asyncio.get_running_loop().time() + max_time)

    def stop(self, reason: str) -> None:
        """Start no more requests: the active stage ends soon, and the pages found so far are classified."""
        self._at, self.stop_reason = min(self._at, asyncio.get_running_loop().time()), reason
        if self._timeout is not None:
            self._timeout.reschedule(self._at)
        if self._loop is not None:
            self._loop.stop(reason, STOP_GRACE_SECONDS)

    @contextmanager
    def applied_to(self, loop: CrawlLoop) -> Iterator[None]:
        """Stop a crawl at the deadline."""
        self._loop = loop
        if self.is_over:  # a timer would fire after the first requests
            self.stop(self.stop_reason)
        clock = asyncio.get_running_loop()
        timer = None if self._at == math.inf else clock.call_at(self._at, self._expire)
        try:
            yield
        finally:
            self._loop = None
            if timer is not None:
                timer.cancel()

    def _expire(self) -> None:
        self.stop(self.stop_reason)

    async def limit(self, work: Awaitable[Result]) -> Result | None:
        """Return the result of some work, or None if the deadline came first."""
        deadline = None if self._at == math.inf else self._at
        try:
            async with asyncio.timeout_at(deadline) as self._timeout:
                return await work
        except TimeoutError:
            return None
        finally:
            self._timeout = None
