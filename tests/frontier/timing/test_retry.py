"""Backoff, and the two forms of Retry-After."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.frontier.timing.retry import MAX_BACKOFF, compute_backoff, compute_pause, parse_retry_after

NOW = datetime(2026, 11, 15, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("1.5", 1.0),
        ("Sun, 15 Nov 2026 12:00:30 GMT", 30.0),
        ("Sunday, 15-Nov-26 12:00:30 GMT", 30.0),
        ("Sun Nov 15 12:00:30 2026", 30.0),
        ("Sun, 15 Nov 2026 11:00:00 GMT", 0.0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("9" * 40, None),
    ],
)
def test_retry_after(header: str, seconds: float | None) -> None:
    assert parse_retry_after(header, NOW) == seconds


@given(st.text())
def test_retry_after_never_raises(header: str) -> None:
    parse_retry_after(header, NOW)


def test_backoff_doubles_and_is_bounded() -> None:
    assert [compute_backoff(attempt, 0.0) for attempt in (1, 2, 3, 4)] == [0.25, 0.5, 1.0, 2.0]
    assert compute_backoff(1, 0.999) < 0.5
    assert compute_backoff(1000, 0.5) <= MAX_BACKOFF


@pytest.mark.parametrize(("jitter", "seconds"), [(0.0, 1.0), (0.25, 1.25), (0.5, 1.5), (0.75, 1.75), (1.0, 2.0)])
def test_backoff_varies_between_half_and_whole(jitter: float, seconds: float) -> None:
    assert compute_backoff(3, jitter) == seconds


def test_the_longest_backoff_varies_too() -> None:
    assert [compute_backoff(60, jitter) for jitter in (0.0, 0.5, 1.0)] == [
        MAX_BACKOFF / 2,
        MAX_BACKOFF * 3 / 4,
        MAX_BACKOFF,
    ]


@given(st.integers(1, 500), st.floats(0, 1), st.floats(0, 1))
def test_backoff_grows_with_attempts_and_jitter(attempt: int, jitter: float, other: float) -> None:
    low, high = sorted((jitter, other))
    assert 0 < compute_backoff(attempt, low) <= compute_backoff(attempt, high) <= MAX_BACKOFF
    assert compute_backoff(attempt, jitter) <= compute_backoff(attempt + 1, jitter)


def test_pause_is_capped_and_jittered() -> None:
    assert compute_pause(None, 300, 0.5) == 0.0
    assert compute_pause(10, 300, 0.0) == 10.0
    assert 10 < compute_pause(10, 300, 0.5) < 11
    assert compute_pause(1e9, 300, 0.0) == 300.0
    assert compute_pause(1e9, 300, 1.0) == pytest.approx(330.0)


@pytest.mark.parametrize(("jitter", "seconds"), [(0.0, 100.0), (0.25, 102.5), (0.5, 105.0), (1.0, 110.0)])
def test_a_pause_is_at_most_a_tenth_longer(jitter: float, seconds: float) -> None:
    assert compute_pause(100, 300, jitter) == pytest.approx(seconds)
