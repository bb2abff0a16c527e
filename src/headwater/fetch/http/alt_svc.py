"""HTTP/3 where an origin offers it: one request tries it, the others follow if it worked and never if it did not.

libcurl would go on using the HTTP/2 connection it has: so the trial asks for a new one, and what follows insists on
HTTP/3.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pycurl

from headwater.model import Response

if TYPE_CHECKING:
    from headwater.model import FetchFailure

_OFFER = re.compile(r'\bh3="([^":]*):(\d+)"')
OFFERED, TRIED, CONFIRMED, FAILED = "offered", "tried", "proved", "failed"


class AltSvcCache:
    """What is known of each origin's HTTP/3; `is_selected` is False under proxies and older versions by choice."""

    def __init__(self, *, is_wanted: bool) -> None:
        self._is_enabled = is_wanted
        self._states: dict[str, str] = {}

    def choose_version(self, origin: str) -> tuple[int, int]:
        """The HTTP version for the next request, and whether it wants a connection of its own."""
        state = self._states.get(origin) if self._states else None
        if state == OFFERED:
            self._states[origin] = TRIED
            return int(pycurl.CURL_HTTP_VERSION_3), 1
        return int(pycurl.CURL_HTTP_VERSION_3ONLY if state == CONFIRMED else pycurl.CURL_HTTP_VERSION_2TLS), 0

    def record_result(self, origin: str, port: str, version: int, result: Response | FetchFailure) -> None:
        """Remember an offer, and how a trial went; only `host` itself at its own port counts as an offer."""
        if version != pycurl.CURL_HTTP_VERSION_2TLS:
            worked = isinstance(result, Response) and result.http_version == "3"
            self._states[origin] = CONFIRMED if worked or (version == _HTTP_3_ONLY and result.status is not None) else FAILED
        elif self._is_enabled and origin not in self._states and "alt-svc" in result.headers:
            match = _OFFER.search(result.headers["alt-svc"])
            if match and not match.group(1) and match.group(2) == port and origin.startswith("https:"):
                self._states[origin] = OFFERED


_HTTP_3_ONLY = int(pycurl.CURL_HTTP_VERSION_3ONLY)
