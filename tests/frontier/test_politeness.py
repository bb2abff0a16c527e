"""The rhythm of a host, moment by moment."""

from __future__ import annotations

from headwater.frontier.rate_limiter import DISTANT_PAST, HostRateLimiter


def test_delay_between_starts() -> None:
    pace = HostRateLimiter(ceiling=4, delay=0.5)
    assert pace.get_next_start() == DISTANT_PAST
    pace.started(10.0)
    assert pace.get_next_start() == 10.5
    pace.started(10.5)
    assert pace.get_next_start() == 11.0


def test_concurrency() -> None:
    pace = HostRateLimiter(ceiling=2)
    pace.started(0.0)
    pace.started(0.0)
    assert pace.get_next_start() is None
    pace.finished(0.1)
    assert pace.get_next_start() == DISTANT_PAST
    assert not pace.needs_clock()


def test_a_refusal_halves_and_pauses() -> None:
    pace = HostRateLimiter(ceiling=8)
    pace.started(0.0)
    pace.finished(0.1)
    pace.refused(0.1, 5.0)
    assert (pace.limit, pace.get_next_start(), pace.needs_clock()) == (4, 5.1, True)
    pace.refused(0.2, 1.0)
    assert pace.get_next_start() == 5.1
    pace.started(6.0)
    assert not pace.needs_clock()


def test_requests_already_under_way_halve_only_once() -> None:
    pace = HostRateLimiter(ceiling=16)
    for _ in range(16):
        pace.started(0.0)
    for _ in range(8):
        pace.finished(0.1)
        pace.refused(0.1, 0.0)
    assert pace.limit == 8


def test_calm_raises_again_up_to_the_ceiling() -> None:
    pace = HostRateLimiter(ceiling=4)
    pace.started(0.0)
    pace.finished(0.1)
    pace.refused(0.0, 0.0)
    assert pace.limit == 2
    for moment in range(20):
        pace.started(float(moment))
        pace.finished(0.1)
    assert pace.limit == 4


def test_rising_latency_halves() -> None:
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


def test_no_answer_teaches_nothing_about_latency() -> None:
    pace = HostRateLimiter(ceiling=8)
    pace.started(0.0)
    pace.finished(None)
    assert (pace.limit, pace.in_flight) == (8, 0)


def test_it_never_stops_altogether() -> None:
    pace = HostRateLimiter(ceiling=1)
    for _ in range(10):
        pace.started(0.0)
        pace.finished(1.0)
        pace.refused(0.0, 0.0)
    assert pace.limit == 1
