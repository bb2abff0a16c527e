"""What those who watch a discovery from elsewhere are told: a few numbers, once or twice a second, in the store."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from headwater.discovery.loop import Loop
    from headwater.discovery.stage import Context, Listener
    from headwater.model import Outcome

INTERVAL = 0.5
LONG_INTERVAL = 2.0
"""Seconds between two events: in the first minutes, and in a discovery that takes long."""

LONG = 300.0
SIGN_OF_LIFE = 5.0
"""Seconds after which an event is written though nothing changed, so that a discovery that died can be told."""


class Reporter:
    """Counts beside the discovery; asks nothing of the store, which would have to count millions of rows."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._loop: Loop | None = None
        self._failed: Counter[str] = Counter()
        self._began = time.monotonic()
        self._told: dict[str, object] = {}
        self._told_at = 0.0

    def attach(self, listener: Listener) -> Listener:
        """The listener, heard too by this one."""
        return replace(listener, on_failed=self._on_failed(listener), on_loop=self._on_loop(listener))

    async def report(self) -> None:
        """Tell now and then, until cancelled."""
        while True:
            long = time.monotonic() - self._began > LONG
            await asyncio.sleep(LONG_INTERVAL if long else INTERVAL)
            self.tell()

    def tell(self) -> None:
        """Write down how far it has come, if there is anything new."""
        now = time.monotonic()
        numbers = self._numbers()
        if numbers == self._told and now - self._told_at < SIGN_OF_LIFE:
            return
        seconds = round(now - self._began, 2)
        self._told, self._told_at = numbers, now
        self._context.store.add_event(self._context.scan, "progress", {**numbers, "seconds": seconds})

    def _numbers(self) -> dict[str, object]:
        loop = self._loop
        visited, known = (loop.visited, loop.known) if loop else (0, 0)
        return {
            "named": self._context.named,
            "visited": visited,
            "waiting": max(0, known - visited),
            "failed": loop.failed if loop else 0,
            "depth": loop.depth if loop else 0,
            "errors": dict(self._failed.most_common(20)),
        }

    def _on_failed(self, listener: Listener) -> Callable[[Outcome], None]:
        def note(outcome: Outcome) -> None:
            self._failed[outcome.reason] += 1
            if listener.on_failed:
                listener.on_failed(outcome)

        return note

    def _on_loop(self, listener: Listener) -> Callable[[Loop], None]:
        def note(loop: Loop) -> None:
            self._loop = loop
            if listener.on_loop:
                listener.on_loop(loop)

        return note


@asynccontextmanager
async def reported(context: Context) -> AsyncIterator[None]:
    """As long as the block lasts, tell of it; a store that nobody else can open is not written to."""
    if not context.store.path:
        yield
        return
    reporter = Reporter(context)
    context.listener = reporter.attach(context.listener)
    task = asyncio.create_task(reporter.report())
    try:
        yield
        reporter.tell()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
