"""The SOCKS proxy between Chromium and the network connects to allowed hosts, blocks others, and relays both ways."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import struct
from typing import TYPE_CHECKING

import pytest

from headwater.event_loop import create_runner, stop_listening
from headwater.fetch.browser.network.socks_proxy import (
    COMMAND_NOT_SUPPORTED,
    HOST_UNREACHABLE,
    NOT_ALLOWED,
    SUCCEEDED,
    SocksProxy,
)
from headwater.fetch.egress import EgressPolicy
from headwater.fetch.http.dns_resolver import DnsResolver
from tests.commands import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

HELLO = b"\x05\x01\x00"


def connect(host: str, port: int, command: int = 1) -> bytes:
    """Return a SOCKS5 request for a host by name."""
    return bytes((5, command, 0, 3, len(host))) + host.encode() + port.to_bytes(2, "big")


@contextlib.asynccontextmanager
async def listening(
    handle: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[int]:
    """Yield the port of a server that calls `handle` for every connection and then closes it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(OSError):
            await handle(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    await stop_listening(server)


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send back everything in capitals."""
    while received := await reader.read(100):
        writer.write(received.upper())


@contextlib.asynccontextmanager
async def proxy(*allowed: str, upstream: str = "") -> AsyncIterator[SocksProxy]:
    """Run a proxy that may connect to the allowed hosts."""
    one = SocksProxy(EgressPolicy.from_allow_list(allowed), DnsResolver(), PATIENCE, upstream)
    await one.start()
    yield one
    await one.aclose()


async def exchange(port: int, *messages: bytes) -> tuple[int, bytes]:
    """Send a request and messages; return the proxy's reply code and the answer from the other side."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(HELLO)
    assert await reader.readexactly(2) == b"\x05\x00"
    writer.write(messages[0])
    reply = await reader.readexactly(10)
    answer = b""
    with contextlib.suppress(OSError):  # the proxy may have closed the connection
        for message in messages[1:]:
            writer.write(message)
        writer.write_eof()
        answer = await reader.read()
    writer.close()
    return reply[1], answer


def run(work: Callable[[], Awaitable[None]]) -> None:
    """Run a test with a time limit."""

    async def timed() -> None:
        async with asyncio.timeout(PATIENCE):
            await work()

    asyncio.run(timed())


def test_allowed_hosts_are_reached_by_address_and_by_name() -> None:
    async def work() -> None:
        async with listening(echo) as port, proxy("127.0.0.1", "localhost") as one:
            assert await exchange(one.port, connect("127.0.0.1", port), b"hello") == (SUCCEEDED, b"HELLO")
            assert await exchange(one.port, connect("localhost", port), b"by name") == (SUCCEEDED, b"BY NAME")
            by_address = bytes((5, 1, 0, 1, 127, 0, 0, 1)) + port.to_bytes(2, "big")
            assert await exchange(one.port, by_address, b"as bytes") == (SUCCEEDED, b"AS BYTES")

    run(work)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1"])
def test_private_addresses_are_blocked_and_recorded(host: str) -> None:
    async def work() -> None:
        async with listening(echo) as port, proxy() as one:
            assert await exchange(one.port, connect(host, port)) == (NOT_ALLOWED, b"")
            assert host in one.blocked_hosts

    run(work)


def test_unreachable_hosts_and_invalid_requests() -> None:
    async def work() -> None:
        async with proxy("127.0.0.1") as one:
            assert await exchange(one.port, connect("127.0.0.1", 1)) == (HOST_UNREACHABLE, b"")
            assert await exchange(one.port, connect("127.0.0.1", 1, command=3)) == (COMMAND_NOT_SUPPORTED, b"")
            assert await exchange(one.port, connect("no-such-host.invalid", 80)) == (HOST_UNREACHABLE, b"")
            reader, writer = await asyncio.open_connection("127.0.0.1", one.port)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + b"x" * 100)
            assert await reader.read() == b""
            writer.close()

    run(work)


