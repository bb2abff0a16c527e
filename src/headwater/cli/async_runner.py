"""Runs a coroutine to its end, on uvloop where that is installed."""

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


@contextmanager
def stop_on_interrupt(stop: Callable[[], None], say: Callable[[str], None]) -> Iterator[None]:
    """Let the first Ctrl-C end the work in order, and the second at once. An ignored signal stays ignored."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN or task is None:
        yield
        return
    is_asked = False

    def interrupt() -> None:
        nonlocal is_asked
        if is_asked:
            task.cancel()
            return
        is_asked = True
        say("stopping; what was found is classified and written. Ctrl-C again stops at once")
        stop()

    loop.add_signal_handler(signal.SIGINT, interrupt)
    try:
        yield
    except asyncio.CancelledError:
        if is_asked:
            raise KeyboardInterrupt from None
        raise
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def run(coroutine: Coroutine[object, object, Result]) -> Result:
    """The coroutine's result; Ctrl-C cancels it and is raised."""
    with create_runner() as runner:
        return runner.run(coroutine)
