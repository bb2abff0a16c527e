"""Server-sent events of dives: each holds the whole state, which is read once for all clients."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from headwater.web.dives.views import make_dive_view, require_dive
from headwater.web.scans.live_events import KEEPALIVE, KEEPALIVE_INTERVAL, format_message

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from headwater.store.browse_store import BrowseStore
    from headwater.web.dives.records import DiveView
    from headwater.web.jobs.job_queue import JobQueue
    from headwater.web.scans.live_events import ScanEvents
    from headwater.web.serving.store_readers import StoreReaders

MAX_VIEW_AGE = 0.4
"""Seconds for which one view of a dive serves all clients."""


class DiveEvents:
    """Current views of dives, shared by all clients."""

    def __init__(self, readers: StoreReaders, jobs: JobQueue, scan_events: ScanEvents) -> None:
        self._readers, self._jobs, self._scan_events = readers, jobs, scan_events
        self._views: dict[int, tuple[float, asyncio.Future[DiveView]]] = {}

    async def view(self, number: int) -> DiveView:
        """Return the current view of a dive."""
        job_state = self._jobs.get_job_state(("dive", number))

        def query(store: BrowseStore) -> DiveView:
            return make_dive_view(store, require_dive(store, number), job_state)

        return await self._readers.read(query)

    async def stream(self, number: int) -> AsyncIterator[str]:
        """Yield the view of a dive whenever it changes, until the dive has ended."""
        sent: DiveView | None = None
        sent_at = time.monotonic()
        while not self._scan_events.is_closing:
            view = await self._get_shared_view(number)
            if view != sent:
                sent, sent_at = view, time.monotonic()
                yield format_message("state", view)
            elif time.monotonic() - sent_at > KEEPALIVE_INTERVAL:
                sent_at = time.monotonic()
                yield KEEPALIVE
            if not view.is_live:
                self._views.pop(number, None)
                yield format_message("end", view)
                return
            await self._scan_events.pause()

    async def _get_shared_view(self, number: int) -> DiveView:
        read_at, view = self._views.get(number, (0.0, None))
        if view is None or time.monotonic() - read_at > MAX_VIEW_AGE:
            view = asyncio.ensure_future(self.view(number))
            self._views[number] = (time.monotonic(), view)
        return await asyncio.shield(view)
