"""Serve the bundled sample site on loopback: files, one redirect, and an endless calendar."""

from __future__ import annotations

import re
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

SITE = Path(__file__).parent / "site"
_MONTH = re.compile(r"(\d{4})-(\d{2})")


@contextmanager
def sample_site() -> Iterator[str]:
    """Serve the site on a free port of 127.0.0.1 inside a `with` block; yield its origin."""
    server = _Server(("127.0.0.1", 0), _Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)  # closing waits for this interval
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    request_queue_size = 256  # with the default of 5, ten concurrent clients wait a second for a retransmission


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/old-guides":
            self._answer(301, b"", "text/html", {"Location": "/guides/"})
        elif url.path == "/calendar":
            self._answer(200, _calendar(parse_qs(url.query).get("month", [""])[0]), "text/html")
        else:
            self._send_file(url.path)

    def do_HEAD(self) -> None:
        self.do_GET()

    def _send_file(self, path: str) -> None:
        file = (SITE / path.lstrip("/")).resolve()
        file = file / "index.html" if path.endswith("/") else file
        if not file.is_relative_to(SITE) or not file.is_file():
            self._answer(404, b"<title>Not found</title><p>This page does not exist.", "text/html")
            return
        body = file.read_bytes()
        if file.suffix in {".xml", ".txt"}:
            body = body.replace(b"{{origin}}", f"http://{self.headers['Host']}".encode())
        self._answer(200, body, guess_type(file.name)[0] or "application/octet-stream")

    def _answer(self, status: int, body: bytes, content_type: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": content_type, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write no log."""


def _calendar(month: str) -> bytes:
    """Return the page of a month, which links to the next month."""
    match = _MONTH.fullmatch(month)
    year, number = (int(match[1]), int(match[2])) if match else (2026, 11)
    following = f"{year + number // 12:04d}-{number % 12 + 1:02d}"
    title = f"Tours in {year}-{number:02d}"
    return f'<!doctype html><title>{title}</title><h1>{title}</h1><a href="?month={following}">next month</a>'.encode()
