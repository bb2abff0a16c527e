"""How long a process may believe that its sites are its own: until its last heartbeat is too old."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

EXPIRY_SHARE = 2 / 3
"""A worker stops by itself at this share of the stall limit, before anybody takes its sites."""

EXIT_LEASE_LOST = 75
"""How a process ends that was stopped for so long that others have its sites."""


class Lease:
    """Renewed by heartbeats; asked before every request. The clock goes on while the process is stopped."""

    def __init__(self, stall_limit: float) -> None:
        self._limit = stall_limit * EXPIRY_SHARE
        self._since = time.monotonic()

    def renew(self, moment: float) -> None:
        """A heartbeat that was sent at this moment has arrived."""
        self._since = moment

    def is_held(self) -> bool:
        """Whether nobody can have taken our sites yet."""
        return time.monotonic() - self._since < self._limit

    def exit_if_expired_on_resume(self) -> None:
        """After SIGSTOP and SIGCONT this comes before anything else: not even what was under way may go on."""

        def look(_: int, __: FrameType | None) -> None:
            if not self.is_held():
                os._exit(EXIT_LEASE_LOST)

        signal.signal(signal.SIGCONT, look)
