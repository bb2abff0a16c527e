"""Choose which pages of each URL shape are visited when `--per-shape` limits them.

Candidates are offered in the order of their keys, depth by depth, so the choice does not depend on the network.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from headwater.urls.shapes import shape

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from headwater.model import Candidate


class ShapeQuota:
    """Counts the visits of each URL shape of each host; `seeds` are always visited."""

    def __init__(self, limit: int, seeds: Collection[int] = ()) -> None:
        self._limit, self._seeds = limit, frozenset(seeds)
        self._visits: Counter[tuple[str, str]] = Counter()

    def add_visited(self, keys: Iterable[str]) -> None:
        """Count pages that were visited before an interruption."""
        self._visits.update(_identify(key) for key in keys)

    def admit(self, candidate: Candidate) -> bool:
        """Return True and count the visit if the shape has visits left; seeds and their redirects always have."""
        key = _identify(candidate.key)
        is_start = candidate.identity in self._seeds or (candidate.depth == 0 and candidate.redirects > 0)
        if self._visits[key] >= self._limit and not is_start:
            return False
        self._visits[key] += 1
        return True


def _identify(key: str) -> tuple[str, str]:
    return key.partition("://")[2].partition("/")[0], shape(key)
