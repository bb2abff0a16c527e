"""Giving up hosts that do not answer."""

from __future__ import annotations

import pytest

from headwater.frontier.timing.circuit_breaker import MAX_INITIAL_FAILURES, MIN_OUTAGE_SECONDS, CircuitBreaker


def is_given_up_after(limit: int | None, events: str, seconds: float = 10.0) -> bool:
    """Return True if a host is given up after these events: `x` is no answer, `.` an answer."""
    breaker, now = CircuitBreaker(limit), 0.0
    for event in events:
        now += seconds
        if event == ".":
            breaker.record_response()
        else:
            breaker.record_timeout(now, seconds)
    return breaker.is_open


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
    assert is_given_up_after(limit, events) is expected


def test_a_short_outage_is_not_enough() -> None:
    assert not is_given_up_after(40, "." + "x" * 100, seconds=MIN_OUTAGE_SECONDS / 101)
    assert is_given_up_after(40, "." + "x" * 102, seconds=MIN_OUTAGE_SECONDS / 101)
