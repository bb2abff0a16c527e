"""Answer requests of pages that could change data, instead of sending them, and drop those for other pages.

Only GET and HEAD leave the browser. Chromium pauses every request that may have another method: those of documents and
scripts, beacons, reports and CORS preflights, also those of workers. Frames in other processes and workers have their
own debugging sessions, which are guarded too.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from headwater.urls.parsing import get_origin

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping, Sequence

    from playwright.async_api import CDPSession

    from headwater.fetch.browser.network.socks_proxy import SocksProxy
    from headwater.urls.patterns import UrlPattern

READING_METHODS = frozenset({"GET", "HEAD"})

_RESOURCE_TYPES = ("Document", "XHR", "Fetch", "Ping", "CSPViolationReport", "Other")
"""Types of requests that may have another method than GET."""

MAX_HOLD = 2.0
"""Seconds for which a worker that does not answer delays new connections."""

_DROP_MESSAGES = "WebSocket.prototype.send = function () {}"


_Path = tuple[str, ...]
"""The sessions that lead from the page to a frame or worker; empty for the page itself."""


class FakeAnswer:
    """The answer to a request that is not sent: an empty JSON object if JSON is expected, otherwise no content."""

    def __init__(self, method: str, headers: Mapping[str, str]) -> None:
        names = {name.lower(): value for name, value in headers.items()}
        wants_json = "json" in names.get("accept", "") or "json" in names.get("content-type", "")
        is_json = wants_json and method != "OPTIONS"
        self.status, self.body = (200, "{}") if is_json else (204, "")
        self.headers = _build_cors_headers(names) | ({"Content-Type": "application/json"} if is_json else {})


def _build_cors_headers(request: Mapping[str, str]) -> dict[str, str]:
    return {
        "Access-Control-Allow-Origin": request.get("origin", "*"),
        "Access-Control-Allow-Credentials": "true",
        "Access-Control-Allow-Methods": request.get("access-control-request-method", "*"),
        "Access-Control-Allow-Headers": request.get("access-control-request-headers", "*"),
    }


class GuardedTab(Protocol):
    """The tab whose requests are guarded."""

    def note_fake_answer(self, url: str, method: str) -> None:
        """Record a request that was answered instead of sent."""

    def is_prefetch(self, url: str, headers: Mapping[str, str]) -> bool:
        """Return True if a request loads data that the open page does not need."""


class WriteGuard:
    """Guards the requests of one tab; it is told of each request that is answered instead of sent."""

    def __init__(
        self,
        session: CDPSession,
        allowed: Sequence[UrlPattern],
        origin: str,
        headers: Sequence[str],
        tab: GuardedTab,
        *,
        proxy: SocksProxy,
    ) -> None:
        self._proxy = proxy
        self._answers: dict[_Path, asyncio.Future[None]] = {}
        self._session, self._allowed, self._tab = session, allowed, tab
        self._origin = origin
        self._headers = [dict(zip(("name", "value"), line.split(": ", 1), strict=True)) for line in headers]
        self._numbers = count(1)
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Pause requests of the tab from now on, and guard frames and workers before they start."""
        for name in ("Fetch.requestPaused", "Target.attachedToTarget", "Target.receivedMessageFromTarget"):
            self._session.on(name, partial(self._on_event, (), name))
        await self._guard(())

    async def _guard(self, target: _Path) -> None:
        types = [{"resourceType": kind} for kind in _RESOURCE_TYPES]
        await asyncio.gather(
            self._send(target, "Fetch.enable", patterns=[{"urlPattern": "*"}] if self._headers else types),
            self._send(target, "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=False),
        )

    def _on_event(self, target: _Path, name: str, event: dict[str, Any]) -> None:
        """Handle an event of the page, or of a frame or worker with this path of sessions."""
        if name == "Target.receivedMessageFromTarget":
            message = json.loads(event["message"])
            self._note_answer((*target, event["sessionId"]), message)
            self._on_event((*target, event["sessionId"]), message.get("method", ""), message.get("params", {}))
        elif name == "Target.attachedToTarget":
            self._run(self._guard_target((*target, event["sessionId"]), event["targetInfo"]["type"]))
        elif name == "Fetch.requestPaused":
            self._run(self._decide(target, event))

    def _note_answer(self, target: _Path, message: dict[str, Any]) -> None:
        """Note the answer to `Runtime.evaluate`, the only command with a result of this kind."""
        answered = self._answers.get(target)
        if answered is not None and "result" in message.get("result", {}) and not answered.done():
            answered.set_result(None)

    async def _guard_target(self, target: _Path, kind: str) -> None:
        """Guard a frame or worker, and the workers that it starts, and let it run. Frames have our script."""
        drop = () if kind == "iframe" else (self._drop_messages(target),)
        await asyncio.gather(*drop, self._guard(target), self._send(target, "Runtime.runIfWaitingForDebugger"))

    async def _drop_messages(self, target: _Path) -> None:
        """Make a worker send no messages; the driver may let it run before that, so no socket may open yet."""
        answered = asyncio.get_running_loop().create_future()
        self._answers[target] = answered
        with self._proxy.hold_connections(), contextlib.suppress(TimeoutError):
            await self._send(target, "Runtime.evaluate", expression=_DROP_MESSAGES)
            await asyncio.wait_for(answered, MAX_HOLD)
        self._answers.pop(target, None)

    async def _decide(self, target: _Path, event: dict[str, Any]) -> None:
        request: dict[str, Any] = event["request"]
        method, url = request["method"].upper(), request["url"]
        if method in READING_METHODS and self._tab.is_prefetch(url, request["headers"]):
            await self._send(target, "Fetch.failRequest", requestId=event["requestId"], errorReason="BlockedByClient")
            return
        if method in READING_METHODS or self._is_allowed(url):
            await self._continue(target, event)
            return
        if method != "OPTIONS":  # a preflight; the request itself follows
            self._tab.note_fake_answer(url, method)
        answer = FakeAnswer(method, request["headers"])
        await self._send(
            target,
            "Fetch.fulfillRequest",
            requestId=event["requestId"],
            responseCode=answer.status,
            responseHeaders=[{"name": name, "value": value} for name, value in answer.headers.items()],
            body=base64.b64encode(answer.body.encode()).decode(),
        )

    def _is_allowed(self, url: str) -> bool:
        path_and_query = url[len(get_origin(url)) :].partition("#")[0]
        return any(pattern.matches(url, path_and_query) for pattern in self._allowed)

    async def _continue(self, target: _Path, event: dict[str, Any]) -> None:
        """Send a request, with the secret headers of its origin; redirects to other origins do not get them."""
        parameters: dict[str, object] = {"requestId": event["requestId"]}
        if self._headers and get_origin(event["request"]["url"]) == self._origin:
            own = event["request"]["headers"]
            parameters["headers"] = [{"name": name, "value": value} for name, value in own.items()] + self._headers
        await self._send(target, "Fetch.continueRequest", **parameters)

    async def _send(self, target: _Path, method: str, **parameters: object) -> None:
        """Send a command to the page, or wrapped in other commands to a frame or worker."""
        for session in reversed(target):
            message = json.dumps({"id": next(self._numbers), "method": method, "params": parameters})
            method, parameters = "Target.sendMessageToTarget", {"sessionId": session, "message": message}
        with contextlib.suppress(Exception):  # the page, frame or worker is gone
            await self._session.send(method, parameters)

    def _run(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
