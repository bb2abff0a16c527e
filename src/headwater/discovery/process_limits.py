"""Limits shared by the scans of one process: memory, and the number of link graphs computed at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.frontier.memory_budget import MemoryBudget, create_process_budget

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

LARGE_SCAN_LINKS = 1_000_000
"""Links beyond which a scan is large; large scans wait for each other, so that small ones do not wait for them."""


class ProcessLimits:
    """The limits of one process; by default those of a process that runs a single scan."""

    def __init__(self, memory: MemoryBudget | None = None) -> None:
        self.memory = memory or MemoryBudget()
        self._small, self._large = asyncio.Lock(), asyncio.Lock()

    @classmethod
    def for_processes(cls, processes: int | None) -> ProcessLimits:
        """Return the limits of one of several processes on this machine."""
        return cls(create_process_budget(processes or 1))

    def get_merge_lock(self, links: int) -> AbstractAsyncContextManager[None]:
        """Return the lock to hold while the links of a scan are in memory: one small and one large scan at a time."""
        return self._large if links > LARGE_SCAN_LINKS else self._small
