"""Count consecutive views among suspects that differ in the values of the same parameters.

After a few views in a row the parameters are known not to choose content, and further suspects are not visited. A
few are still visited to check this; pages with content of their own make the required run longer.
"""

from __future__ import annotations

MAX_VIEWS = 8
"""Consecutive views after which suspects with the same parameters are not visited."""

MAX_VIEWS_AFTER_CONTENT = 40
"""The same if more than one of the pages had content of its own; the first may be the only one with a common text."""

MAX_VIEWS_OF_VIEWS = 3
"""The same if suspects with some of the parameters were views already."""

CHECK_INTERVAL = 32
"""One of this many suspects is visited nevertheless."""


class ViewRun:
    """The run of views of one shape: a path and the names of its parameters."""

    def __init__(self, *, is_view_of_views: bool = False) -> None:
        self._first_limit = MAX_VIEWS_OF_VIEWS if is_view_of_views else MAX_VIEWS
        self._run = 0
        self._with_content = 0
        self._skipped = 0
        self.in_progress = 0

    def learn(self, *, is_view: bool) -> None:
        """Add the result of a suspect."""
        self._run = self._run + 1 if is_view else 0
        self._with_content += not is_view

    @property
    def _limit(self) -> int:
        return self._first_limit if self._with_content < 2 else MAX_VIEWS_AFTER_CONTENT

    @property
    def is_complete(self) -> bool:
        """Return True if the run is long enough."""
        return self._run >= self._limit

    @property
    def must_wait(self) -> bool:
        """Return True if the next decision depends on the suspects in progress."""
        return self.in_progress >= max(1, self._limit - self._run)

    def should_skip(self) -> bool:
        """Return True if the next suspect is not visited; counts those that are skipped."""
        if not self.is_complete:
            return False
        self._skipped += 1
        return self._skipped % CHECK_INTERVAL != 0