def test_upstream_socks_proxy() -> None:
    async def work() -> None:
        async with listening(echo) as port, proxy("127.0.0.1") as far:
            async with proxy("127.0.0.1", upstream=f"socks5://127.0.0.1:{far.port}") as one:
                assert await exchange(one.port, connect("127.0.0.1", port), b"twice") == (SUCCEEDED, b"TWICE")
            async with proxy(upstream=f"socks5://127.0.0.1:{far.port}") as one:
                assert await exchange(one.port, connect("127.0.0.1", port)) == (NOT_ALLOWED, b"")

    run(work)


@pytest.mark.parametrize(
    ("status", "code"), [("200 OK", SUCCEEDED), ("407 Proxy Authentication Required", HOST_UNREACHABLE)]
)
def test_upstream_http_proxy(status: str, code: int) -> None:
    heads: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(f"HTTP/1.1 {status}\r\n\r\n".encode())
        writer.write(await reader.read())

    async def work() -> None:
        async with (
            listening(answer) as port,
            proxy("127.0.0.1", upstream=f"http://ann:s%20x@127.0.0.1:{port}") as one,
        ):
            assert (await exchange(one.port, connect("127.0.0.1", 4567), b"through"))[0] == code
        assert heads[0].startswith(b"CONNECT 127.0.0.1:4567 HTTP/1.1\r\n")
        assert b"Proxy-Authorization: Basic YW5uOnMgeA==" in heads[0]

    run(work)


@pytest.mark.parametrize(
    ("address", "request_size", "reply"),
    [
        ("http://127.0.0.1", 10, b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 200_000),
        (f"socks5://ann:{'x' * 256}@127.0.0.1", 3, b"\x05\x02"),
    ],
    ids=["endless headers", "password too long for SOCKS"],
)
def test_an_unusable_upstream_proxy_counts_as_unreachable(address: str, request_size: int, reply: bytes) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(request_size)
        writer.write(reply)
        await reader.read()

    async def work() -> None:
        async with listening(answer) as port, proxy("127.0.0.1", upstream=f"{address}:{port}") as one:
            assert await exchange(one.port, connect("127.0.0.1", 4567)) == (HOST_UNREACHABLE, b"")

    run(work)


def test_connections_of_a_client_that_is_gone_are_closed() -> None:
    """A browser drops connections at any time, and the other side may never send anything."""

    async def work() -> None:
        opened, ended = asyncio.Queue[bool](), asyncio.Queue[bool]()

        async def answer(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
            opened.put_nowait(True)
            with contextlib.suppress(OSError):
                await reader.read()
            ended.put_nowait(True)

        async with listening(answer) as port, proxy("127.0.0.1") as one, asyncio.timeout(PATIENCE):
            for _ in range(5):
                _, writer = await asyncio.open_connection("127.0.0.1", one.port)
                writer.write(HELLO + connect("127.0.0.1", port))
                await opened.get()
                writer.transport.abort()
                await ended.get()

    run(work)


def test_a_client_that_leaves_while_the_proxy_connects() -> None:
    """On uvloop, which commands use, writing to a closed connection raises a RuntimeError."""
    unhandled: list[str] = []

    async def work() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: unhandled.append(str(context)))
        requested, gone, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            requested.set()
            await gone.wait()
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            ended.set()

        async with listening(answer) as port, proxy("127.0.0.1", upstream=f"http://127.0.0.1:{port}") as one:
            _, writer = await asyncio.open_connection("127.0.0.1", one.port)
            writer.write(HELLO + connect("127.0.0.1", 9))
            await requested.wait()
            connection = writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closes with a reset
            writer.transport.abort()
            for _ in range(20):  # turns of the event loop in which the proxy notices
                await asyncio.sleep(0)
            gone.set()
            await ended.wait()
        gc.collect()

    with create_runner() as runner:
        runner.run(work())
    gc.collect()
    assert unhandled == []
