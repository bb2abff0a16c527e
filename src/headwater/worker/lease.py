"""The lease of a worker on its sites: it expires when the last heartbeat is too old."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

EXPIRY_SHARE = 2 / 3
"""The share of the stall limit after which a worker stops, before another worker can claim its sites."""

EXIT_LEASE_LOST = 75
"""Exit code of a process that was suspended until its lease expired."""


class Lease:
    """Renewed by heartbeats and checked before every request; also expires while the process is suspended."""

    def __init__(self, stall_limit: float) -> None:
        self._limit = stall_limit * EXPIRY_SHARE
        self._since = time.monotonic()

    def renew(self, moment: float) -> None:
        """Renew the lease from the moment at which a confirmed heartbeat was sent."""
        self._since = moment

    def is_held(self) -> bool:
        """Return True if no other worker can have claimed the sites yet."""
        return time.monotonic() - self._since < self._limit

    def exit_if_expired_on_resume(self) -> None:
        """On SIGCONT, before anything else runs, end the process if the lease has expired."""

        def check(_: int, __: FrameType | None) -> None:
            if not self.is_held():
                os._exit(EXIT_LEASE_LOST)

        signal.signal(signal.SIGCONT, check)
