"""Slow, silent or surplus clients lose their connection without affecting others; tested over real sockets."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from headwater.connection_limits import ConnectionLimits, LimitedProtocol, mark_authenticated
from tests.commands import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]

LONG = 600.0
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
START = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
STREAM_START = {**START, "headers": []}


class Connections:
    """The connections between a server on a free port and its clients."""

    def __init__(self, server: uvicorn.Server) -> None:
        self.server = server
        self.port: int = server.servers[0].sockets[0].getsockname()[1]
        self._clients: list[Client] = []

    @property
    def kept(self) -> list[LimitedProtocol]:
        """Return the connections that the server keeps open."""
        return [one for one in self.server.server_state.connections if isinstance(one, LimitedProtocol)]

    async def connect(self, data: bytes = b"") -> Client:
        """Open a connection and send data."""
        client = await asyncio.open_connection("127.0.0.1", self.port)
        self._clients.append(client)
        if data:
            client[1].write(data)
        else:
            name = client[1].get_extra_info("sockname")
            await until(lambda: name in {one.client for one in self.kept} or client[0].at_eof())
        return client

    async def close(self) -> None:
        """Close every client."""
        for _, writer in self._clients:
            writer.close()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110  (what the server does has no event)
            await asyncio.sleep(0.005)


@asynccontextmanager
async def listening(app: Any, limits: ConnectionLimits) -> AsyncIterator[Connections]:
    protocol = type("Hasty", (LimitedProtocol,), {"limits": limits})
    config = uvicorn.Config(app, port=0, http=protocol, log_level="critical", lifespan="off")
    config.timeout_graceful_shutdown = 1
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve([config.bind_socket()]))
    await until(lambda: server.started)
    connections = Connections(server)
    try:
        yield connections
    finally:
        await connections.close()
        server.should_exit = True
        await running


async def greet(_: Any, __: Any, send: Any) -> None:
    """Answer without reading the body."""
    await send(START)
    await send({"type": "http.response.body", "body": b"hi"})


async def is_dropped(client: Client, drip: bytes = b"") -> bool:
    """Return True if the server closes the connection, while the client sends one byte after another."""
    reading = asyncio.create_task(client[0].read())
    async with asyncio.timeout(PATIENCE):
        while not reading.done():
            if drip:
                client[1].write(drip)
            await asyncio.sleep(0.005)
    return reading.exception() is None or isinstance(reading.exception(), ConnectionError)


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(test(), PATIENCE)

    asyncio.run(limited())


SLOW = {
    "nothing": b"",
    "half a request line": b"GET /",
    "half a head": b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    "half a second head": HEAD + b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
}


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
@pytest.mark.parametrize("drip", [b"", b"x"], ids=["silent", "dripping"])
def test_a_request_head_has_a_deadline(sent: bytes, drip: bytes) -> None:
    async def test() -> None:
        deadline = 2.0 if sent.startswith(HEAD) else 0.1  # the first request must arrive in time
        async with listening(greet, ConnectionLimits(head=deadline, body=LONG, write=LONG)) as server:
            client = await server.connect(sent)
            if sent.startswith(HEAD):
                assert (await client[0].readuntil(b"hi")).startswith(b"HTTP/1.1 200")
            assert await is_dropped(client, drip if sent else b"")

    run(test)


def test_the_deadline_does_not_apply_after_a_complete_request() -> None:
    async def test() -> None:
        async with listening(greet, ConnectionLimits(head=2.0, body=LONG, write=LONG)) as server:
            reader, writer = await server.connect(HEAD)
            await reader.readuntil(b"hi")
            assert await is_dropped(await server.connect())  # a later client that sends nothing
            writer.write(HEAD)
            await reader.readuntil(b"hi")

    run(test)


def test_a_request_body_has_a_deadline() -> None:
    received: list[str] = []

    async def read(scope: Any, receive: Any, send: Any) -> None:
        while (message := await receive())["type"] == "http.request":
            received.append(str(message["type"]))
        received.append(str(message["type"]))

    async def test() -> None:
        for app in (read, greet):
            async with listening(app, ConnectionLimits(head=LONG, body=0.1, write=LONG)) as server:
                client = await server.connect(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\nabc")
                assert await is_dropped(client, b"x")
        assert received[-1] == "http.disconnect"

    run(test)


def test_a_client_that_does_not_read_is_dropped() -> None:
    async def test() -> None:
        has_left = asyncio.Event()

        async def stream(_: Any, receive: Any, send: Any) -> None:
            await receive()
            await send(STREAM_START)
            sending = asyncio.create_task(send_endlessly(send))
            while (await receive())["type"] != "http.disconnect":
                pass
            sending.cancel()
            has_left.set()

        async with listening(stream, ConnectionLimits(head=LONG, body=LONG, write=0.1)) as server:
            await server.connect(HEAD)
            await has_left.wait()
            await until(lambda: not server.kept)

    run(test)


async def send_endlessly(send: Any) -> None:
    while True:
        await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})


def test_a_response_whose_end_is_not_read_does_not_keep_the_connection_open() -> None:
    async def test() -> None:
        servers: list[Connections] = []

        async def fill(_: Any, __: Any, send: Any) -> None:
            """Send until the buffers of the system are full and a few bytes are in ours, too few to pause writing."""
            await send({**START, "headers": [(b"connection", b"close")]})
            while not servers[0].kept[0].transport.get_write_buffer_size():
                await send({"type": "http.response.body", "body": b"x" * 20_000, "more_body": True})
            await send({"type": "http.response.body", "body": b""})

        async with listening(fill, ConnectionLimits(head=LONG, body=LONG, write=0.1)) as server:
            servers.append(server)
            _, writer = await server.connect(HEAD)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            await until(lambda: server.server.server_state.total_requests)
            await until(lambda: not server.kept)

    run(test)


def test_the_oldest_connection_without_a_token_is_dropped_first() -> None:
    async def hold(scope: Any, receive: Any, send: Any) -> None:
        mark_authenticated(scope)
        await receive()
        await send(STREAM_START)
        await send({"type": "http.response.body", "body": b"stream", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass

    async def test() -> None:
        async with listening(hold, ConnectionLimits(LONG, LONG, LONG, connections=3)) as server:
            silent = [await server.connect() for _ in range(2)]
            streams = [await server.connect(HEAD)]
            await streams[0][0].readuntil(b"stream")
            for one in silent:
                streams.append(await server.connect(HEAD))
                assert await is_dropped(one)
                await streams[-1][0].readuntil(b"stream")
            assert await is_dropped(await server.connect())
            assert len(server.kept) == 3
            assert not any(reader.at_eof() for reader, _ in streams)

    run(test)


def test_a_connection_that_once_sent_the_token_is_not_dropped_for_a_later_request_without_it() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/known":
            mark_authenticated(scope)
        await greet(scope, receive, send)

    async def test() -> None:
        async with listening(app, ConnectionLimits(LONG, LONG, LONG, connections=2)) as server:
            reader, writer = await server.connect(HEAD.replace(b"/ ", b"/known ", 1))
            await reader.readuntil(b"hi")
            writer.write(HEAD)
            await reader.readuntil(b"hi")
            silent = await server.connect()
            await server.connect()
            assert await is_dropped(silent)
            assert not reader.at_eof()

    run(test)


def test_small_responses_are_sent_at_once() -> None:
    """Nagle's algorithm is off for accepted connections, regardless of the option on the listening socket."""

    async def test() -> None:
        async with listening(greet, ConnectionLimits()) as server:
            await server.connect()
            (connection,) = server.kept
            accepted = connection.transport.get_extra_info("socket")
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    run(test)
