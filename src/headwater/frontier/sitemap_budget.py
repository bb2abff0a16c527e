"""How many sitemaps of a site are asked for: more as they bring URLs, none of a host that only fails."""

from __future__ import annotations

from collections import Counter

FAILURES_PER_TIMEOUT = 3
"""Failures that a timeout counts as: it costs everybody who waits more than a refusal."""


class SitemapBudget:
    """Counts files and failures; None for a limit is no limit.

    The budget of files grows with the URLs they bring. A site of ten million URLs is read to its end, an index that
    names only further indexes is not.
    """

    def __init__(self, max_files: int | None, max_failures: int | None) -> None:
        self._max_files, self._max_failures = max_files, max_failures
        self._files = 0
        self._failures: Counter[str] = Counter()

    def has_room(self, urls: int) -> bool:
        """Return whether one more file may be asked for after so many URLs."""
        return self._max_files is None or self._files < self._max_files + urls

    def is_failing(self, host: str) -> bool:
        """Return whether a host failed too often in a row."""
        return self._max_failures is not None and self._failures[host] >= self._max_failures

    def record_request(self) -> None:
        """Count a file that is asked for."""
        self._files += 1

    def record_response(self, host: str) -> None:
        """Note that a host answered, be it that there is no such file."""
        self._failures.pop(host, None)

    def record_failure(self, host: str, *, is_timeout: bool = False) -> None:
        """Count a file that could not be read."""
        self._failures[host] += FAILURES_PER_TIMEOUT if is_timeout else 1
