"""Run an asyncio server in a thread, for tests that need control over every byte of a connection."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING

from headwater.event_loop import stop_listening

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable, Iterator

    ConnectionHandler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

CLOSING = 10.0
"""Seconds that connections have to end after they were aborted."""


@contextlib.contextmanager
def asyncio_server(
    handle: ConnectionHandler, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None
) -> Iterator[int]:
    """Yield the port of a server that calls `handle` for every connection, and abort open connections at the end."""
    ready, ports, stop = threading.Event(), list[int](), asyncio.Event()
    loop = asyncio.new_event_loop()
    writers: set[asyncio.StreamWriter] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        await handle(reader, writer)

    async def main() -> None:
        server = await asyncio.start_server(accept, host, port, ssl=tls)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()
        await stop.wait()
        await stop_listening(server)
        for writer in writers:
            with contextlib.suppress(AttributeError):  # Python 3.11.2 raises it for a TLS connection that has ended
                writer.transport.abort()
        endings = [writer.wait_closed() for writer in writers]
        await asyncio.wait_for(asyncio.gather(*endings, return_exceptions=True), CLOSING)

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(main())

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    try:
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
