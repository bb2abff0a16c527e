"""Runs a coroutine to its end, on uvloop where that is installed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

Result = TypeVar("Result")


def run(coroutine: Coroutine[object, object, Result]) -> Result:
    """The coroutine's result; Ctrl-C cancels it and is raised."""
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(coroutine)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415  (optional)
    except ImportError:
        return None
    return uvloop.new_event_loop
