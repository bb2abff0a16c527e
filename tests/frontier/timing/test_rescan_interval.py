"""The time between two scans of a site."""

from __future__ import annotations

import pytest

from headwater.frontier.timing.rescan_interval import compute_next_interval

DAY = 86_400.0


@pytest.mark.parametrize(
    ("current", "changed", "pages", "expected"),
    [
        (None, None, 100, DAY),
        (None, 0, 100, 1.5 * DAY),
        (DAY, 50, 100, DAY / 2),
        (DAY, 3, 100, DAY),
        (DAY / 4, 100, 100, DAY / 4),
        (4 * DAY, 0, 100, 4 * DAY),
        (2 * DAY, 1, 0, DAY),
    ],
)
def test_the_interval_depends_on_changes(
    current: float | None, changed: int | None, pages: int, expected: float
) -> None:
    assert compute_next_interval(DAY, current, changed, pages) == expected
