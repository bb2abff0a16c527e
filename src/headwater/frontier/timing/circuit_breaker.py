"""Give up on a host after too many consecutive requests without an answer; time is an argument.

A host that stalls would otherwise cost a full timeout, several times, for each of its URLs. A host that has answered
before gets more attempts than one that never has: at the end of a depth of the crawl the pages left are those that
hang, and a few of them say nothing about the rest of the site. A short outage, such as a restart, is not enough either.
"""

from __future__ import annotations

MAX_INITIAL_FAILURES = 3
"""Failed requests after which a host is given up if it has answered nothing but robots.txt."""

MIN_OUTAGE_SECONDS = 30.0
"""Seconds without an answer before a host is given up, regardless of the number of failed requests."""


class CircuitBreaker:
    """Counts consecutive requests that a host did not answer; with `limit` None the host is never given up."""

    __slots__ = ("_has_answered", "_limit", "_since", "_unanswered", "is_open")

    def __init__(self, limit: int | None) -> None:
        self.is_open = False
        self._limit = limit
        self._has_answered = False
        self._unanswered = 0
        self._since = 0.0

    @property
    def has_no_failures(self) -> bool:
        """Return True if the last request was answered, so that there is no state to keep."""
        return self._unanswered == 0

    def record_response(self) -> None:
        """Record an answer of any status; a host that was given up may be requested again."""
        self._has_answered = True
        self._unanswered = 0
        self.is_open = False

    def record_timeout(self, now: float, seconds: float) -> None:
        """Record a request without a complete answer after this many seconds."""
        if self._unanswered == 0:
            self._since = now - seconds
        self._unanswered += 1
        self.is_open = self._is_exhausted() and now - self._since >= MIN_OUTAGE_SECONDS

    def _is_exhausted(self) -> bool:
        if self._limit is None:
            return False
        return self._unanswered >= (self._limit if self._has_answered else min(self._limit, MAX_INITIAL_FAILURES))
