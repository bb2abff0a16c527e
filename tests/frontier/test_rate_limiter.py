"""The rate limit of one host: delay, concurrency and pauses."""

from __future__ import annotations

from headwater.frontier.rate_limiter import DISTANT_PAST, HostRateLimiter


def test_starts_are_separated_by_the_delay() -> None:
    pace = HostRateLimiter(ceiling=4, delay=0.5)
    assert pace.get_next_start() == DISTANT_PAST
    pace.started(10.0)
    assert pace.get_next_start() == 10.5
    pace.started(10.5)
    assert pace.get_next_start() == 11.0


def test_concurrency_is_limited() -> None:
    pace = HostRateLimiter(ceiling=2)
    pace.started(0.0)
    pace.started(0.0)
    assert pace.get_next_start() is None
    pace.finished(0.1)
    assert pace.get_next_start() == DISTANT_PAST
    assert not pace.needs_clock()


def test_a_refusal_halves_concurrency_and_pauses() -> None:
    pace = HostRateLimiter(ceiling=8)
    pace.started(0.0)
    pace.finished(0.1)
    pace.refused(0.1, 5.0)
    assert (pace.limit, pace.get_next_start(), pace.needs_clock()) == (4, 5.1, True)
    pace.refused(0.2, 1.0)
    assert pace.get_next_start() == 5.1
    pace.started(6.0)
    assert not pace.needs_clock()


def test_requests_in_flight_halve_concurrency_only_once() -> None:
    pace = HostRateLimiter(ceiling=16)
    for _ in range(16):
        pace.started(0.0)
    for _ in range(8):
        pace.finished(0.1)
        pace.refused(0.1, 0.0)
    assert pace.limit == 8


def test_fast_responses_raise_concurrency_up_to_the_ceiling() -> None:
    pace = HostRateLimiter(ceiling=4)
    pace.started(0.0)
    pace.finished(0.1)
    pace.refused(0.0, 0.0)
    assert pace.limit == 2
    for moment in range(20):
        pace.started(float(moment))
        pace.finished(0.1)
    assert pace.limit == 4


def test_rising_latency_halves_concurrency() -> None:
    pace = HostRateLimiter(ceiling=8)
    for _ in range(5):
        pace.started(0.0)
        pace.finished(0.1)
    pace.started(0.0)
    pace.finished(0.2)
    assert pace.limit == 8
    pace.started(0.0)
    pace.finished(2.0)
    assert pace.limit == 4


def test_requests_without_an_answer_do_not_change_the_average_latency() -> None:
    pace = HostRateLimiter(ceiling=8)
    pace.started(0.0)
    pace.finished(None)
    assert (pace.limit, pace.in_flight) == (8, 0)


def test_concurrency_is_at_least_one() -> None:
    pace = HostRateLimiter(ceiling=1)
    for _ in range(10):
        pace.started(0.0)
        pace.finished(1.0)
        pace.refused(0.0, 0.0)
    assert pace.limit == 1
