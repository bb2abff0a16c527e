"""Compute the time to the next scan of a site: shorter if it changed, longer if it did not, within bounds."""

from __future__ import annotations

MIN_FACTOR, MAX_FACTOR = 0.25, 4.0
"""Bounds of the time between two scans, as factors of the time that the user asked for."""

_MANY_CHANGED = 0.05
"""Share of changed pages above which the time to the next scan is halved."""


def compute_next_interval(every: float, current: float | None, changed: int | None, pages: int) -> float:
    """Return the seconds to the next scan.

    `every` is the time that the user asked for, `current` the time used last; `changed` is the number of pages that
    changed since the last scan, None if there was none.
    """
    seconds = current or every
    if changed is None:
        return every
    if not changed:
        seconds *= 1.5
    elif changed > _MANY_CHANGED * max(pages, 1):
        seconds *= 0.5
    return min(max(seconds, every * MIN_FACTOR), every * MAX_FACTOR)
