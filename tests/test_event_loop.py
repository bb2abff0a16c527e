"""Tasks that are cancelled, and servers that close while clients connect."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
from typing import TYPE_CHECKING

import pytest
import uvloop

from headwater.event_loop import cancel_tasks, stop_listening
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


def test_cancelled_tasks_have_ended_and_their_errors_are_dropped() -> None:
    async def fail() -> None:
        raise ValueError

    async def fail_when_cancelled() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            raise ValueError

    async def work() -> list[bool]:
        tasks = [asyncio.create_task(one) for one in (fail(), fail_when_cancelled(), asyncio.Event().wait())]
        await asyncio.sleep(0)
        await cancel_tasks(tasks)
        return [task.done() for task in tasks]

    assert asyncio.run(work()) == [True, True, True]
