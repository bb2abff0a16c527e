"""When a failed request is tried again; chance is an argument."""

from __future__ import annotations

import re
from datetime import UTC, datetime

INITIAL_BACKOFF = 0.5
MAX_BACKOFF = 60.0
_SECONDS = re.compile(r"\s*(\d{1,9})(?:\.\d+)?\s*")


def compute_backoff(attempt: int, chance: float) -> float:
    """Seconds to wait after failed attempt 1, 2, …: doubling, and by `chance` between half and whole of it."""
    longest = min(MAX_BACKOFF, INITIAL_BACKOFF * 2.0 ** (attempt - 1))
    return longest * (0.5 + chance / 2)


def parse_retry_after(header: str, now: datetime) -> float | None:
    """The seconds a Retry-After header asks for, in either of its forms; None if it says nothing readable."""
    match = _SECONDS.fullmatch(header)
    if match:
        return float(match.group(1))
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  (15 ms to import, and few servers send dates)

    try:
        moment = parsedate_to_datetime(header)
    except (ValueError, TypeError, IndexError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def compute_pause(asked: float | None, longest: float, chance: float) -> float:
    """How long a host is left alone: what it asked for, capped, and up to a tenth more by `chance`."""
    return 0.0 if asked is None else min(asked, longest) * (1.0 + chance / 10)
