"""A site written down as a table of paths and answers, over http or https; every request is noted with its headers."""

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
    """What a path answers."""

    body: bytes | str = ""
    status: int = 200
    type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = {}
    delay: float = 0.0


@dataclass
class PaperSite:
    """Where it is, what it answers, what was asked of it. Answers may be changed while it runs."""

    answers: dict[str, Answer]
    origin: str = ""
    hits: Counter[str] = field(default_factory=Counter)
    requests: list[tuple[str, dict[str, str], int]] = field(default_factory=list)

    def log(self) -> str:
        """Return the status and path of every request."""
        return "\n".join(f"{status} {path}" for path, _, status in self.requests)


@contextmanager
def paper_site(
    make: Callable[[str], Mapping[str, Answer | str]], context: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> Iterator[PaperSite]:
    """The site that `make` writes, given its origin; text is an HTML page."""
    site, is_over = PaperSite({}), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            site.hits[self.path] += 1
            answer = site.answers.get(self.path, Answer("<title>Not found</title>", 404))
            is_over.wait(answer.delay)
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            status = answer.status
            tag = answer.headers.get("ETag")
            if tag and self.headers.get("If-None-Match") == tag:
                status, body = 304, b""
            site.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}, status))
            self.send_response(status)
            for name, value in {"Content-Type": answer.type, **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Requests are noted instead."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 256
        daemon_threads = False

        def handle_error(self, *_: object) -> None:
            """Clients hang up; that is no error here."""

    server = Server((host, 0), Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    site.origin = f"{'https' if context else 'http'}://{host}:{server.server_port}"
    site.answers = {path: Answer(one) if isinstance(one, str) else one for path, one in make(site.origin).items()}
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        with JOURNAL.during(f"requests to {site.origin}", site.log):
            yield site
    finally:
        is_over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def urlset(*urls: str) -> Answer:
    """A sitemap of these URLs."""
    blocks = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return Answer(f'<?xml version="1.0"?><urlset>{blocks}</urlset>', type="application/xml")


def index(*urls: str) -> Answer:
    """A sitemap index of these sitemaps."""
    blocks = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return Answer(f'<?xml version="1.0"?><sitemapindex>{blocks}</sitemapindex>', type="application/xml")


def robots(text: str, status: int = 200) -> Answer:
    """A robots.txt."""
    return Answer(text, status, "text/plain")
