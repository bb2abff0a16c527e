"""The event loop that everything runs on, uvloop where that is installed, and how a server on it is closed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_TURNS_TO_BE_LET_IN = 5
"""Turns of the loop from a connection that is accepted to the first line of what answers it."""


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes event loops; None for asyncio's own."""
    try:
        import uvloop  # noqa: PLC0415  (optional)
    except ImportError:
        return None
    return uvloop.new_event_loop


async def stop_listening(server: asyncio.Server) -> None:
    """Close a server once everybody it let in is being answered; asyncio loses whom it lets in while it closes."""
    loop = asyncio.get_running_loop()
    for listener in server.sockets:
        loop.remove_reader(listener.fileno())
    for _ in range(_TURNS_TO_BE_LET_IN):
        await asyncio.sleep(0)
    server.close()
