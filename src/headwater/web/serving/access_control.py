"""Who may ask what: every request passes here before anything reads it, and every answer gets its headers here."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, cookie_parser

from headwater.connection_limits import mark_authenticated
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 64 * 1024
MAX_REQUESTS = 400
"""Requests with the token that are answered at the same time, most of them event streams."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
PUBLIC_PATHS = frozenset({"/health", "/login"})
"""Without a token: that the server lives, and the place where a token is handed in."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class AccessPolicy(NamedTuple):
    """What the server was started with: its token, and the hosts it answers to, with their ports.

    Servers on two ports of one host share their cookies, so the cookie's name holds the port.
    """

    token: str
    hosts: frozenset[str]
    cookie_name: str = "headwater"

    def is_valid_token(self, text: str) -> bool:
        """Whether this is the token; the time it takes to say so tells nothing."""
        return hmac.compare_digest(text.encode("utf-8", "surrogatepass"), self.token.encode())


class AccessMiddleware:
    """Wraps the application: host, origin, token, size of the body; then the application's answer with its headers."""

    def __init__(
        self, app: ASGIApp, access: AccessPolicy, refuse: Callable[[Scope, Problem], Response], most: int = MAX_REQUESTS
    ) -> None:
        self._app, self._access, self._refuse, self._max_requests = app, access, refuse, most
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        armoured = _add_security_headers(send, is_static=scope["path"].startswith("/static/"))
        try:
            await self._answer(scope, receive, armoured)
        except ClientDisconnect:
            return  # the client left before it had sent its body

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = self._problem(scope)
        if problem is not None:
            await self._refuse(scope, problem)(scope, receive, send)
            return
        if scope["path"] in PUBLIC_PATHS:
            await self._app(scope, _limit_body(receive), send)
            return
        mark_authenticated(scope)
        self._running += 1
        try:
            await self._app(scope, _limit_body(receive), send)
        finally:
            self._running -= 1

    def _problem(self, scope: Scope) -> Problem | None:
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self._access.hosts:
            return Problem(421, "This server does not answer to that host; start it with --allow-host to change that")
        if not self._is_own_origin(scope["method"], headers):
            return Problem(403, "Requests from other sites are refused")
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length[:20]) > MAX_BODY_BYTES:
            return Problem(413, f"A body may have {MAX_BODY_BYTES:,} bytes")
        if scope["path"] in PUBLIC_PATHS:
            return None
        if self._is_known(headers):
            return self._too_many_requests() if self._running >= self._max_requests else None
        return Problem(401, "Open the link that `headwater serve` printed, or send its token as a bearer token")

    def _too_many_requests(self) -> Problem:
        return Problem(
            429, f"{self._max_requests} requests are being answered; close some of this server's pages, or wait"
        )

    def _is_own_origin(self, method: str, headers: Headers) -> bool:
        """An Origin, where one is sent, is ours; so is whoever changes things, as far as the browser tells."""
        origin = headers.get("origin")
        if origin is not None and origin.lower().partition("://")[2] not in self._access.hosts:
            return False
        return method in SAFE_METHODS or headers.get("sec-fetch-site", "none") in {"same-origin", "none"}

    def _is_known(self, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self._access.is_valid_token(token.strip())
        return self._access.is_valid_token(cookie_parser(headers.get("cookie", "")).get(self._access.cookie_name, ""))


def _limit_body(receive: Receive) -> Receive:
    """Counts what arrives, for a body need not say how long it is."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MAX_BODY_BYTES:
            raise Problem(413, f"A body may have {MAX_BODY_BYTES:,} bytes")
        return message

    return limited


def _add_security_headers(send: Send, *, is_static: bool) -> Send:
    async def armoured(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "max-age=3600" if is_static else "no-store")
        await send(message)

    return armoured
