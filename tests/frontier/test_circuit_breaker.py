"""Giving up hosts that do not answer."""

from __future__ import annotations

import pytest

from headwater.frontier.circuit_breaker import MAX_INITIAL_FAILURES, MIN_OUTAGE_SECONDS, CircuitBreaker


def after(limit: int | None, events: str, seconds: float = 10.0) -> bool:
    """Return True if a host is given up after these events: `x` is no answer, `.` an answer."""
    patience, now = CircuitBreaker(limit), 0.0
    for event in events:
        now += seconds
        if event == ".":
            patience.record_response()
        else:
            patience.record_timeout(now, seconds)
    return patience.is_over


@pytest.mark.parametrize(
    ("limit", "events", "expected"),
    [
        (40, "x" * (MAX_INITIAL_FAILURES - 1), False),
        (40, "x" * MAX_INITIAL_FAILURES, True),
        (40, "." + "x" * MAX_INITIAL_FAILURES, False),
        (40, "." + "x" * 39, False),
        (40, "." + "x" * 40, True),
        (40, "." + "x" * 39 + "." + "x" * 39, False),
        (40, "." + "x" * 40 + ".", False),
        (3, "xxx", True),
        (None, "x" * 1000, False),
    ],
)
def test_a_host_is_given_up_after_consecutive_failures(limit: int | None, events: str, expected: bool) -> None:
    assert after(limit, events) is expected


def test_a_short_outage_is_not_enough() -> None:
    assert not after(40, "." + "x" * 100, seconds=MIN_OUTAGE_SECONDS / 101)
    assert after(40, "." + "x" * 102, seconds=MIN_OUTAGE_SECONDS / 101)
