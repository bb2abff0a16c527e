"""Use HTTP/3 where an origin offers it: one request tries it, and later ones use it only if that request succeeded.

libcurl would keep using its HTTP/2 connection, so the trial asks for a new connection, and later requests allow HTTP/3
only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pycurl

from headwater.model import Response

if TYPE_CHECKING:
    from headwater.model import FetchFailure

_OFFER = re.compile(r'\bh3="([^":]*):(\d+)"')
_HTTP_3_ONLY = int(pycurl.CURL_HTTP_VERSION_3ONLY)
OFFERED, TRIED, CONFIRMED, FAILED = "offered", "tried", "confirmed", "failed"


class AltSvcCache:
    """The state of HTTP/3 for each origin; offers are ignored if `is_enabled` is False."""

    def __init__(self, *, is_enabled: bool) -> None:
        self._is_enabled = is_enabled
        self._states: dict[str, str] = {}

    def choose_version(self, origin: str) -> tuple[int, int]:
        """Return libcurl's HTTP version for the next request, and 1 if it needs a new connection, else 0."""
        state = self._states.get(origin) if self._states else None
        if state == OFFERED:
            self._states[origin] = TRIED
            return int(pycurl.CURL_HTTP_VERSION_3), 1
        return _HTTP_3_ONLY if state == CONFIRMED else int(pycurl.CURL_HTTP_VERSION_2TLS), 0

    def record_result(self, origin: str, port: str, version: int, result: Response | FetchFailure) -> None:
        """Record the outcome of a trial, or an offer, which counts only for the same host and port."""
        if version != pycurl.CURL_HTTP_VERSION_2TLS:
            has_worked = isinstance(result, Response) and result.http_version == "3"
            is_confirmed = has_worked or (version == _HTTP_3_ONLY and result.status is not None)
            self._states[origin] = CONFIRMED if is_confirmed else FAILED
        elif self._is_enabled and origin not in self._states and "alt-svc" in result.headers:
            match = _OFFER.search(result.headers["alt-svc"])
            if match and not match.group(1) and match.group(2) == port and origin.startswith("https:"):
                self._states[origin] = OFFERED
