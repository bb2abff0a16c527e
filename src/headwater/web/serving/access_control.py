"""Access control: checks every request before a handler sees it, and adds the security headers to every response."""

from __future__ import annotations

import hmac
from contextlib import suppress
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
"""Authenticated requests served at the same time; most of them are event streams."""

_TOO_LARGE = f"The request body is larger than {MAX_BODY_BYTES:,} bytes"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
PUBLIC_PATHS = frozenset({"/health", "/login"})
"""Paths that need no token: the health check and the login page."""

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
    """The token of the server, and the hosts it answers to, with their ports.

    Servers on two ports of one host share cookies, so the name of the cookie contains the port.
    """

    token: str
    hosts: frozenset[str]
    cookie_name: str = "headwater"

    def is_valid_token(self, text: str) -> bool:
        """Return True if this is the token; the comparison takes constant time."""
        return hmac.compare_digest(text.encode("utf-8", "surrogatepass"), self.token.encode())


class AccessMiddleware:
    """Wraps the application: checks host, origin, token and body size, and adds headers to responses."""

    def __init__(
        self,
        app: ASGIApp,
        access: AccessPolicy,
        reject: Callable[[Scope, Problem], Response],
        max_requests: int = MAX_REQUESTS,
    ) -> None:
        self._app, self._access, self._reject, self._max_requests = app, access, reject, max_requests
        self._active_requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        send = _add_security_headers(send, is_static=scope["path"].startswith("/static/"))
        with suppress(ClientDisconnect):  # the client left before it had sent its body
            await self._handle_request(scope, receive, send)

    async def _handle_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = self._check_request(scope)
        if problem is not None:
            await self._reject(scope, problem)(scope, receive, send)
            return
        if scope["path"] in PUBLIC_PATHS:
            await self._app(scope, _limit_body(receive), send)
            return
        mark_authenticated(scope)
        self._active_requests += 1
        try:
            await self._app(scope, _limit_body(receive), send)
        finally:
            self._active_requests -= 1

    def _check_request(self, scope: Scope) -> Problem | None:
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self._access.hosts:
            return Problem(
                421, "This server does not answer to that host name. Start it with --allow-host to change that"
            )
        if not self._is_own_origin(scope["method"], headers):
            return Problem(403, "Requests from other sites are not allowed")
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length[:20]) > MAX_BODY_BYTES:
            return Problem(413, _TOO_LARGE)
        if scope["path"] in PUBLIC_PATHS:
            return None
        if self._is_authenticated(headers):
            return self._too_many_requests() if self._active_requests >= self._max_requests else None
        return Problem(401, "Open the link that `headwater serve` printed, or send its token as a bearer token")

    def _too_many_requests(self) -> Problem:
        detail = f"{self._max_requests} requests are being served. Close some pages of this server, or try again later"
        return Problem(429, detail)

    def _is_own_origin(self, method: str, headers: Headers) -> bool:
        """Return True if the Origin header, if sent, is ours, and if a request that changes things is same-origin."""
        origin = headers.get("origin")
        if origin is not None and origin.lower().partition("://")[2] not in self._access.hosts:
            return False
        return method in SAFE_METHODS or headers.get("sec-fetch-site", "none") in {"same-origin", "none"}

    def _is_authenticated(self, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self._access.is_valid_token(token.strip())
        return self._access.is_valid_token(cookie_parser(headers.get("cookie", "")).get(self._access.cookie_name, ""))


def _limit_body(receive: Receive) -> Receive:
    """Reject a body that turns out too large; a chunked body does not announce its size."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MAX_BODY_BYTES:
            raise Problem(413, _TOO_LARGE)
        return message

    return limited


def _add_security_headers(send: Send, *, is_static: bool) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "max-age=3600" if is_static else "no-store")
        await send(message)

    return send_with_headers
