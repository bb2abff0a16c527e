"""Fetch with libcurl under asyncio and nothing else: the lower bound."""

from __future__ import annotations

import asyncio
import sys
from io import BytesIO
from typing import Any

import pycurl


class Multi:
    """One CurlMulti in the event loop, with one future per request."""

    def __init__(self, connections: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.timer: asyncio.TimerHandle | None = None
        self.watched: dict[int, int] = {}
        self.idle: list[Any] = []
        self.multi = pycurl.CurlMulti()
        self.multi.setopt(pycurl.M_MAX_TOTAL_CONNECTIONS, connections)
        self.multi.setopt(pycurl.M_SOCKETFUNCTION, self.watch)
        self.multi.setopt(pycurl.M_TIMERFUNCTION, self.schedule)

    def watch(self, event: int, descriptor: int, *_: object) -> None:
        if self.watched.pop(descriptor, 0):
            self.loop.remove_reader(descriptor)
            self.loop.remove_writer(descriptor)
        if event == pycurl.POLL_REMOVE:
            return
        self.watched[descriptor] = event
        if event & pycurl.POLL_IN:
            self.loop.add_reader(descriptor, self.act, descriptor, pycurl.CSELECT_IN)
        if event & pycurl.POLL_OUT:
            self.loop.add_writer(descriptor, self.act, descriptor, pycurl.CSELECT_OUT)

    def schedule(self, milliseconds: int) -> None:
        if self.timer:
            self.timer.cancel()
        wait = milliseconds / 1000
        self.timer = self.loop.call_later(wait, self.act, pycurl.SOCKET_TIMEOUT, 0) if wait >= 0 else None

    def act(self, descriptor: int, events: int) -> None:
        self.multi.socket_action(descriptor, events)
        more = 1
        while more:
            more, done, _ = self.multi.info_read()
            for curl in done:
                self.multi.remove_handle(curl)
                curl.future.set_result(curl.body.getvalue())
                self.idle.append(curl)

    def get(self, url: str) -> asyncio.Future[bytes]:
        curl: Any = self.idle.pop() if self.idle else pycurl.Curl()
        curl.body, curl.future = BytesIO(), self.loop.create_future()
        curl.setopt(pycurl.URL, url)
        curl.setopt(pycurl.WRITEDATA, curl.body)
        curl.setopt(pycurl.NOSIGNAL, 1)
        self.multi.add_handle(curl)
        future: asyncio.Future[bytes] = curl.future
        return future


async def main(origin: str, count: int, parallel: int) -> None:
    """Fetch `count` pages, `parallel` at a time."""
    multi = Multi(parallel)
    urls = iter([f"{origin}/{number % 100}.html" for number in range(count)])

    async def worker() -> None:
        for url in urls:
            assert len(await multi.get(url)) > 10_000

    await asyncio.gather(*(worker() for _ in range(parallel)))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
