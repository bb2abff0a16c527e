"""Create event loops, on uvloop if it is installed, cancel tasks, and close servers without losing connections."""

from __future__ import annotations

import asyncio
import gc
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine

Result = TypeVar("Result")

_ACCEPT_ITERATIONS = 5
"""Iterations of the loop from accepting a connection to the first line of its handler."""

GC_THRESHOLDS = (50_000, 10, 10)


def get_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the factory of uvloop, or None for asyncio's own event loop."""
    try:
        import uvloop  # noqa: PLC0415  (optional)
    except ImportError:
        return None
    return uvloop.new_event_loop


def create_runner() -> asyncio.Runner:
    """Return a runner for a process of Headwater, and make its garbage collector look for cycles rarely.

    A crawl creates millions of long-lived objects and hardly any cycles. With Python's default thresholds, it spends
    up to a tenth of its time looking for cycles.
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


async def cancel_tasks(tasks: Collection[asyncio.Future[Any]]) -> None:
    """Cancel tasks, and wait until they have ended; their results and errors are dropped."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def stop_listening(server: asyncio.Server) -> None:
    """Close a server after its accepted connections have reached their handlers; asyncio would drop them."""
    loop = asyncio.get_running_loop()
    for listener in server.sockets:
        loop.remove_reader(listener.fileno())
    for _ in range(_ACCEPT_ITERATIONS):
        await asyncio.sleep(0)
    server.close()
