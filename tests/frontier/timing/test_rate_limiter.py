"""The rate limit of one host: delay, concurrency and pauses."""

from __future__ import annotations

from headwater.frontier.timing.rate_limiter import DISTANT_PAST, HostRateLimiter


def test_starts_are_separated_by_the_delay() -> None:
    limiter = HostRateLimiter(ceiling=4, delay=0.5)
    assert limiter.get_next_start() == DISTANT_PAST
    limiter.record_start(10.0)
    assert limiter.get_next_start() == 10.5
    limiter.record_start(10.5)
    assert limiter.get_next_start() == 11.0


def test_concurrency_is_limited() -> None:
    limiter = HostRateLimiter(ceiling=2)
    limiter.record_start(0.0)
    limiter.record_start(0.0)
    assert limiter.get_next_start() is None
    limiter.record_end(0.1)
    assert limiter.get_next_start() == DISTANT_PAST
    assert not limiter.needs_clock()


def test_a_refusal_halves_concurrency_and_pauses() -> None:
    limiter = HostRateLimiter(ceiling=8)
    limiter.record_start(0.0)
    limiter.record_end(0.1)
    limiter.record_refusal(0.1, 5.0)
    assert (limiter.limit, limiter.get_next_start(), limiter.needs_clock()) == (4, 5.1, True)
    limiter.record_refusal(0.2, 1.0)
    assert limiter.get_next_start() == 5.1
    limiter.record_start(6.0)
    assert not limiter.needs_clock()


def test_requests_in_flight_halve_concurrency_only_once() -> None:
    limiter = HostRateLimiter(ceiling=16)
    for _ in range(16):
        limiter.record_start(0.0)
    for _ in range(8):
        limiter.record_end(0.1)
        limiter.record_refusal(0.1, 0.0)
    assert limiter.limit == 8


def test_fast_responses_raise_concurrency_up_to_the_ceiling() -> None:
    limiter = HostRateLimiter(ceiling=4)
    limiter.record_start(0.0)
    limiter.record_end(0.1)
    limiter.record_refusal(0.0, 0.0)
    assert limiter.limit == 2
    for moment in range(20):
        limiter.record_start(float(moment))
        limiter.record_end(0.1)
    assert limiter.limit == 4


def test_rising_latency_halves_concurrency() -> None:
    limiter = HostRateLimiter(ceiling=8)
    for _ in range(5):
        limiter.record_start(0.0)
        limiter.record_end(0.1)
    limiter.record_start(0.0)
    limiter.record_end(0.2)
    assert limiter.limit == 8
    limiter.record_start(0.0)
    limiter.record_end(2.0)
    assert limiter.limit == 4


def test_requests_without_an_answer_do_not_change_the_average_latency() -> None:
    limiter = HostRateLimiter(ceiling=8)
    limiter.record_start(0.0)
    limiter.record_end(None)
    assert (limiter.limit, limiter.in_flight) == (8, 0)


def test_concurrency_is_at_least_one() -> None:
    limiter = HostRateLimiter(ceiling=1)
    for _ in range(10):
        limiter.record_start(0.0)
        limiter.record_end(1.0)
        limiter.record_refusal(0.0, 0.0)
    assert limiter.limit == 1
