"""Servers that close while clients connect."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
from typing import TYPE_CHECKING

import pytest
import uvloop

from headwater.event_loop import stop_listening
from tests.commands import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("turns", range(7))
@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_connections_accepted_while_a_server_closes_are_answered_or_refused(
    make_loop: Callable[[], asyncio.AbstractEventLoop], turns: int
) -> None:
    """A lost connection raises a ResourceWarning when it is collected, which is an error here."""
    accepted: list[asyncio.StreamWriter] = []

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.append(writer)

    async def work() -> bytes:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        with contextlib.closing(socket.create_connection(server.sockets[0].getsockname())) as client:
            client.settimeout(PATIENCE)
            for _ in range(turns):
                await asyncio.sleep(0)
            await stop_listening(server)
            for writer in accepted:
                writer.write(b"hello")
                writer.close()
                await writer.wait_closed()
            with contextlib.suppress(ConnectionResetError):
                return await asyncio.to_thread(client.recv, 5)
            return b""

    with asyncio.Runner(loop_factory=make_loop) as runner:
        received = runner.run(work())
    gc.collect()
    assert received == (b"hello" if accepted else b"")
