"""Serves the sites of `SITES`, each at the root of its own origin, and notes every request."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from tests.sites.paper_site import Answer
from tests.sites.spa.dangerous import CAREFUL
from tests.sites.spa.hostile import HOSTILE
from tests.sites.spa.kinds import Asked, Origins, Served, SpaSite
from tests.sites.spa.mixed import MIXED
from tests.sites.spa.next_like import NEXT
from tests.sites.spa.plain import ENDLESS, HASH_PLAIN, MANY_LINKS, MENUS, REVEAL, SCROLL, SHADOW, WAYS
from tests.sites.spa.routers import ANGULAR, HASH, REACT, REACT_DATA, VUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROUTERS = (REACT, REACT_DATA, VUE, ANGULAR, HASH)
PLAIN = (HASH_PLAIN, NEXT, SCROLL, SHADOW, MENUS, REVEAL, WAYS, CAREFUL, MIXED)
UNFRIENDLY = (HOSTILE, MANY_LINKS, ENDLESS)
SITES: dict[str, SpaSite] = {site.name: site for site in (*ROUTERS, *PLAIN, *UNFRIENDLY)}

NOT_FOUND = Answer("<!doctype html><title>Not found</title><h1>Not found</h1>", 404)
PRIVATE = Answer("<!doctype html><title>Private</title><h1>Private</h1>")


class Server(ThreadingHTTPServer):
    """Answers from a function; closing it waits for no delayed answer and no kept connection."""

    request_queue_size = 256
    daemon_threads = True

    def __init__(self, host: str, requests: list[Asked], answer: Callable[[Asked], Answer | None]) -> None:
        self.requests, self.answer = requests, answer
        self.is_over = threading.Event()
        super().__init__((host, 0), Handler)
        self.origin = f"http://{host}:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """Browsers that are killed hang up; that is no error here."""


class Handler(BaseHTTPRequestHandler):
    """Any method gets the same answer: what is not GET is noted, not done."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, body)
        self.server.requests.append(asked)
        self.write(self.server.answer(asked) or NOT_FOUND)

    def write(self, answer: Answer) -> None:
        """Send an answer, after its delay."""
        self.server.is_over.wait(answer.delay)
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        self.send_response(answer.status)
        for name, value in {"Content-Type": answer.type, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Requests are noted instead."""


for method in ("HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
    setattr(Handler, f"do_{method}", Handler.do_GET)


@contextmanager
def running(server: Server) -> Iterator[str]:
    """A server in a thread; its origin."""
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.origin
    finally:
        server.is_over.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def serving(name: str) -> Iterator[Served]:
    """The site of this name on loopback, beside one on another loopback address that nobody may be led to."""
    site = SITES[name]
    requests: list[Asked] = []
    private_requests: list[Asked] = []
    server = Server("127.0.0.1", requests, lambda asked: site.answer(asked, origins))
    private = Server("127.0.0.2", private_requests, lambda _: PRIVATE)
    origins = Origins(server.origin, private.origin)
    with running(private), running(server):
        yield Served(site, origins, requests, private_requests)
