"""Limit the number of sitemaps that are requested: more while they yield URLs, none from a host that only fails."""

from __future__ import annotations

from collections import Counter

FAILURES_PER_TIMEOUT = 3
"""Failures that a timeout counts as, because it takes longer than a refusal."""


class SitemapBudget:
    """Counts files and failures; a limit of None means no limit.

    The budget of files grows with the URLs that they yield: a site of ten million URLs is read completely, an index
    that names only further indexes is not.
    """

    def __init__(self, max_files: int | None, max_failures: int | None) -> None:
        self._max_files, self._max_failures = max_files, max_failures
        self._files = 0
        self._failures: Counter[str] = Counter()

    def has_room(self, urls: int) -> bool:
        """Return True if one more file may be requested after this many URLs."""
        return self._max_files is None or self._files < self._max_files + urls

    def is_failing(self, host: str) -> bool:
        """Return True if a host had too many consecutive failures."""
        return self._max_failures is not None and self._failures[host] >= self._max_failures

    def record_request(self) -> None:
        """Count a file that is requested."""
        self._files += 1

    def record_response(self, host: str) -> None:
        """Record an answer of a host, even a 404."""
        self._failures.pop(host, None)

    def record_failure(self, host: str, *, is_timeout: bool = False) -> None:
        """Count a file that could not be read."""
        self._failures[host] += FAILURES_PER_TIMEOUT if is_timeout else 1
