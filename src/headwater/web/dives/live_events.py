"""A dive told as it happens: read once for however many watch, as server-sent events that each hold the whole."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

from headwater.web.dives.views import dive_view, require_dive

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from headwater.store.browse_store import BrowseStore
    from headwater.web.jobs.job_queue import JobQueue
    from headwater.web.scans.live_events import ScanEvents
    from headwater.web.serving.store_readers import StoreReaders

MAX_VIEW_AGE = 0.4
KEEPALIVE_INTERVAL = 15.0
"""Seconds after which a word is sent though there is no news, so that a connection that is gone is noticed."""


class DiveEvents:
    """How dives stand; counting is shared by all who watch."""

    def __init__(self, desk: StoreReaders, jobs: JobQueue, live: ScanEvents) -> None:
        self._readers, self._jobs, self._scan_events = desk, jobs, live
        self._views: dict[int, tuple[float, asyncio.Future[dict[str, Any]]]] = {}

    async def view(self, number: int) -> dict[str, Any]:
        """How a dive stands now."""
        held = self._jobs.get_job_state(("dive", number))

        def ask(store: BrowseStore) -> dict[str, Any]:
            return dive_view(store, require_dive(store, number), held)

        return await self._readers.read(ask)

    async def stream(self, number: int) -> AsyncIterator[str]:
        """Whatever changes, until the dive has ended."""
        sent: dict[str, Any] = {}
        spoke = time.monotonic()
        while not self._scan_events.is_closing:
            view = await self._shared(number)
            if view != sent:
                sent, spoke = view, time.monotonic()
                yield _format_message("state", view)
            elif time.monotonic() - spoke > KEEPALIVE_INTERVAL:
                spoke = time.monotonic()
                yield ": still here\n\n"
            if not view["is_live"]:
                self._views.pop(number, None)
                yield _format_message("end", view)
                return
            await self._scan_events.pause()

    async def _shared(self, number: int) -> dict[str, Any]:
        made, view = self._views.get(number, (0.0, None))
        if view is None or time.monotonic() - made > MAX_VIEW_AGE:
            view = asyncio.ensure_future(self.view(number))
            self._views[number] = (time.monotonic(), view)
        return await asyncio.shield(view)


def _format_message(kind: str, data: object) -> str:
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"
