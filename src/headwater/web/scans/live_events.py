"""Server-sent events of running scans: the event table is polled once per scan, for all clients."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from headwater.web.records import encode_json
from headwater.web.scans.views import MAX_NEWEST_URLS, get_scan_status

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Event
    from headwater.web.scans.records import ScanStatus
    from headwater.web.serving.store_readers import StoreReaders

POLL_INTERVAL = 0.25
MESSAGE_INTERVAL = 0.1
"""Seconds between two messages to one client: ten a second at most."""

KEEPALIVE_INTERVAL = 15.0
"""Seconds without news after which a comment is sent, so that a closed connection is noticed."""

KEEPALIVE = ": keep-alive\n\n"
MAX_RECENT_EVENTS = 500


class Snapshot(NamedTuple):
    """State of a scan besides its events: its status and the URLs found last."""

    status: ScanStatus | None = None
    newest: tuple[str, ...] = ()


class Update(NamedTuple):
    """Result of one poll: new events, the number of the last one, and the current snapshot."""

    events: list[Event]
    last_event: int
    snapshot: Snapshot


class ScanChannel:
    """Recent events of one scan; subscribers wait on `changed`."""

    def __init__(self, scan: int) -> None:
        self.scan = scan
        self.recent: deque[Event] = deque(maxlen=MAX_RECENT_EVENTS)
        self.snapshot = Snapshot()
        self.subscribers = 0
        self.changed = asyncio.Condition()
        self.last_event = -1
        self.is_ready = asyncio.Event()


class ScanEvents:
    """Polls every scan that has subscribers."""

    def __init__(self, readers: StoreReaders) -> None:
        self._readers = readers
        self._channels: dict[int, tuple[ScanChannel, asyncio.Task[None]]] = {}
        self._closing = asyncio.Event()

    async def stream(self, scan: int, after: int) -> AsyncIterator[str]:
        """Yield the events after a number, then new ones, until the scan has ended."""
        async with self._subscribe(scan) as channel:
            sent = Snapshot()
            while not self.is_closing:
                events = await self._events_after(channel, after)
                snapshot = channel.snapshot
                for message in _format_messages(events, snapshot, sent):
                    yield message
                    await asyncio.sleep(MESSAGE_INTERVAL)
                after = events[-1].number if events else after
                sent = snapshot
                if snapshot.status and not snapshot.status.is_live and channel.last_event <= after:
                    yield format_message("end", snapshot.status)
                    return
                if not await self._wait_for_update(channel, after, sent):
                    yield KEEPALIVE

    @property
    def is_closing(self) -> bool:
        """True once the server is shutting down."""
        return self._closing.is_set()

    async def pause(self) -> None:
        """Wait until the next poll may have found something, or until the server shuts down."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), 2 * POLL_INTERVAL)

    def close(self) -> None:
        """End all streams."""
        self._closing.set()
        for _, task in self._channels.values():
            task.cancel()

    @asynccontextmanager
    async def _subscribe(self, scan: int) -> AsyncIterator[ScanChannel]:
        if scan not in self._channels:
            channel = ScanChannel(scan)
            self._channels[scan] = (channel, asyncio.create_task(self._poll(channel)))
        channel, task = self._channels[scan]
        channel.subscribers += 1
        try:
            await channel.is_ready.wait()
            yield channel
        finally:
            channel.subscribers -= 1
            if not channel.subscribers:
                self._channels.pop(scan, None)
                task.cancel()

    async def _poll(self, channel: ScanChannel) -> None:
        while True:
            update = await self._readers.read(_read_update, channel.scan, channel.last_event)
            if update.events or update.snapshot != channel.snapshot:
                async with channel.changed:
                    channel.recent.extend(update.events)
                    channel.last_event, channel.snapshot = update.last_event, update.snapshot
                    channel.changed.notify_all()
            channel.is_ready.set()
            await asyncio.sleep(POLL_INTERVAL)

    async def _events_after(self, channel: ScanChannel, after: int) -> list[Event]:
        """Return events from memory if it reaches back far enough, otherwise from the store."""
        if channel.last_event <= after:
            return []
        if channel.recent and channel.recent[0].number <= after + 1:
            return [event for event in channel.recent if event.number > after]
        return await self._readers.read(lambda store: store.events(channel.scan, after))

    async def _wait_for_update(self, channel: ScanChannel, after: int, sent: Snapshot) -> bool:
        """Wait for news; return False if there was none for a while."""

        def has_news() -> bool:
            return self.is_closing or channel.last_event > after or channel.snapshot != sent

        try:
            async with asyncio.timeout(KEEPALIVE_INTERVAL), channel.changed:
                await channel.changed.wait_for(has_news)
        except TimeoutError:
            return False
        return True


def format_message(kind: str, data: object, number: int | None = None) -> str:
    """Return a server-sent event."""
    identity = f"id: {number}\n" if number is not None else ""
    return f"{identity}event: {kind}\ndata: {encode_json(data).decode()}\n\n"


def _read_update(store: BrowseStore, scan: int, after: int) -> Update:
    """Return what is new; the first poll reads only the number of the last event, because clients ask for the rest."""
    status = get_scan_status(store, scan)
    if after < 0:
        last = store.last_event(scan)
        events: list[Event] = []
        number = last.number if last else 0
    else:
        events = store.events(scan, after, MAX_RECENT_EVENTS)
        number = events[-1].number if events else after
    newest = tuple(store.latest_urls(scan, MAX_NEWEST_URLS)) if status.is_live else ()
    return Update(events, number, Snapshot(status, newest))


def _format_messages(events: Iterable[Event], snapshot: Snapshot, sent: Snapshot) -> Iterable[str]:
    """Yield the messages for a client; of several progress events only the last one counts."""
    events = list(events)
    last_progress = next((event.number for event in reversed(events) if event.kind == "progress"), 0)
    if snapshot.status != sent.status:
        yield format_message("state", snapshot.status)
    if snapshot.newest and snapshot.newest != sent.newest:
        yield format_message("newest", snapshot.newest)
    for event in events:
        if event.kind != "progress" or event.number == last_progress:
            yield format_message(event.kind, {**event.data, "at": event.at}, event.number)
