"""When a host is given up: after too many requests in a row that it did not answer; time is an argument.

A host that stalls would otherwise cost a full timeout, several tries, for each of its URLs. Hosts that have answered
get more patience than hosts that never have: when a depth of the crawl ends, the pages left are those that hang, and a
few of them say nothing about the rest of the site. A short outage, such as a restart, is not enough either.
"""

from __future__ import annotations

MAX_INITIAL_FAILURES = 3
"""Requests without an answer after which a host is given up that has answered nothing but robots.txt."""

MIN_OUTAGE_SECONDS = 30.0
"""Seconds without an answer before a host is given up, however many requests failed meanwhile."""


class CircuitBreaker:
    """Counts the requests in a row that one host did not answer; `limit` None gives no host up."""

    __slots__ = ("_has_answered", "_limit", "_since", "_unanswered", "is_over")

    def __init__(self, limit: int | None) -> None:
        self.is_over = False
        self._limit = limit
        self._has_answered = False
        self._unanswered = 0
        self._since = 0.0

    @property
    def has_no_failures(self) -> bool:
        """Whether nothing would be lost if this were forgotten."""
        return self._unanswered == 0

    def record_response(self) -> None:
        """The host answered, whatever it said; a host that was given up gets another chance."""
        self._has_answered = True
        self._unanswered = 0
        self.is_over = False

    def record_timeout(self, now: float, seconds: float) -> None:
        """A request got no answer, or not all of it, after so many seconds."""
        if self._unanswered == 0:
            self._since = now - seconds
        self._unanswered += 1
        self.is_over = self._is_exhausted() and now - self._since >= MIN_OUTAGE_SECONDS

    def _is_exhausted(self) -> bool:
        if self._limit is None:
            return False
        return self._unanswered >= (self._limit if self._has_answered else min(self._limit, MAX_INITIAL_FAILURES))
