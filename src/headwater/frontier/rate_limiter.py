"""The rhythm of one host: when the next request may start; time is an argument.

Concurrency adapts: a refusal (429, 503) or latency far above the host's usual halves it, a calm round raises it by one.
A pause the host asked for holds every request to it.
"""

from __future__ import annotations

SLOW_LATENCY_FACTOR = 4.0
SLOW_LATENCY_MARGIN = 0.5
DISTANT_PAST = float("-inf")
_SMOOTHING = 0.2


class HostRateLimiter:
    """One host's limits and what it has under way."""

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
        """Whether time matters: if not, nobody needs to read the clock, which can cost more than the rest of this."""
        return self.delay > 0 or self._paused_until > DISTANT_PAST

    def slow_to(self, delay: float, now: float) -> None:
        """Leave this much between starts from now on, the request that told us so included."""
        self.delay = delay
        self._last_start = max(self._last_start, now)

    def get_next_start(self) -> float | None:
        """The moment the next request may start; None while as many as allowed are under way."""
        if self.in_flight >= self.limit:
            return None
        next_start = self._last_start + self.delay if self.delay else DISTANT_PAST
        return max(next_start, self._paused_until)

    def started(self, now: float) -> None:
        """A request went out."""
        self.in_flight += 1
        self._last_start = now
        if self._paused_until <= now:
            self._paused_until = DISTANT_PAST

    def finished(self, latency: float | None) -> None:
        """A request came back, after `latency` seconds if the host answered at all."""
        self.in_flight -= 1
        self._slow_responses_to_ignore = max(0, self._slow_responses_to_ignore - 1)
        if latency is None:
            return
        if self._average_latency and latency > self._average_latency * SLOW_LATENCY_FACTOR + SLOW_LATENCY_MARGIN:
            self._slow_down()
        else:
            self._average_latency = (
                latency
                if not self._average_latency
                else self._average_latency + _SMOOTHING * (latency - self._average_latency)
            )
            self._record_fast_response()

    def refused(self, now: float, pause: float) -> None:
        """The host asked us to slow down, and perhaps to wait."""
        self._paused_until = max(self._paused_until, now + pause)
        self._slow_down()

    def _slow_down(self) -> None:
        """Halve, once a round: the requests already under way all come back as slow as the first."""
        self._fast_responses = 0
        if self._slow_responses_to_ignore == 0:
            self.limit = max(1, self.limit // 2)
            self._slow_responses_to_ignore = self.in_flight

    def _record_fast_response(self) -> None:
        self._fast_responses += 1
        if self.limit < self.ceiling and self._fast_responses >= self.limit:
            self.limit += 1
            self._fast_responses = 0
