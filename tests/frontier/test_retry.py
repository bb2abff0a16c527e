"""Backoff and the two forms of Retry-After."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.frontier.retry import LONGEST_WAIT, backoff, pause_for, retry_after

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
    assert retry_after(header, NOW) == seconds


@given(st.text())
def test_retry_after_never_raises(header: str) -> None:
    retry_after(header, NOW)


def test_backoff_doubles_and_is_bounded() -> None:
    assert [backoff(attempt, 0.0) for attempt in (1, 2, 3, 4)] == [0.25, 0.5, 1.0, 2.0]
    assert backoff(1, 0.999) < 0.5
    assert backoff(1000, 0.5) <= LONGEST_WAIT


def test_pause_is_capped_and_jittered() -> None:
    assert pause_for(None, 300, 0.5) == 0.0
    assert pause_for(10, 300, 0.0) == 10.0
    assert 10 < pause_for(10, 300, 0.5) < 11
    assert pause_for(1e9, 300, 0.0) == 300.0
