"""Accept certificate errors in a tab only for the hosts that `--insecure` names.

A browser context that ignores certificate errors would do so for every host that a page loads from.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from headwater.fetch.egress import get_host
from headwater.urls.parsing import get_origin

if TYPE_CHECKING:
    from collections.abc import Collection

    from playwright.async_api import CDPSession

MAX_REJECTED = 500


class CertificateErrorHandler:
    """Decides about certificate errors of documents, subresources, sockets and workers."""

    def __init__(self, session: CDPSession, accepted_hosts: Collection[str]) -> None:
        self._session, self._accepted_hosts = session, accepted_hosts
        self._rejected: dict[str, str] = {}

    async def start(self) -> None:
        """Make Chromium ask about certificate errors, unless no host is accepted."""
        if not self._accepted_hosts:
            return
        self._session.on("Security.certificateError", self._decide)
        await self._session.send("Security.enable")
        await self._session.send("Security.setOverrideCertificateErrors", {"override": True})

    def get_rejection(self, url: str) -> str:
        """Return Chromium's name of the certificate error of this origin; empty if it had none."""
        return self._rejected.get(get_origin(url), "")

    async def _decide(self, event: dict[str, Any]) -> None:
        url = event["requestURL"]
        is_accepted = get_host(url) in self._accepted_hosts
        if not is_accepted and len(self._rejected) < MAX_REJECTED:
            self._rejected[get_origin(url)] = event["errorType"]
        answer = {"eventId": event["eventId"], "action": "continue" if is_accepted else "cancel"}
        with contextlib.suppress(Exception):  # Chromium has cancelled the request because the page navigated
            await self._session.send("Security.handleCertificateError", answer)
