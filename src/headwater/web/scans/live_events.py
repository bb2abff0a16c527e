"""A scan told as it happens: the event table, read once for however many watch, as server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from headwater.web.scans.views import live_state

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Event
    from headwater.web.serving.store_readers import StoreReaders

POLL_INTERVAL = 0.25
MESSAGE_INTERVAL = 0.1
"""Seconds between two messages to one watcher: ten a second at most."""

KEEPALIVE_INTERVAL = 15.0
"""Seconds after which a word is sent though there is no news, so that a connection that is gone is noticed."""

MAX_RECENT_EVENTS = 500
MAX_NEWEST_URLS = 8


class ScanChannel:
    """What is new about one scan; those who watch wait on it."""

    def __init__(self, scan: int) -> None:
        self.scan = scan
        self.recent: deque[Event] = deque(maxlen=MAX_RECENT_EVENTS)
        self.state: dict[str, Any] = {}
        self.newest: list[str] = []
        self.subscribers = 0
        self.changed = asyncio.Condition()
        self.last = -1
        self.is_ready = asyncio.Event()


class ScanEvents:
    """Follows every scan that somebody watches, and none else."""

    def __init__(self, desk: StoreReaders) -> None:
        self._readers = desk
        self._channels: dict[int, tuple[ScanChannel, asyncio.Task[None]]] = {}
        self._is_closing = asyncio.Event()

    async def stream(self, scan: int, after: int) -> AsyncIterator[str]:
        """The events behind a number, then new ones as they come, until the scan has ended."""
        async with self._watching(scan) as watch:
            sent: dict[str, Any] = {}
            while not self._is_closing.is_set():
                events = await self._events_after(watch, after)
                state, newest = watch.state, watch.newest
                for message in _format_messages(events, state, newest, sent):
                    yield message
                    await asyncio.sleep(MESSAGE_INTERVAL)
                after = events[-1].number if events else after
                sent = {"state": state, "newest": newest}
                if not state["is_live"] and watch.last <= after:
                    yield _format_message("end", state)
                    return
                if not await self._wait(watch, after, sent):
                    yield ": still here\n\n"

    @property
    def is_closing(self) -> bool:
        """Whether the server ends."""
        return self._is_closing.is_set()

    async def pause(self) -> None:
        """Wait a moment for news, shorter when the server ends."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_closing.wait(), 2 * POLL_INTERVAL)

    def close(self) -> None:
        """Let everybody go."""
        self._is_closing.set()
        for _, task in self._channels.values():
            task.cancel()

    @asynccontextmanager
    async def _watching(self, scan: int) -> AsyncIterator[ScanChannel]:
        if scan not in self._channels:
            watch = ScanChannel(scan)
            self._channels[scan] = (watch, asyncio.create_task(self._follow(watch)))
        watch, task = self._channels[scan]
        watch.subscribers += 1
        try:
            await watch.is_ready.wait()
            yield watch
        finally:
            watch.subscribers -= 1
            if not watch.subscribers:
                self._channels.pop(scan, None)
                task.cancel()

    async def _follow(self, watch: ScanChannel) -> None:
        while True:
            events, last, state, newest = await self._readers.read(_read_updates, watch.scan, watch.last)
            if events or state != watch.state or newest != watch.newest:
                async with watch.changed:
                    watch.recent.extend(events)
                    watch.last, watch.state, watch.newest = last, state, newest
                    watch.changed.notify_all()
            watch.is_ready.set()
            await asyncio.sleep(POLL_INTERVAL)

    async def _events_after(self, watch: ScanChannel, after: int) -> list[Event]:
        """From memory if that reaches back far enough, else from the store."""
        if watch.last <= after:
            return []
        if watch.recent and watch.recent[0].number <= after + 1:
            return [event for event in watch.recent if event.number > after]
        return await self._readers.read(lambda store: store.events(watch.scan, after))

    async def _wait(self, watch: ScanChannel, after: int, sent: dict[str, Any]) -> bool:
        """Until there is news; False if there was none for long."""

        def is_news() -> bool:
            seen = {"state": watch.state, "newest": watch.newest}
            return self._is_closing.is_set() or watch.last > after or seen != sent

        try:
            async with asyncio.timeout(KEEPALIVE_INTERVAL), watch.changed:
                await watch.changed.wait_for(is_news)
        except TimeoutError:
            return False
        return True


def _read_updates(store: BrowseStore, scan: int, after: int) -> tuple[list[Event], int, dict[str, Any], list[str]]:
    """The first time only the number of the last event: whoever needs earlier ones asks for them."""
    state = live_state(store, scan)
    if after < 0:
        last = store.last_event(scan)
        events: list[Event] = []
        number = last.number if last else 0
    else:
        events = store.events(scan, after, MAX_RECENT_EVENTS)
        number = events[-1].number if events else after
    return events, number, state, store.latest_urls(scan, MAX_NEWEST_URLS) if state["is_live"] else []


def _format_messages(
    events: Iterable[Event], state: dict[str, Any], newest: list[str], sent: dict[str, Any]
) -> Iterable[str]:
    """Of several reports of progress the last one says it all."""
    events = list(events)
    last = next((event.number for event in reversed(events) if event.kind == "progress"), 0)
    if state != sent.get("state"):
        yield _format_message("state", state)
    if newest and newest != sent.get("newest"):
        yield _format_message("newest", newest)
    for event in events:
        if event.kind != "progress" or event.number == last:
            yield _format_message(event.kind, {**event.data, "at": event.at}, event.number)


def _format_message(kind: str, data: object, number: int | None = None) -> str:
    identity = f"id: {number}\n" if number is not None else ""
    return f"{identity}event: {kind}\ndata: {json.dumps(data)}\n\n"
