"""When a site is looked at again: sooner if it changed, later if it did not; bounded by what was asked for."""

from __future__ import annotations

LEAST, MOST = 0.25, 4.0
"""How far the time between two scans may move from what was asked for."""

_MANY = 0.05
"""Above this share of changed pages the next scan comes in half the time."""


def compute_next_interval(every: float, pace: float | None, changed: int | None, pages: int) -> float:
    """Seconds to the next scan; `changed` pages since the last one, or None if there was none."""
    now = pace or every
    if changed is None:
        return every
    if not changed:
        now *= 1.5
    elif changed > _MANY * max(pages, 1):
        now *= 0.5
    return min(max(now, every * LEAST), every * MOST)
