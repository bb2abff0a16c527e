"""The budget that the caches of a process share."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from headwater.frontier.memory_budget import MemoryBudget


@dataclass(eq=False)
class Cache:
    """A member of the budget with a number of entries."""

    entries: int


@pytest.mark.parametrize(
    ("sizes", "exceeding"),
    [
        ([100], []),
        ([101], [101]),
        ([90, 10], []),
        ([91, 10], [91]),
        ([60, 55], [60, 55]),
        ([40, 35, 30], [40, 35]),
        ([0, 0, 101], [101]),
    ],
)
def test_caches_above_their_share_evict_when_the_budget_is_exceeded(sizes: list[int], exceeding: list[int]) -> None:
    budget, caches = MemoryBudget(100), [Cache(size) for size in sizes]
    for cache in caches:
        budget.join(cache)
    assert budget.entries == sum(sizes)
    assert [cache.entries for cache in caches if budget.is_exceeded_by(cache)] == exceeding


def test_a_cache_that_leaves_does_not_count() -> None:
    budget, large, small = MemoryBudget(100), Cache(90), Cache(60)
    budget.join(large)
    budget.join(small)
    assert budget.is_exceeded_by(small)
    budget.leave(large)
    assert not budget.is_exceeded_by(small)
