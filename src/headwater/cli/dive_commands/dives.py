"""What the commands around a dive share: the store, the settings of its scan, the line that shows progress."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.cli.display.progress import is_watched
from headwater.cli.display.streams import printable
from headwater.cli.display.terminal import clear_line, draw_line
from headwater.errors import StoreError
from headwater.settings import SETTINGS, from_mapping
from headwater.store import is_server
from headwater.store import open_store as open_any

if TYPE_CHECKING:
    from headwater.dive import Progress
    from headwater.settings import Effective, Settings
    from headwater.store import Store

INTERVAL = 0.1
WIDTH = 24


def open_store(db: str) -> Store:
    """A store that must be there already."""
    if not is_server(db) and not Path(db).is_file():
        raise StoreError(f"{db} does not exist; `headwater discover URL` makes it, --db names another")
    return open_any(db)


def scan_settings(store: Store, number: int | None, chosen: Effective) -> Settings:
    """The settings a scan was made with, private addresses it was allowed included, and what was given now."""
    scan = store.last() if number is None else store.scan(number)
    if scan is None:
        return chosen.settings
    given = {
        name: getattr(chosen.settings, name)
        for name, origin in chosen.origins.items()
        if origin != "default" and not origin.startswith("preset ")
    }
    kept = {name: value for name, value in scan.settings.items() if name in SETTINGS}
    return from_mapping({**kept, "output": None, "quiet": False, **given, "db": chosen.settings.db})


class Line:
    """One line on a terminal, redrawn; nothing elsewhere."""

    def __init__(self, settings: Settings) -> None:
        self._is_watched = is_watched(settings)
        self._drawn = 0.0

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_watched:
            clear_line()

    def show(self, progress: Progress) -> None:
        """Draw how far it has come."""
        now = time.monotonic()
        if not self._is_watched or (now - self._drawn < INTERVAL and progress.done < progress.total):
            return
        self._drawn = now
        filled = WIDTH * progress.done // max(progress.total, 1)
        bar = "█" * filled + "·" * (WIDTH - filled)
        note = printable(progress.note, 50)
        draw_line(f"{progress.phase:<10}{bar}  {progress.done:,} of {progress.total:,}  {note}")
