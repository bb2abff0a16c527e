"""Run small proxies that record requests: HTTP (plain and CONNECT) and SOCKS5."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.sites.asyncio_server import asyncio_server

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator


@dataclass
class Proxy:
    """The port of a running proxy, and the targets that clients requested."""

    port: int = 0
    targets: list[str] = field(default_factory=list)


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
    """Open a tunnel for CONNECT, and forward other requests unchanged."""
    head = await reader.readuntil(b"\r\n\r\n")
    method, target, _ = head.decode().split("\r\n")[0].split(" ")
    proxy.targets.append(f"{method} {target}")
    authority = target if method == "CONNECT" else target.split("/")[2]
    host, _, port = authority.partition(":")
    if method == "CONNECT":
        writer.write(b"HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
    await _join(reader, writer, host, int(port or 80), b"" if method == "CONNECT" else head)


async def serve_socks(proxy: Proxy, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Speak SOCKS5 without authentication, for names and IPv4 addresses."""
    methods = (await reader.readexactly(2))[1]
    await reader.readexactly(methods)
    writer.write(b"\x05\x00")
    kind = (await reader.readexactly(4))[3]
    if kind == 3:
        host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
    else:
        host = socket.inet_ntoa(await reader.readexactly(4))
    port = int.from_bytes(await reader.readexactly(2), "big")
    proxy.targets.append(f"{host}:{port}")
    writer.write(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
    await _join(reader, writer, host, port, b"")


@contextlib.contextmanager
def running(serve: Callable[[Proxy, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]) -> Iterator[Proxy]:
    """Run one of the proxies."""
    proxy = Proxy()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await serve(proxy, reader, writer)

    with asyncio_server(handle) as proxy.port:
        yield proxy
