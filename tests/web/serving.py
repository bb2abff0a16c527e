"""Runs `headwater serve` on a free port and sends requests to it."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.commands import PATIENCE, Command, running, until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

TOKEN = "a-token-for-the-tests"


class Answer(NamedTuple):
    """A response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The parsed body."""
        return json.loads(self.body)


class Server(NamedTuple):
    """A running server."""

    origin: str
    db: str
    command: Command

    @property
    def link(self) -> str:
        """The login link that it printed."""
        return f"{self.origin}/login?token={TOKEN}"

    def request(
        self, path: str, body: Any = None, *, method: str = "", token: str = TOKEN, headers: Mapping[str, str] = {}
    ) -> Answer:
        """Send a request with the token; a body is sent as JSON."""
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(
            self.origin + path, data, {**sent, **headers}, method=method or ("POST" if body is not None else "GET")
        )
        try:
            with _OPENER.open(request, timeout=PATIENCE) as answer:
                return Answer(answer.status, dict(answer.headers.items()), answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, dict(error.headers.items()), error.read())

    def scan(self, url: str, **more: Any) -> int:
        """Start a scan and wait until it has ended."""
        number = int(self.request("/api/v1/scans", {"urls": [url], **more}).json["scan"])
        self.wait(number)
        self.wait_for_index(number)
        return number

    def wait_for_index(self, number: int) -> None:
        """Wait until a scan is indexed; until then its screens say so instead of showing the URLs."""
        assert self.request(f"/api/v1/scans/{number}/pages?limit=1").status == 200

    def wait(self, number: int, kind: str = "scans") -> str:
        """Wait until a scan or dive has ended, and return its state."""
        path = f"/api/v1/{kind}/{number}"
        until(lambda: not self.request(path).json["is_live"])
        return str(self.request(path).json["state"])

    def dive(self, scan: int, *clusters: str, **more: Any) -> int:
        """Dive into clusters and wait until the dive has ended."""
        number = int(self.request("/api/v1/dives", {"scan": scan, "clusters": list(clusters), **more}).json["dive"])
        assert self.wait(number, "dives") == "done"
        return number


@contextmanager
def half_sent_requests(port: int, count: int) -> Iterator[list[socket.socket]]:
    """Connect clients that each send half the head of a request, without a token."""
    with ExitStack() as stack:
        clients = [stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE)) for _ in range(count)]
        for client in clients:
            with suppress(ConnectionError):  # the server may have dropped it already
                client.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        yield clients


def is_dropped(client: socket.socket) -> bool:
    """Return True once the server closes a connection without a response."""
    try:
        return client.recv(1) == b""
    except ConnectionError:
        return True


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Return redirects to the test."""


_OPENER = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))


@contextmanager
def serving(
    folder: Path,
    *arguments: str,
    db: str = "",
    allow_private: str = "127.0.0.1",
    environment: Mapping[str, str] = {},
) -> Iterator[Server]:
    """Run a server during the block, over a store in this folder or over the given one."""
    db = db or str(folder / "web.db")
    private = ("--allow-private", allow_private) if allow_private else ()
    line = ("serve", "--db", db, "--port", "0", "--token", TOKEN, *arguments, *private)
    with running(folder, *line, environment=environment, cwd=folder) as command:
        server = Server(until(lambda: _origin(command)), db, command)
        until(lambda: server.request("/health").status == 200)
        yield server
        command.terminate()


def _origin(command: Command) -> str:
    """Return the origin of the server, or an empty text before it has printed its link."""
    assert command.process.poll() is None, f"the server ended:\n{command.err}"
    links = [line.strip() for line in (command.out + command.err).splitlines() if "/login?token=" in line]
    return links[0].partition("/login")[0] if links else ""
