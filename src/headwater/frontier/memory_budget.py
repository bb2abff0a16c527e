"""A limit on what the scans of one process remember together."""

from __future__ import annotations

from typing import Protocol
from weakref import WeakSet

DEFAULT_ENTRY_LIMIT = 400_000
"""Entries that one scan may hold, about 400 bytes each."""

SHARED_ENTRY_LIMIT = 1_600_000
"""Entries that scans side by side may hold together, in all processes of a machine."""


class BudgetMember(Protocol):
    """Something that holds a number of entries."""

    @property
    def entries(self) -> int:
        """How many entries it holds."""


class MemoryBudget:
    """Entries that the memories of a process may hold together.

    While there is room a memory may grow beyond its equal share. Once there is none, those above their share forget.
    """

    def __init__(self, limit: int = DEFAULT_ENTRY_LIMIT) -> None:
        self._limit = limit
        self._members: WeakSet[BudgetMember] = WeakSet()

    def join(self, memory: BudgetMember) -> None:
        """Count a memory from now on."""
        self._members.add(memory)

    def leave(self, memory: BudgetMember) -> None:
        """Count a memory no longer."""
        self._members.discard(memory)

    @property
    def entries(self) -> int:
        """How many entries all memories hold."""
        return sum(one.entries for one in self._members)

    def is_exceeded_by(self, memory: BudgetMember) -> bool:
        """Return whether there is too much in all, and more than an equal share in this memory."""
        return memory.entries > self._limit // len(self._members) and self.entries > self._limit


def create_process_budget(processes: int) -> MemoryBudget:
    """Return the budget of one of several processes that work on many sites."""
    return MemoryBudget(SHARED_ENTRY_LIMIT // processes)
