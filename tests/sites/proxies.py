"""Two small proxies that keep a record: HTTP (plain and CONNECT) and SOCKS5."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headwater.event_loop import stop_listening

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator


@dataclass
class Proxy:
    """Where it listens and what it was asked for."""

    port: int = 0
    asked: list[str] = field(default_factory=list)


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def _join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, port: int, first: bytes) -> None:
    there, back = await asyncio.open_connection(host, port)
    back.write(first)
    await asyncio.gather(_pipe(reader, back), _pipe(there, writer))


async def serve_http(proxy: Proxy, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """CONNECT opens a tunnel; anything else is passed on as it is."""
    head = await reader.readuntil(b"\r\n\r\n")
    method, target, _ = head.decode().split("\r\n")[0].split(" ")
    proxy.asked.append(f"{method} {target}")
    authority = target if method == "CONNECT" else target.split("/")[2]
    host, _, port = authority.partition(":")
    if method == "CONNECT":
        writer.write(b"HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
    await _join(reader, writer, host, int(port or 80), b"" if method == "CONNECT" else head)


async def serve_socks(proxy: Proxy, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """SOCKS5 without authentication, for names and IPv4 addresses."""
    methods = (await reader.readexactly(2))[1]
    await reader.readexactly(methods)
    writer.write(b"\x05\x00")
    kind = (await reader.readexactly(4))[3]
    if kind == 3:
        host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
    else:
        host = socket.inet_ntoa(await reader.readexactly(4))
    port = int.from_bytes(await reader.readexactly(2), "big")
    proxy.asked.append(f"{host}:{port}")
    writer.write(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
    await _join(reader, writer, host, port, b"")


@contextlib.contextmanager
def running(serve: Callable[[Proxy, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]) -> Iterator[Proxy]:
    """The proxy in a thread of its own."""
    proxy, ready, ending = Proxy(), threading.Event(), list[Callable[[], object]]()
    writers: set[asyncio.StreamWriter] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await serve(proxy, reader, writer)

    async def main() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        ending.append(lambda: loop.call_soon_threadsafe(stop.set))
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        ready.set()
        await stop.wait()
        await stop_listening(server)
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0.05)

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    ready.wait()
    try:
        yield proxy
    finally:
        ending[0]()
        thread.join()
