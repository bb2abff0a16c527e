"""Serve test sites on loopback, from a function or from a table of paths, and record every request."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple

from tests.commands import JOURNAL

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator, Mapping


class Answer(NamedTuple):
    """An HTTP response, and the seconds to wait before sending it."""

    body: bytes | str = ""
    status: int = 200
    type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = {}
    delay: float = 0.0


class ReceivedRequest(NamedTuple):
    """A request as it arrived; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


NOT_FOUND = Answer("<!doctype html><title>Not found</title><h1>Not found</h1>", 404)


class Server(ThreadingHTTPServer):
    """Answers requests of every method with the result of a function; None stands for a 404."""

    request_queue_size = 256
    daemon_threads = True

    def __init__(
        self, answer: Callable[[ReceivedRequest], Answer | None], host: str, tls: ssl.SSLContext | None
    ) -> None:
        self.answer = answer
        self.requests: list[ReceivedRequest] = []
        self.is_closing = threading.Event()
        super().__init__((host, 0), Handler)
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.origin = f"{'https' if tls else 'http'}://{host}:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """Ignore clients that close their connection early."""

    def log(self) -> str:
        """Return the method and path of every request."""
        return "\n".join(f"{one.method} {one.path}" for one in self.requests)


class Handler(BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def handle_request(self) -> None:
        """Record the request and answer it."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = ReceivedRequest(self.command, self.path, headers, body)
        self.server.requests.append(request)
        self.write(self.server.answer(request) or NOT_FOUND)

    def write(self, answer: Answer) -> None:
        """Send an answer after its delay; a server that closes does not wait for the delay."""
        self.server.is_closing.wait(answer.delay)
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        self.send_response(answer.status)
        for name, value in {"Content-Type": answer.type, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write nothing to standard error: requests are recorded instead."""

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_request  # noqa: N815


@contextmanager
def serve(
    answer: Callable[[ReceivedRequest], Answer | None],
    host: str = "127.0.0.1",
    tls: ssl.SSLContext | None = None,
    *,
    waits_for_clients: bool = False,
) -> Iterator[Server]:
    """Run a server in a thread; with `waits_for_clients` closing waits until all connections have ended."""
    server = Server(answer, host, tls)
    server.daemon_threads = not waits_for_clients
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        with JOURNAL.during(f"requests to {server.origin}", server.log):
            yield server
    finally:
        server.is_closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class TableSite:
    """A running site: its answers, which a test may change, and the requests so far as (path, headers, status)."""

    answers: dict[str, Answer]
    origin: str = ""
    hits: Counter[str] = field(default_factory=Counter)
    requests: list[tuple[str, dict[str, str], int]] = field(default_factory=list)

    def answer(self, request: ReceivedRequest) -> Answer:
        """Return the answer for a path, or 304 if the client has the current version."""
        self.hits[request.path] += 1
        answer = self.answers.get(request.path, NOT_FOUND)
        tag = answer.headers.get("ETag")
        if tag and request.headers.get("if-none-match") == tag:
            answer = answer._replace(status=304, body=b"")
        self.requests.append((request.path, request.headers, answer.status))
        return answer


@contextmanager
def table_site(
    make: Callable[[str], Mapping[str, Answer | str]], tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> Iterator[TableSite]:
    """Serve the table of paths and answers that `make` returns for an origin; a string is an HTML page."""
    site = TableSite({})
    with serve(site.answer, host, tls, waits_for_clients=True) as server:
        site.origin = server.origin
        site.answers = {path: Answer(one) if isinstance(one, str) else one for path, one in make(site.origin).items()}
        yield site


def urlset(*urls: str) -> Answer:
    """Return a sitemap of these URLs."""
    blocks = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return Answer(f'<?xml version="1.0"?><urlset>{blocks}</urlset>', type="application/xml")


def index(*urls: str) -> Answer:
    """Return a sitemap index of these sitemaps."""
    blocks = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return Answer(f'<?xml version="1.0"?><sitemapindex>{blocks}</sitemapindex>', type="application/xml")


def robots(text: str, status: int = 200) -> Answer:
    """Return a robots.txt."""
    return Answer(text, status, "text/plain")
