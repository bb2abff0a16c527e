"""The event loop that everything runs on: uvloop where that is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes event loops; None for asyncio's own."""
    try:
        import uvloop  # noqa: PLC0415  (optional)
    except ImportError:
        return None
    return uvloop.new_event_loop
