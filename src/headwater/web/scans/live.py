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

    from headwater.store.browse import Browse
    from headwater.store.store import Event
    from headwater.web.serving.store_readers import Desk

INTERVAL = 0.25
PAUSE = 0.1
"""Seconds between two messages to one watcher: ten a second at most."""

SILENCE = 15.0
"""Seconds after which a word is sent though there is no news, so that a connection that is gone is noticed."""

KEPT = 500
NEWEST = 8


class Watch:
    """What is new about one scan; those who watch wait on it."""

    def __init__(self, scan: int) -> None:
        self.scan = scan
        self.recent: deque[Event] = deque(maxlen=KEPT)
        self.state: dict[str, Any] = {}
        self.newest: list[str] = []
        self.watchers = 0
        self.changed = asyncio.Condition()
        self.last = -1
        self.is_ready = asyncio.Event()


class Live:
    """Follows every scan that somebody watches, and none else."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._watches: dict[int, tuple[Watch, asyncio.Task[None]]] = {}
        self._is_closing = asyncio.Event()

    async def stream(self, scan: int, after: int) -> AsyncIterator[str]:
        """The events behind a number, then new ones as they come, until the scan has ended."""
        async with self._watching(scan) as watch:
            sent: dict[str, Any] = {}
            while not self._is_closing.is_set():
                events = await self._behind(watch, after)
                state, newest = watch.state, watch.newest
                for message in _messages(events, state, newest, sent):
                    yield message
                    await asyncio.sleep(PAUSE)
                after = events[-1].number if events else after
                sent = {"state": state, "newest": newest}
                if not state["is_live"] and watch.last <= after:
                    yield _message("end", state)
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
            await asyncio.wait_for(self._is_closing.wait(), 2 * INTERVAL)

    def close(self) -> None:
        """Let everybody go."""
        self._is_closing.set()
        for _, task in self._watches.values():
            task.cancel()

    @asynccontextmanager
    async def _watching(self, scan: int) -> AsyncIterator[Watch]:
        if scan not in self._watches:
            watch = Watch(scan)
            self._watches[scan] = (watch, asyncio.create_task(self._follow(watch)))
        watch, task = self._watches[scan]
        watch.watchers += 1
        try:
            await watch.is_ready.wait()
            yield watch
        finally:
            watch.watchers -= 1
            if not watch.watchers:
                self._watches.pop(scan, None)
                task.cancel()

    async def _follow(self, watch: Watch) -> None:
        while True:
            events, last, state, newest = await self._desk.read(_news, watch.scan, watch.last)
            if events or state != watch.state or newest != watch.newest:
                async with watch.changed:
                    watch.recent.extend(events)
                    watch.last, watch.state, watch.newest = last, state, newest
                    watch.changed.notify_all()
            watch.is_ready.set()
            await asyncio.sleep(INTERVAL)

    async def _behind(self, watch: Watch, after: int) -> list[Event]:
        """From memory if that reaches back far enough, else from the store."""
        if watch.last <= after:
            return []
        if watch.recent and watch.recent[0].number <= after + 1:
            return [event for event in watch.recent if event.number > after]
        return await self._desk.read(lambda store: store.events(watch.scan, after))

    async def _wait(self, watch: Watch, after: int, sent: dict[str, Any]) -> bool:
        """Until there is news; False if there was none for long."""

        def is_news() -> bool:
            seen = {"state": watch.state, "newest": watch.newest}
            return self._is_closing.is_set() or watch.last > after or seen != sent

        try:
            async with asyncio.timeout(SILENCE), watch.changed:
                await watch.changed.wait_for(is_news)
        except TimeoutError:
            return False
        return True


def _news(store: Browse, scan: int, after: int) -> tuple[list[Event], int, dict[str, Any], list[str]]:
    """The first time only the number of the last event: whoever needs earlier ones asks for them."""
    state = live_state(store, scan)
    if after < 0:
        last = store.last_event(scan)
        events: list[Event] = []
        number = last.number if last else 0
    else:
        events = store.events(scan, after, KEPT)
        number = events[-1].number if events else after
    return events, number, state, store.newest(scan, NEWEST) if state["is_live"] else []


def _messages(events: Iterable[Event], state: dict[str, Any], newest: list[str], sent: dict[str, Any]) -> Iterable[str]:
    """Of several reports of progress the last one says it all."""
    events = list(events)
    last = next((event.number for event in reversed(events) if event.kind == "progress"), 0)
    if state != sent.get("state"):
        yield _message("state", state)
    if newest and newest != sent.get("newest"):
        yield _message("newest", newest)
    for event in events:
        if event.kind != "progress" or event.number == last:
            yield _message(event.kind, {**event.data, "at": event.at}, event.number)


def _message(kind: str, data: object, number: int | None = None) -> str:
    identity = f"id: {number}\n" if number is not None else ""
    return f"{identity}event: {kind}\ndata: {json.dumps(data)}\n\n"
