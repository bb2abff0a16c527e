"""Create event loops, on uvloop if it is installed, and close servers without losing connections."""

from __future__ import annotations

import asyncio
import gc
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

Result = TypeVar("Result")

_ACCEPT_ITERATIONS = 5
"""Iterations of the loop between accepting a connection and running its handler."""

GC_THRESHOLDS = (50_000, 10, 10)


def get_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the function that creates event loops; None for the default of asyncio."""
    try:
        import uvloop  # noqa: PLC0415  (optional)
    except ImportError:
        return None
    return uvloop.new_event_loop


def create_runner() -> asyncio.Runner:
    """Return a runner for a process that runs only Headwater, in which garbage is collected rarely.

    A crawl creates millions of long-lived objects and hardly any cycles. With the default thresholds it spends up to a
    tenth of its time on garbage collection.
    """
    gc.set_threshold(*GC_THRESHOLDS)
    return asyncio.Runner(loop_factory=get_loop_factory())


def run_embedded(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in a program that uses Headwater as a library.

    If an event loop is running already, as in notebooks and request handlers, the coroutine runs in a thread.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_run, work).result()


def _run(work: Coroutine[Any, Any, Result]) -> Result:
    with asyncio.Runner(loop_factory=get_loop_factory()) as runner:
        return runner.run(work)


async def stop_listening(server: asyncio.Server) -> None:
    """Close a server once every accepted connection has a handler; asyncio drops connections accepted while closing."""
    loop = asyncio.get_running_loop()
    for listener in server.sockets:
        loop.remove_reader(listener.fileno())
    for _ in range(_ACCEPT_ITERATIONS):
        await asyncio.sleep(0)
    server.close()
