"""HTTP server on loopback that counts what a crawler requests."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

from bench.recall.site import PLACEHOLDER, Answer, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SUBRESOURCES = frozenset(
    (
        "audio audioworklet font image manifest paintworklet script serviceworker sharedworker style track video worker"
    ).split()
)
REDIRECTS = (301, 302, 303, 307, 308)
TEXT = ("text/", "application/json", "application/xml", "application/javascript", "application/rss", "application/atom")


@dataclass(slots=True)
class Traffic:
    """Counts of the requests that reached a server."""

    requests: int = 0
    subresources: int = 0
    openings: int = 0
    targets: list[str] = field(default_factory=list)

    def count(self, request: Request, answer: Answer) -> None:
        """Count a request by the purpose the browser names; other clients name none.

        A page that redirects is opened once, at its end.
        """
        purpose = request.headers.get("sec-fetch-dest", "")
        if purpose in SUBRESOURCES or "prefetch" in request.headers.get("sec-purpose", ""):
            self.subresources += 1
            return
        self.requests += 1
        self.openings += purpose == "document" and answer.status not in REDIRECTS
        self.targets.append(request.target)


@contextmanager
def serving(answer: Callable[[Request], Answer]) -> Iterator[tuple[str, Traffic]]:
    """Serve on a free loopback port; give the origin and the traffic."""
    loop, traffic, ready = asyncio.new_event_loop(), Traffic(), threading.Event()
    ports: list[int] = []
    stop = asyncio.Event()

    async def run() -> None:
        server = await asyncio.start_server(lambda r, w: _converse(r, w, answer, traffic), "127.0.0.1", 0, backlog=512)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()
        await stop.wait()
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield f"http://127.0.0.1:{ports[0]}", traffic
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


async def _converse(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    answer: Callable[[Request], Answer],
    traffic: Traffic,
) -> None:
    host, port = writer.get_extra_info("sockname")
    origin = f"http://{host}:{port}".encode()
    try:
        while line := await reader.readline():
            method, target, _ = line.decode("latin-1").split(" ", 2)
            request = Request(target, await _headers(reader))
            response = answer(request) if method in ("GET", "HEAD") else Answer(b"", status=405)
            traffic.count(request, response)
            writer.write(_encoded(response, origin, is_head=method == "HEAD"))
            await writer.drain()
    except (ConnectionError, ValueError, asyncio.IncompleteReadError, asyncio.CancelledError):
        pass
    finally:
        writer.close()


async def _headers(reader: asyncio.StreamReader) -> dict[str, str]:
    headers: dict[str, str] = {}
    while (line := await reader.readline()).strip():
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    return headers


def _encoded(answer: Answer, origin: bytes, *, is_head: bool) -> bytes:
    body = answer.body.replace(PLACEHOLDER, origin) if answer.content_type.startswith(TEXT) else answer.body
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}", f"Content-Type: {answer.content_type}"]
    lines += [f"{name}: {value}" for name, value in answer.headers]
    head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode().replace(PLACEHOLDER, origin)
    return head if is_head else head + body
