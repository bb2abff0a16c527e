"""One dive in a process of its own, told by standard input what to do: the page stays quick while a model works."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from typing import TYPE_CHECKING, Any

from headwater.dive import find_dive, run_dive_with_events
from headwater.settings import build_settings
from headwater.store import open_store

if TYPE_CHECKING:
    from headwater.store import Store


def main() -> int:
    """Run the dive to its end, or until a signal stops it; either way what was read is kept."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    order = json.load(sys.stdin)
    store = open_store(order["db"])
    try:
        return _run(store, order)
    finally:
        store.close()


def _run(store: Store, order: dict[str, Any]) -> int:
    dive = find_dive(store.dives, int(order["dive"]))
    try:
        asyncio.run(run_dive_with_events(store, dive, build_settings(order["settings"])))
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
