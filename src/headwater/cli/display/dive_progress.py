"""Progress line of `headwater dive`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

from headwater.cli.display.crawl_progress import should_show_progress
from headwater.cli.display.terminal import clear_line, draw_line
from headwater.cli.display.text_streams import printable

if TYPE_CHECKING:
    from headwater.dive import Progress
    from headwater.settings import Settings

INTERVAL = 0.1
BAR_WIDTH = 24


class DiveProgressLine:
    """Draws one line on a terminal; does nothing elsewhere."""

    def __init__(self, settings: Settings) -> None:
        self._is_live = should_show_progress(settings)
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_live:
            clear_line()

    def show(self, progress: Progress) -> None:
        """Redraw the line, unless it was drawn a moment ago."""
        now = time.monotonic()
        if not self._is_live or (now - self._drawn < INTERVAL and progress.done < progress.total):
            return
        self._drawn = now
        filled = BAR_WIDTH * progress.done // max(progress.total, 1)
        bar = "█" * filled + "·" * (BAR_WIDTH - filled)
        note = printable(progress.note, 50)
        draw_line(f"{progress.stage:<10}{bar}  {progress.done:,} of {progress.total:,}  {note}")
