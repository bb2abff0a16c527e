"""Talk to a page over the debugging protocol: call the script that runs in it, and take snapshots.

A page's content security policy does not apply to these calls, and the page cannot redefine what they use.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

from headwater.fetch.browser.navigations import is_document_gone
from headwater.fetch.browser.page_report import parse_json

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

LATE_SCRIPT_TIMEOUT = 2.0
"""Seconds to wait for scripts that a settled page still loads, often those of an application's next view."""

MAX_HTML = 20_000_000
"""Characters of a page; the same limit is in `scripts/intrinsics.js`."""


class ScriptBlocked(Exception):  # noqa: N818
    """Our script in the page does not answer."""


class DocumentGone(Exception):  # noqa: N818
    """The document has been replaced since the call."""


class PageSession:
    """A debugging session of one page, and the scripts that the page is loading."""

    def __init__(self, session: CDPSession, script_name: str) -> None:
        self._session, self._script_name = session, script_name
        self._loading_scripts: set[str] = set()
        self._all_scripts_loaded = asyncio.Event()
        # These events and the answers to calls come from the same process, so they arrive in order.
        session.on("Network.requestWillBeSent", self._on_request)
        session.on("Network.loadingFinished", self._on_loaded)
        session.on("Network.loadingFailed", self._on_loaded)

    async def call(self, function: str, *arguments: object) -> Any:  # noqa: ANN401
        """Call a function of the script that runs in the page."""
        values = ", ".join(json.dumps(one) for one in (function, *arguments))
        expression = f"window[{self._script_name!r}].call({values})"
        try:
            answer = await self._session.send(
                "Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True}
            )
        except Exception as error:
            if is_document_gone(error):
                raise DocumentGone from None
            raise
        try:
            return parse_json(answer["result"]["value"])
        except (KeyError, TypeError, ValueError):
            raise ScriptBlocked from None

    async def send(self, method: str, **parameters: object) -> Any:  # noqa: ANN401
        """Call a method of the debugging protocol."""
        return await self._session.send(method, parameters)

    async def take_snapshot(self) -> str:
        """Return the HTML with every shadow root, including closed ones; six times as slow as the script."""
        root = (await self.send("DOM.getDocument", depth=0))["root"]
        answer = await self.send("DOM.getOuterHTML", nodeId=root["nodeId"], includeShadowDOM=True)
        return str(answer["outerHTML"])[:MAX_HTML]

    def forget_scripts(self) -> None:
        """Start counting scripts again, for another document."""
        self._loading_scripts.clear()
        self._all_scripts_loaded.set()

    async def wait_for_scripts(self) -> bool:
        """Wait for scripts that the page is loading; return True if there were any."""
        had_scripts = bool(self._loading_scripts)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LATE_SCRIPT_TIMEOUT):
                await self._all_scripts_loaded.wait()
        return had_scripts

    def _on_request(self, event: dict[str, Any]) -> None:
        if event.get("type") == "Script":
            self._loading_scripts.add(event["requestId"])
            self._all_scripts_loaded.clear()

    def _on_loaded(self, event: dict[str, Any]) -> None:
        self._loading_scripts.discard(event["requestId"])
        if not self._loading_scripts:
            self._all_scripts_loaded.set()
