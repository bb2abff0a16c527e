"""Run coroutines from commands, on uvloop if it is installed."""

from __future__ import annotations

import asyncio
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from headwater.event_loop import create_runner

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

Result = TypeVar("Result")
STOPPING = "Stopping: the pages found so far will be classified and written. Press Ctrl-C again to stop at once."


@contextmanager
def stop_on_interrupt(stop: Callable[[], None], say: Callable[[str], None]) -> Iterator[None]:
    """Call `stop` on the first Ctrl-C and cancel the task on the second. An ignored signal stays ignored."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN or task is None:
        yield
        return
    is_stopping = False

    def interrupt() -> None:
        nonlocal is_stopping
        if is_stopping:
            task.cancel()
            return
        is_stopping = True
        say(STOPPING)
        stop()

    loop.add_signal_handler(signal.SIGINT, interrupt)
    try:
        yield
    except asyncio.CancelledError:
        if is_stopping:
            raise KeyboardInterrupt from None
        raise
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def run(coroutine: Coroutine[object, object, Result]) -> Result:
    """Run a coroutine and return its result; Ctrl-C cancels it and raises KeyboardInterrupt."""
    with create_runner() as runner:
        return runner.run(coroutine)
