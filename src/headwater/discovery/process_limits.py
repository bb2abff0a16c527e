"""Limits that the scans of one process share: what they remember, and how many are merged at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.frontier.memory_budget import MemoryBudget, create_process_budget

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

LARGE_SCAN_LINKS = 1_000_000
"""Links beyond which a scan takes its turn among the large ones, so that small ones need not wait for it."""


class ProcessLimits:
    """The limits of one process; without others only one scan runs in it."""

    def __init__(self, memory: MemoryBudget | None = None) -> None:
        self.memory = memory or MemoryBudget()
        self._small, self._large = asyncio.Lock(), asyncio.Lock()

    @classmethod
    def for_processes(cls, processes: int | None) -> ProcessLimits:
        """Return the limits of one of several processes that work on many sites."""
        return cls(create_process_budget(processes or 1))

    def get_merge_lock(self, links: int) -> AbstractAsyncContextManager[None]:
        """Return a turn to hold the links of a scan in memory: one small scan and one large one at a time."""
        return self._large if links > LARGE_SCAN_LINKS else self._small
