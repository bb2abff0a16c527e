"""Compute delays before failed requests are retried; randomness is an argument between 0 and 1."""

from __future__ import annotations

import re
from datetime import UTC, datetime

INITIAL_BACKOFF = 0.5
MAX_BACKOFF = 60.0
_SECONDS = re.compile(r"\s*(\d{1,9})(?:\.\d+)?\s*")


def compute_backoff(attempt: int, jitter: float) -> float:
    """Return the seconds to wait after failed attempt 1, 2, …: doubled each time, minus up to half at random."""
    max_seconds = min(MAX_BACKOFF, INITIAL_BACKOFF * 2.0 ** (attempt - 1))
    return max_seconds * (0.5 + jitter / 2)


def parse_retry_after(header: str, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks for, in either of its forms; None if it is invalid."""
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


def compute_pause(requested: float | None, max_seconds: float, jitter: float) -> float:
    """Return the seconds to pause requests to a host: what it requested, capped, plus up to a tenth at random."""
    return 0.0 if requested is None else min(requested, max_seconds) * (1.0 + jitter / 10)
