"""Limit the memory that the URL caches of one process use together."""

from __future__ import annotations

from typing import Protocol
from weakref import WeakSet

DEFAULT_ENTRY_LIMIT = 400_000
"""Entries that one scan may hold, about 400 bytes each."""

SHARED_ENTRY_LIMIT = 1_600_000
"""Entries that concurrent scans may hold together, in all processes of a machine."""


class BudgetMember(Protocol):
    """A cache that counts its entries."""

    @property
    def entries(self) -> int:
        """The number of entries that it holds."""


class MemoryBudget:
    """The number of entries that the caches of a process may hold together.

    While there is room a cache may grow beyond its equal share. When there is no room left, those above their share
    have to evict.
    """

    def __init__(self, limit: int = DEFAULT_ENTRY_LIMIT) -> None:
        self._limit = limit
        self._members: WeakSet[BudgetMember] = WeakSet()

    def join(self, member: BudgetMember) -> None:
        """Count the entries of a cache from now on."""
        self._members.add(member)

    def leave(self, member: BudgetMember) -> None:
        """Stop counting the entries of a cache."""
        self._members.discard(member)

    @property
    def entries(self) -> int:
        """The number of entries that all caches hold."""
        return sum(member.entries for member in self._members)

    def is_exceeded_by(self, member: BudgetMember) -> bool:
        """Return True if the budget is exceeded and this cache holds more than its equal share."""
        return member.entries > self._limit // len(self._members) and self.entries > self._limit


def create_process_budget(processes: int) -> MemoryBudget:
    """Return the budget of one of several processes that scan many sites."""
    return MemoryBudget(SHARED_ENTRY_LIMIT // processes)
