"""What the commands around a dive share: the store, the settings of its scan, the line that shows progress."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.cli.display.crawl_progress import should_show_progress
from headwater.cli.display.terminal import clear_line, draw_line
from headwater.cli.display.text_streams import printable
from headwater.errors import StoreError
from headwater.settings import SETTINGS, build_settings
from headwater.store import is_server_url
from headwater.store import open_store as open_any

if TYPE_CHECKING:
    from headwater.dive import Progress
    from headwater.settings import EffectiveSettings, Settings
    from headwater.store import Store

INTERVAL = 0.1
BAR_WIDTH = 24


def open_existing_store(db: str) -> Store:
    """A store that must be there already."""
    if not is_server_url(db) and not Path(db).is_file():
        raise StoreError(f"{db} does not exist; `headwater discover URL` makes it, --db names another")
    return open_any(db)


def merge_scan_settings(store: Store, number: int | None, chosen: EffectiveSettings) -> Settings:
    """The settings a scan was made with, private addresses it was allowed included, and what was given now."""
    scan = store.last_scan() if number is None else store.scan(number)
    if scan is None:
        return chosen.settings
    given = {
        name: getattr(chosen.settings, name)
        for name, origin in chosen.origins.items()
        if origin != "default" and not origin.startswith("preset ")
    }
    kept = {name: value for name, value in scan.settings.items() if name in SETTINGS}
    return build_settings({**kept, "output": None, "quiet": False, **given, "db": chosen.settings.db})


class DiveProgressLine:
    """One line on a terminal, redrawn; nothing elsewhere."""

    def __init__(self, settings: Settings) -> None:
        self._is_watched = should_show_progress(settings)
        self._drawn = 0.0

    def __enter__(self) -> DiveProgressLine:
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
        filled = BAR_WIDTH * progress.done // max(progress.total, 1)
        bar = "█" * filled + "·" * (BAR_WIDTH - filled)
        note = printable(progress.note, 50)
        draw_line(f"{progress.phase:<10}{bar}  {progress.done:,} of {progress.total:,}  {note}")
