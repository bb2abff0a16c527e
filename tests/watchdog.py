"""Detect blocked event loops, and show the stack at that time.

Time is CPU time of the process, which does not depend on what else the machine does.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import traceback
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_BEAT = 0.02


@asynccontextmanager
async def watchdog(limit: float) -> AsyncIterator[None]:
    """Fail if the process computes for `limit` seconds while its event loop is blocked, and show where."""
    watched, done = threading.get_ident(), threading.Event()
    last, stacks = time.process_time(), list[str]()

    async def beat() -> None:
        nonlocal last
        while True:
            last = time.process_time()
            await asyncio.sleep(_BEAT)

    def watch() -> None:
        while not done.wait(_BEAT):
            if time.process_time() - last > limit and not stacks:
                stacks.append("".join(traceback.format_stack(sys._current_frames()[watched])))  # noqa: SLF001

    heart, watcher = asyncio.create_task(beat()), threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        heart.cancel()
        done.set()
        watcher.join()
    assert not stacks, f"the event loop was blocked for more than {limit} s, here:\n{stacks[0]}"
