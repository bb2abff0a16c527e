"""Job description that the server writes to the standard input of a scan or dive process."""

from __future__ import annotations

import json
import signal
import sys
from typing import Any, NamedTuple


class JobInput(NamedTuple):
    """Everything a process needs; the settings may contain credentials, so they are not stored or passed as flags."""

    db: str
    scan: int
    dive: int
    settings: dict[str, Any]
    is_resumed: bool

    def encode(self) -> bytes:
        """Return the job as JSON."""
        return json.dumps(self._asdict()).encode()


def read_job() -> JobInput:
    """Read the job of this process, and let SIGTERM stop it as Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return JobInput(**json.load(sys.stdin))
