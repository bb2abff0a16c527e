"""Runs a coroutine to its end, on uvloop where that is installed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from headwater.event_loop import loop_factory

if TYPE_CHECKING:
    from collections.abc import Coroutine

Result = TypeVar("Result")


def run(coroutine: Coroutine[object, object, Result]) -> Result:
    """The coroutine's result; Ctrl-C cancels it and is raised."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(coroutine)
