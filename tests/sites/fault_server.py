"""Run a real socket server that misbehaves on demand: each path of BEHAVIOURS is one fault that crawlers meet.

Every request is recorded with its time and headers.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import ssl
import time
import zlib
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import brotli

from tests.commands import JOURNAL
from tests.sites.asyncio_server import asyncio_server

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    Behaviour = Callable[["Exchange"], Awaitable[None]]

PAGE = b"<!doctype html><title>page</title><p>" + b"text " * 100


class Seen(NamedTuple):
    """One request as the server received it."""

    path: str
    at: float
    headers: dict[str, str]


@dataclass
class Exchange:
    """One request, with methods to answer it correctly or not."""

    path: str
    query: str
    headers: dict[str, str]
    writer: asyncio.StreamWriter
    log: FaultServer

    async def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()

    async def answer(
        self, body: bytes = PAGE, status: str = "200 OK", content_type: str = "text/html", **headers: str
    ) -> None:
        lines = {"Content-Type": content_type, "Content-Length": str(len(body))}
        lines |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value != "-")
        await self.send(f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + body)

    def hang_up(self) -> None:
        self.writer.transport.abort()


@dataclass
class FaultServer:
    """The address of a running server, and the requests it has received."""

    port: int = 0
    host: str = "127.0.0.1"
    scheme: str = "http"
    seen: list[Seen] = field(default_factory=list)
    connections: int = 0
    ended: int = 0
    sent: int = 0
    failing: dict[str, int] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}"

    def url(self, path: str) -> str:
        return self.origin + path

    def requests_to(self, path: str) -> list[Seen]:
        return [seen for seen in self.seen if seen.path == path]


async def page(exchange: Exchange) -> None:
    await exchange.answer()


async def echo(exchange: Exchange) -> None:
    await exchange.answer("\n".join(f"{name}: {value}" for name, value in exchange.headers.items()).encode())


async def robots(exchange: Exchange) -> None:
    await exchange.answer(b"", "404 Not Found")


async def redirect(exchange: Exchange) -> None:
    await exchange.answer(b"moved", "302 Found", Location=exchange.query)


async def status(exchange: Exchange) -> None:
    await exchange.answer(PAGE, f"{exchange.query} Status")


async def drip(exchange: Exchange) -> None:
    """Send a byte every 50 ms without end."""
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n")
    while True:
        await exchange.send(b"x")
        await asyncio.sleep(0.05)


async def endless(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        await exchange.send(b"x" * 65536)
        exchange.log.sent += 65536


async def endless_pdf(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 100000000\r\n\r\n")
    for _ in range(1000):
        await exchange.send(b"%" * 100_000)
        exchange.log.sent += 100_000


async def stalled_pdf(exchange: Exchange) -> None:
    """Send headers and no body: the client has to stop because of the content type."""
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 100000000\r\n\r\n")
    await asyncio.sleep(30)


async def small_pdf(exchange: Exchange) -> None:
    await exchange.answer(b"%PDF" * 1000, content_type="application/pdf")


async def stalled_headers(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-")
    await asyncio.sleep(30)


async def silent(_: Exchange) -> None:
    await asyncio.sleep(30)


async def no_answer(exchange: Exchange) -> None:
    exchange.writer.close()


async def reset(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\npart")
    await asyncio.sleep(0.05)
    exchange.hang_up()


async def short_body(exchange: Exchange) -> None:
    await exchange.answer(b"only this", Content_Length="1000")
    exchange.writer.close()


async def cut_chunks(exchange: Exchange) -> None:
    await exchange.send(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n400\r\nonly this"
    )
    exchange.writer.close()


async def bad_chunks(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\nx\r\n")
    exchange.writer.close()


async def huge_header(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nX-Huge: " + b"x" * 2_000_000 + b"\r\n\r\n")


async def many_headers(exchange: Exchange) -> None:
    await exchange.send(MANY_HEADERS)


async def garbage(exchange: Exchange) -> None:
    await exchange.send(b"\x00\xff\xfe not http at all\r\n\r\n")
    exchange.writer.close()


async def bad_status(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n")
    exchange.writer.close()


async def bad_length(exchange: Exchange) -> None:
    await exchange.answer(b"page", Content_Length="-5")


async def two_lengths(exchange: Exchange) -> None:
    await exchange.send(
        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 400\r\nContent-Type: text/html\r\n\r\npage"
    )
    exchange.writer.close()


async def strange_headers(exchange: Exchange) -> None:
    head = (
        b'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset="UTF-8"\r\nX-Latin: \xe9\r\nX-Twice: a\r\nX-Twice: b\r\n'
    )
    await exchange.send(head + b"Content-Length: 4\r\n\r\npage")


async def hundreds(exchange: Exchange) -> None:
    """Send an informational response first, as some servers do."""
    await exchange.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n")
    await exchange.answer()


async def old_style(exchange: Exchange) -> None:
    """Answer with HTTP/1.0 and no length: the end of the connection is the end of the page."""
    await exchange.send(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE)
    exchange.writer.close()


async def untyped(exchange: Exchange) -> None:
    await exchange.answer(PAGE, content_type="-")


async def encoded(exchange: Exchange) -> None:
    name, body = ENCODED[exchange.query]
    await exchange.answer(body, Content_Encoding=name)


async def bomb(exchange: Exchange) -> None:
    name, body = bombs()[exchange.query]
    await exchange.answer(body, Content_Encoding=name)


async def cookie(exchange: Exchange) -> None:
    await exchange.answer(PAGE, Set_Cookie="session=secret; Path=/")


async def conditional(exchange: Exchange) -> None:
    if exchange.headers.get("if-none-match") == '"v1"' or "if-modified-since" in exchange.headers:
        await exchange.answer(b"", "304 Not Modified", ETag='"v1"', Content_Length="-")
    else:
        await exchange.answer(ETag='"v1"', Last_Modified="Sun, 01 Nov 2026 10:00:00 GMT")


async def flaky(exchange: Exchange) -> None:
    """Answer 503 as often as `failing` says for the query, then with a page."""
    left = exchange.log.failing.get(exchange.query, 0)
    exchange.log.failing[exchange.query] = left - 1
    if left > 0:
        await exchange.answer(b"", "503 Busy")
    else:
        await exchange.answer()


async def limited(exchange: Exchange) -> None:
    """Answer 429 once, with the Retry-After of the query, then with a page."""
    if exchange.log.failing.pop("limited", 0):
        await exchange.answer(b"", "429 Too Many Requests", Retry_After=unquote(exchange.query))
    else:
        await exchange.answer()


async def slow(exchange: Exchange) -> None:
    await asyncio.sleep(float(exchange.query))
    await exchange.answer()


async def big_robots(exchange: Exchange) -> None:
    await exchange.answer(b"User-agent: *\nDisallow: /no\n" + b"# padding\n" * 100_000, content_type="text/plain")


# Prepared in advance, so that a client with a short timeout waits for the sending only.
MANY_HEADERS = b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % number for number in range(100_000)) + b"\r\n"
GZIPPED = gzip.compress(PAGE)
_RAW = zlib.compressobj(wbits=-15)
RAW_DEFLATED = _RAW.compress(PAGE) + _RAW.flush()
ENCODED = {
    "gzip": ("gzip", GZIPPED),
    "members": ("gzip", gzip.compress(PAGE[:50]) + gzip.compress(PAGE[50:])),
    "trailing": ("gzip", GZIPPED + b"\x00\x00garbage"),
    "deflate": ("deflate", zlib.compress(PAGE)),
    "raw-deflate": ("deflate", RAW_DEFLATED),
    "brotli": ("br", brotli.compress(PAGE)),
    "twice": ("gzip, br", brotli.compress(GZIPPED)),
    "thrice": ("gzip, gzip, gzip", gzip.compress(gzip.compress(GZIPPED))),
    "unknown": ("x-made-up", PAGE),
    "empty": ("gzip", b""),
    "cut-gzip": ("gzip", GZIPPED[:-12]),
    "cut-brotli": ("br", brotli.compress(PAGE)[:-4]),
    "cut-deflate": ("deflate", zlib.compress(PAGE)[:-6]),
    "false-gzip": ("gzip", PAGE),
    "false-brotli": ("br", b"\xff" * 50),
}


@cache
def bombs() -> Mapping[str, tuple[str, bytes]]:
    """Return 50 MB of zeros compressed in three ways."""
    zeros = b"\0" * 50_000_000
    gzipped = gzip.compress(zeros)
    return {
        "gzip": ("gzip", gzipped),
        "brotli": ("br", brotli.compress(zeros, quality=5)),
        "chained": ("gzip, gzip", gzip.compress(gzipped)),
    }


BEHAVIOURS: Mapping[str, Behaviour] = {
    f"/{behaviour.__name__.replace('_', '-')}": behaviour
    for behaviour in (
        page, echo, redirect, status, drip, endless, endless_pdf, stalled_pdf, small_pdf, stalled_headers, silent,
        no_answer, reset, short_body, cut_chunks, bad_chunks, huge_header, many_headers, garbage, bad_status,
        bad_length, two_lengths, strange_headers, hundreds, old_style, untyped, encoded, bomb, cookie, conditional,
        flaky, limited, slow,
    )
} | {"/robots.txt": robots}  # fmt: skip


async def _serve_connection(
    server: FaultServer, behaviours: Mapping[str, Behaviour], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    server.connections += 1
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
        while not writer.is_closing():
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            path, _, query = head[0].split(" ")[1].partition("?")
            headers = {
                name.strip().lower(): value.strip()
                for name, _, value in (line.partition(":") for line in head[1:] if line)
            }
            server.seen.append(Seen(path, time.monotonic(), headers))
            exchange = Exchange(path, query, headers, writer, server)
            await behaviours.get(path, page)(exchange)
    server.ended += 1
    writer.close()


@contextlib.contextmanager
def fault_server(
    host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None, **behaviours: Behaviour
) -> Iterator[FaultServer]:
    """Run the server; a keyword argument such as `robots=…` replaces the behaviour of that path."""
    bombs()  # compressing them while answering would delay every client
    server = FaultServer(host=host, scheme="https" if tls else "http")
    replaced = {"/robots.txt" if name == "robots" else f"/{name}": one for name, one in behaviours.items()}
    serve = partial(_serve_connection, server, {**BEHAVIOURS, **replaced})
    with (
        asyncio_server(serve, host, port, tls) as server.port,
        JOURNAL.during(f"requests to {server.origin}", lambda: "\n".join(one.path for one in server.seen)),
    ):
        yield server
