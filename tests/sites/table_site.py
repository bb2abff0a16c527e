"""Serve test sites on loopback, from a function or from a table of paths, and record every request."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import TYPE_CHECKING, NamedTuple

from tests.commands import JOURNAL

if TYPE_CHECKING:
    import ssl
    from _collections_abc import dict_items, dict_keys, dict_values
    from collections.abc import Callable, Iterator, Mapping


MAX_LINE = 1 << 16
PHRASES = {status.value: status.phrase for status in HTTPStatus}


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


class Hits(Counter[str]):
    """The number of requests of each path, which a test can read while the threads of a server count."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def count(self, path: str) -> None:
        """Count a request."""
        with self._lock:
            self[path] += 1

    def keys(self) -> dict_keys[str, int]:
        """Return the paths so far."""
        return dict.copy(self).keys()

    def values(self) -> dict_values[str, int]:
        """Return the counts so far."""
        return dict.copy(self).values()

    def items(self) -> dict_items[str, int]:
        """Return the paths and counts so far."""
        return dict.copy(self).items()


NOT_FOUND = Answer("<!doctype html><title>Not found</title><h1>Not found</h1>", 404)


class Server(ThreadingTCPServer):
    """Answers requests of every method with the result of a function; None stands for a 404."""

    request_queue_size = 256
    daemon_threads = True
    allow_reuse_address = True

    def __init__(
        self, answer: Callable[[ReceivedRequest], Answer | None], host: str, tls: ssl.SSLContext | None
    ) -> None:
        self.answer = answer
        self.requests: list[ReceivedRequest] = []
        self.is_closing = threading.Event()
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, 0), Handler)
        self.server_port = int(self.server_address[1])
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.origin = f"{'https' if tls else 'http'}://{host}:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """Ignore clients that close their connection early."""

    def log(self) -> str:
        """Return the method and path of every request."""
        return "\n".join(f"{one.method} {one.path}" for one in self.requests)


class Handler(StreamRequestHandler):
    """One connection of a client; parses far faster than `http.server`, which takes longer than most scans need."""

    disable_nagle_algorithm = True
    server: Server

    def handle(self) -> None:
        """Record and answer requests until one of the two sides closes the connection."""
        while request := self.read():
            self.server.requests.append(request)
            answer = self.server.answer(request) or NOT_FOUND
            self.write(answer, has_body=request.method != "HEAD")
            sent = {name.lower(): value for name, value in answer.headers.items()}
            if "close" in {request.headers.get("connection"), sent.get("connection")}:
                return

    def read(self) -> ReceivedRequest | None:
        """Return the next request; None if there is none."""
        line = self.rfile.readline(MAX_LINE)
        if len(line) == MAX_LINE:
            self.write(Answer(status=HTTPStatus.REQUEST_URI_TOO_LONG))
            return None
        method, _, rest = line.decode("latin-1").partition(" ")
        path = rest.rpartition(" ")[0]
        if not path:
            return None
        headers = {}
        while (line := self.rfile.readline(MAX_LINE)) not in {b"\r\n", b"\n", b""}:
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        body = self.rfile.read(int(headers.get("content-length") or 0))
        return ReceivedRequest(method, f"/{path.lstrip('/')}" if path.startswith("//") else path, headers, body)

    def write(self, answer: Answer, *, has_body: bool = True) -> None:
        """Send an answer after its delay; a server that closes does not wait for the delay."""
        if answer.delay:
            self.server.is_closing.wait(answer.delay)
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        headers = {"Content-Type": answer.type, **answer.headers, "Content-Length": str(len(body))}
        lines = [f"HTTP/1.1 {answer.status} {PHRASES.get(answer.status, '')}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        head = "\r\n".join([*lines, "", ""]).encode("latin-1")
        self.wfile.write(head + body if has_body else head)


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
    hits: Hits = field(default_factory=Hits)
    requests: list[tuple[str, dict[str, str], int]] = field(default_factory=list)
    _gates: dict[str, threading.Event] = field(default_factory=dict)

    @contextmanager
    def holding(self, *paths: str) -> Iterator[None]:
        """Hold back the answers of these paths while the block runs."""
        gate = threading.Event()
        self._gates |= dict.fromkeys(paths, gate)
        try:
            yield
        finally:
            gate.set()
            for path in paths:
                del self._gates[path]

    def answer(self, request: ReceivedRequest) -> Answer:
        """Return the answer for a path, or 304 if the client has the current version."""
        self.hits.count(request.path)
        if gate := self._gates.get(request.path):
            gate.wait()
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
