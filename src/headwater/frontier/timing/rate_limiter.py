"""Limit the rate of requests to one host; time is an argument.

Concurrency adapts: a refusal (429, 503) or a latency far above the average of the host halves it, a round of fast
responses raises it by one. A pause that the host asks for delays every request to it.
"""

from __future__ import annotations

SLOW_LATENCY_FACTOR = 4.0
SLOW_LATENCY_MARGIN = 0.5
DISTANT_PAST = float("-inf")
_SMOOTHING = 0.2


class HostRateLimiter:
    """The limits of one host and the requests in flight."""

    __slots__ = (
        "_average_latency", "_fast_responses", "_last_start", "_paused_until", "_slow_responses_to_ignore", "ceiling",
        "delay", "in_flight", "limit",
    )  # fmt: skip

    def __init__(self, ceiling: int, delay: float = 0.0) -> None:
        self.ceiling = ceiling
        self.limit = ceiling
        self.delay = delay
        self.in_flight = 0
        self._last_start = DISTANT_PAST
        self._paused_until = DISTANT_PAST
        self._average_latency = 0.0
        self._fast_responses = 0
        self._slow_responses_to_ignore = 0

    def needs_clock(self) -> bool:
        """Return True if the next start depends on time; reading the clock may cost more than the rest."""
        return self.delay > 0 or self._paused_until > DISTANT_PAST

    def set_delay(self, delay: float, now: float) -> None:
        """Set the delay between starts, counted from now on."""
        self.delay = delay
        self._last_start = max(self._last_start, now)

    def get_next_start(self) -> float | None:
        """Return the time at which the next request may start; None while the maximum is in flight."""
        if self.in_flight >= self.limit:
            return None
        next_start = self._last_start + self.delay if self.delay else DISTANT_PAST
        return max(next_start, self._paused_until)

    def record_start(self, now: float) -> None:
        """Record the start of a request."""
        self.in_flight += 1
        self._last_start = now
        if self._paused_until <= now:
            self._paused_until = DISTANT_PAST

    def record_end(self, latency: float | None) -> None:
        """Record the end of a request, after `latency` seconds; None if the host did not answer."""
        self.in_flight -= 1
        self._slow_responses_to_ignore = max(0, self._slow_responses_to_ignore - 1)
        if latency is None:
            return
        if self._average_latency and latency > self._average_latency * SLOW_LATENCY_FACTOR + SLOW_LATENCY_MARGIN:
            self._slow_down()
        else:
            average = self._average_latency or latency
            self._average_latency = average + _SMOOTHING * (latency - average)
            self._record_fast_response()

    def record_refusal(self, now: float, pause: float) -> None:
        """Record a request by the host to slow down and to wait `pause` seconds, which may be 0."""
        self._paused_until = max(self._paused_until, now + pause)
        self._slow_down()

    def _slow_down(self) -> None:
        """Halve the limit, once per round: requests that are in flight are as slow as the first one."""
        self._fast_responses = 0
        if self._slow_responses_to_ignore == 0:
            self.limit = max(1, self.limit // 2)
            self._slow_responses_to_ignore = self.in_flight

    def _record_fast_response(self) -> None:
        self._fast_responses += 1
        if self.limit < self.ceiling and self._fast_responses >= self.limit:
            self.limit += 1
            self._fast_responses = 0
