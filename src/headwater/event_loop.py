"""Event loops for commands and processes, on uvloop where that is installed, and an orderly end for servers."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_ACCEPT_ITERATIONS = 5
"""Turns of the loop from a connection that is accepted to the first line of what answers it."""

GC_THRESHOLDS = (50_000, 10, 10)


def get_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes event loops; None for asyncio's own."""
    try:
        import uvloop  # noqa: PLC0415  (optional)
    except ImportError:
        return None
    return uvloop.new_event_loop


def create_runner() -> asyncio.Runner:
    """Return a runner for a process of our own, whose garbage collector looks for cycles rarely.

    A crawl makes millions of long-lived objects and hardly any cycles. With Python's own thresholds it spends up to a
    tenth of its time looking for them.
    """
    gc.set_threshold(*GC_THRESHOLDS)
    return asyncio.Runner(loop_factory=get_loop_factory())


async def stop_listening(server: asyncio.Server) -> None:
    """Close a server once everybody it let in is being answered; asyncio loses whom it lets in while it closes."""
    loop = asyncio.get_running_loop()
    for listener in server.sockets:
        loop.remove_reader(listener.fileno())
    for _ in range(_ACCEPT_ITERATIONS):
        await asyncio.sleep(0)
    server.close()
