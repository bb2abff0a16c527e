"""A SOCKS5 proxy on loopback for the browser; it resolves names and connects only to addresses that egress permits."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from base64 import b64encode
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from headwater.event_loop import stop_listening
from headwater.fetch.egress import is_ip_address

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from headwater.fetch.egress import EgressPolicy
    from headwater.fetch.http.dns_resolver import DnsResolver

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
VERSION, CONNECT = 5, 1
SUCCEEDED, NOT_ALLOWED, HOST_UNREACHABLE, COMMAND_NOT_SUPPORTED = 0, 2, 4, 7
_MAX_BLOCKED_HOSTS = 1000
_BLOCK = 1 << 16
_CONNECTION_ERRORS = (OSError, RuntimeError)
"""Errors when using a closed connection; uvloop raises RuntimeError."""

_CONNECT_ERRORS = (
    OSError,
    TimeoutError,
    asyncio.IncompleteReadError,
    asyncio.LimitOverrunError,
    ValueError,
    RuntimeError,
)
"""Errors of an upstream proxy: no reply, an endless one, or a name or password that is too long for SOCKS."""


class SocksProxy:
    """The proxy server; `blocked_hosts` maps hosts to the address for which they were blocked."""

    def __init__(self, egress: EgressPolicy, resolver: DnsResolver, connect_timeout: float, upstream: str = "") -> None:
        self.blocked_hosts: dict[str, str] = {}
        self.port = 0
        self.before_connect: Callable[[], Awaitable[None]] | None = None
        self._egress, self._resolver, self._timeout, self._upstream = egress, resolver, connect_timeout, upstream
        self._server: asyncio.Server | None = None
        self._holds = 0
        self._released = asyncio.Event()
        self._released.set()
        self._tasks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def start(self) -> None:
        """Listen on a free port of loopback."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def aclose(self) -> None:
        """Stop listening and close all connections."""
        if self._server is not None:
            await stop_listening(self._server)
        for task, writer in self._tasks.items():
            task.cancel()
            writer.transport.abort()  # also for tasks that have not started
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # the event loop closes sockets one turn later

    @contextlib.contextmanager
    def hold_connections(self) -> Iterator[None]:
        """Delay new connections during the block."""
        self._holds += 1
        self._released.clear()
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                self._released.set()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._answer(reader, writer))
        self._tasks[task] = writer
        task.add_done_callback(self._tasks.pop)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(*_CONNECTION_ERRORS, asyncio.IncompleteReadError, TimeoutError):
                await self._serve(reader, writer)
            await _close_writer(writer)
        finally:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        version, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        if version != VERSION:
            return
        writer.write(bytes((VERSION, 0)))
        _, command, _, kind = await reader.readexactly(4)
        host = await _read_host(reader, kind)
        (port,) = struct.unpack("!H", await reader.readexactly(2))
        if command != CONNECT or not host:
            writer.write(_build_reply(COMMAND_NOT_SUPPORTED))
            return
        if self.before_connect is not None:
            await self.before_connect()
        await self._released.wait()
        remote = await self._connect(host, port)
        if isinstance(remote, int):
            writer.write(_build_reply(remote))
        else:
            await _relay(reader, writer, *remote)

    async def _connect(self, host: str, port: int) -> Streams | int:
        """Return a connection to the host, or the reply code for the failure."""
        addresses = (host,) if is_ip_address(host) else (await self._resolver.lookup(host, self._timeout)).ip_addresses
        permitted = [address for address in addresses if self._egress.permits(host, address)]
        if addresses and (not permitted or (self._upstream and len(permitted) < len(addresses))):
            self._record_blocked_host(host, next(address for address in addresses if address not in permitted))
            return NOT_ALLOWED
        if self._upstream:
            return await self._attempt(connect_through(self._upstream, host, port))
        for address in permitted:
            remote = await self._attempt(asyncio.open_connection(address, port))
            if not isinstance(remote, int):
                return remote
        return HOST_UNREACHABLE

    async def _attempt(self, connecting: Awaitable[Streams]) -> Streams | int:
        try:
            async with asyncio.timeout(self._timeout):
                return await connecting
        except _CONNECT_ERRORS:
            return HOST_UNREACHABLE

    def _record_blocked_host(self, host: str, address: str) -> None:
        if len(self.blocked_hosts) < _MAX_BLOCKED_HOSTS:
            self.blocked_hosts[host] = address


async def connect_through(proxy: str, host: str, port: int) -> Streams:
    """Connect through the proxy from the settings: http:// with CONNECT, or socks5://."""
    parts = urlsplit(proxy)
    is_socks = parts.scheme.startswith("socks")
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port or (1080 if is_socks else 3128))
    try:
        user = f"{unquote(parts.username)}:{unquote(parts.password or '')}" if parts.username else ""
        await (_connect_through_socks if is_socks else _connect_through_http)(reader, writer, host, port, user)
    except BaseException:
        writer.close()
        raise
    return reader, writer


async def _connect_through_http(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, port: int, user: str
) -> None:
    authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    secret = f"Proxy-Authorization: Basic {b64encode(user.encode()).decode()}\r\n" if user else ""
    writer.write(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{secret}\r\n".encode())
    answer = await reader.readuntil(b"\r\n\r\n")
    if b" 200" not in answer.partition(b"\r\n")[0]:
        raise ConnectionRefusedError(answer[:80])


async def _connect_through_socks(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, port: int, user: str
) -> None:
    writer.write(bytes((VERSION, 1, 2 if user else 0)))
    _, method = await reader.readexactly(2)
    if method == 2:
        name, _, password = user.partition(":")
        writer.write(b"\1" + _encode_with_length(name) + _encode_with_length(password))
        if (await reader.readexactly(2))[1]:
            raise ConnectionRefusedError("the proxy rejected the user name or password")
    writer.write(bytes((VERSION, CONNECT, 0, 3)) + _encode_with_length(host) + struct.pack("!H", port))
    _, code, _, kind = await reader.readexactly(4)
    await _read_host(reader, kind)
    await reader.readexactly(2)
    if code:
        raise ConnectionRefusedError(f"the proxy replied with code {code}")


def _encode_with_length(text: str) -> bytes:
    return bytes((len(text.encode()),)) + text.encode()


async def _read_host(reader: asyncio.StreamReader, kind: int) -> str:
    if kind == 1:
        return str(IPv4Address(await reader.readexactly(4)))
    if kind == 4:
        return str(IPv6Address(await reader.readexactly(16)))
    if kind == 3:
        (length,) = await reader.readexactly(1)
        return (await reader.readexactly(length)).decode("ascii", "replace").lower()
    return ""


def _build_reply(code: int) -> bytes:
    return bytes((VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0))


async def _relay(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    remote_reader: asyncio.StreamReader,
    remote_writer: asyncio.StreamWriter,
) -> None:
    """Send the success reply, and copy data in both directions until both sides have ended."""
    try:
        writer.write(_build_reply(SUCCEEDED))
        await asyncio.gather(_copy(reader, remote_writer), _copy(remote_reader, writer))
        await _close_writer(remote_writer)
    finally:
        remote_writer.transport.abort()


async def _close_writer(writer: asyncio.StreamWriter) -> None:
    """Close a connection after everything was sent."""
    writer.close()
    with contextlib.suppress(*_CONNECTION_ERRORS):
        await writer.wait_closed()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while block := await source.read(_BLOCK):
            target.write(block)
            await target.drain()
        if target.can_write_eof():
            target.write_eof()
    except _CONNECTION_ERRORS:
        target.transport.abort()  # one side is gone, so the other one need not wait
