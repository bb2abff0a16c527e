"""One scan in a process of its own, told by standard input what to do: the page stays quick while a crawl burns CPU."""

from __future__ import annotations

import json
import signal
import sys
from typing import TYPE_CHECKING, Any

from headwater.errors import ScanStoppedError
from headwater.event_loop import create_runner
from headwater.runner.scan_runner import ScanRunner, ScanTask
from headwater.settings import build_settings
from headwater.store.factory import open_browse_store

if TYPE_CHECKING:
    from headwater.store.browse_store import BrowseStore


def main() -> int:
    """Run the scan to its end, or until a signal stops it; either way what was found is kept."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    order = json.load(sys.stdin)
    store = open_browse_store(order["db"])
    try:
        return _run(store, order)
    finally:
        store.close()


def _run(store: BrowseStore, order: dict[str, Any]) -> int:
    number = int(order["scan"])
    scan = store.scan(number)
    assert scan is not None
    store.mark(number, "running")
    if order["goes_on"]:
        store.retry_deferred(number)
    try:
        with create_runner() as runner:
            runner.run(ScanRunner(ScanTask(store, scan, build_settings(order["settings"]))).run())
    except (KeyboardInterrupt, ScanStoppedError):
        return 130
    except Exception as error:
        store.add_event(number, "failure", {"message": f"{type(error).__name__}: {error}"[:500]})
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
