"""Servers that close while somebody comes in."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
from typing import TYPE_CHECKING

import pytest
import uvloop

from headwater.event_loop import stop_listening

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("turns", range(7))
@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_whoever_is_let_in_while_a_server_closes_is_answered_or_turned_away(
    make_loop: Callable[[], asyncio.AbstractEventLoop], turns: int
) -> None:
    """A connection that is lost between accepting and answering shows when it is collected: that is an error here."""
    let_in: list[asyncio.StreamWriter] = []

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        let_in.append(writer)

    async def work() -> bytes:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        with contextlib.closing(socket.create_connection(server.sockets[0].getsockname())) as client:
            client.settimeout(5)
            for _ in range(turns):
                await asyncio.sleep(0)
            await stop_listening(server)
            for writer in let_in:
                writer.write(b"hello")
                writer.close()
                await writer.wait_closed()
            with contextlib.suppress(ConnectionResetError):
                return await asyncio.to_thread(client.recv, 5)
            return b""

    with asyncio.Runner(loop_factory=make_loop) as runner:
        said = runner.run(work())
    gc.collect()
    assert said == (b"hello" if let_in else b"")
