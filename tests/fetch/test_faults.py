"""Faults of servers become failures with a reason, in bounded time and memory."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from headwater import Settings
from headwater.fetch import HttpFetcher
from headwater.model import FetchFailure, Request, Response
from tests.commands import PATIENCE, until
from tests.fetch.fetching import CountingSelector
from tests.sites.fault_server import PAGE, FaultServer, fault_server

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with fault_server() as running:
        yield running


def fetch(url: str, purpose: Any = "page", **settings: Any) -> Response | FetchFailure:
    """Send one request, by default without a time limit that a busy machine could exceed."""

    async def once() -> Response | FetchFailure:
        patient = {"timeout": PATIENCE, "idle_timeout": int(PATIENCE)} | settings
        async with HttpFetcher(Settings(**patient), seeds=[url]) as fetcher, asyncio.timeout(2 * PATIENCE):
            return await fetcher.fetch(Request(url, purpose))

    return asyncio.run(once())


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/status?404", "http-404"),
        ("/status?500", "http-500"),
        ("/status?999", "http-999"),
        ("/drip", "timeout-idle"),
        ("/endless", "too-large"),
        ("/endless-pdf", "not-html"),
        ("/stalled-pdf", "not-html"),
        ("/small-pdf", "not-html"),
        ("/stalled-headers", "timeout-idle"),
        ("/silent", "timeout-idle"),
        ("/no-answer", "truncated"),
        ("/reset", "truncated"),
        ("/short-body", "truncated"),
        ("/cut-chunks", "truncated"),
        ("/bad-chunks", "truncated"),
        ("/huge-header", "protocol"),
        ("/many-headers", "protocol"),
        ("/garbage", "protocol"),
        ("/bad-status", "protocol"),
        ("/encoded?thrice", "bad-encoding"),
        ("/encoded?cut-gzip", "truncated"),
        ("/encoded?cut-brotli", "truncated"),
        ("/encoded?cut-deflate", "truncated"),
        ("/encoded?false-gzip", "bad-encoding"),
        ("/encoded?false-brotli", "bad-encoding"),
        ("/bomb?gzip", "too-large"),
        ("/bomb?brotli", "too-large"),
        ("/bomb?chained", "too-large"),
    ],
)
def test_faults_have_a_reason_and_use_little_memory(server: FaultServer, path: str, reason: str) -> None:
    limits = {"idle_timeout": 1} if reason == "timeout-idle" else {}
    tracemalloc.start()
    result = fetch(server.url(path), **limits)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(result, FetchFailure), result
    assert result.reason == reason, result
    assert peak < 60_000_000


@pytest.mark.parametrize(
    "path",
    [
        "/page", "/old-style", "/untyped", "/hundreds", "/encoded?gzip", "/encoded?members", "/encoded?trailing",
        "/encoded?deflate", "/encoded?raw-deflate", "/encoded?brotli", "/encoded?twice", "/encoded?unknown",
    ],
)  # fmt: skip
def test_pages_with_unusual_headers_are_complete(server: FaultServer, path: str) -> None:
    result = fetch(server.url(path))
    assert isinstance(result, Response), result
    assert (result.status, result.body, result.is_complete) == (200, PAGE, True)


def test_an_empty_encoded_body_is_empty(server: FaultServer) -> None:
    result = fetch(server.url("/encoded?empty"))
    assert isinstance(result, Response)
    assert result.body == b""


@pytest.mark.parametrize("path", ["/bad-length", "/two-lengths"])
def test_invalid_lengths_are_failures(server: FaultServer, path: str) -> None:
    result = fetch(server.url(path))
    assert isinstance(result, FetchFailure), result
    assert result.reason in {"protocol", "truncated"}


def test_a_response_has_type_charset_version_address_headers_and_timings(server: FaultServer) -> None:
    result = fetch(server.url("/strange-headers"))
    assert isinstance(result, Response)
    assert (result.content_type, result.charset, result.http_version, result.address) == (
        "text/html",
        "utf-8",
        "1.1",
        "127.0.0.1",
    )
    assert (result.headers["x-latin"], result.headers["x-twice"]) == ("é", "a, b")
    assert 0 < result.timings.connected <= result.timings.first_byte <= result.timings.total


def test_an_unwanted_body_is_not_downloaded() -> None:
    with fault_server() as server:
        assert isinstance(fetch(server.url("/endless-pdf")), FetchFailure)
        until(lambda: server.ended == server.connections)  # the server's last attempt to send has failed
        assert server.sent < 10_000_000


def test_a_small_unwanted_body_keeps_the_connection_and_a_large_one_ends_it() -> None:
    async def run(server: FaultServer, first: str) -> int:
        async with HttpFetcher(Settings(), seeds=[server.origin]) as fetcher:
            await fetcher.fetch(Request(server.url(first)))
            await fetcher.fetch(Request(server.url("/page")))
        return server.connections

    with fault_server() as server:
        assert asyncio.run(run(server, "/small-pdf")) == 1
    with fault_server() as server:
        assert asyncio.run(run(server, "/endless-pdf")) == 2


def test_the_purpose_any_reads_every_content_type(server: FaultServer) -> None:
    result = fetch(server.url("/small-pdf"), purpose="any")
    assert isinstance(result, Response)
    assert len(result.body) == 4000


def test_size_limits_are_settings(server: FaultServer) -> None:
    assert isinstance(fetch(server.url("/page"), max_decoded=1024), Response)
    small = fetch(server.url("/small-pdf"), purpose="any", max_body=1024)
    assert isinstance(small, FetchFailure)
    assert small.reason == "too-large"


def test_the_total_timeout(server: FaultServer) -> None:
    result = fetch(server.url("/slow?20"), timeout=0.5, idle_timeout=10)
    assert isinstance(result, FetchFailure)
    assert result.reason == "timeout-total"


def test_a_port_where_nothing_listens() -> None:
    result = fetch("http://127.0.0.1:9/")
    assert isinstance(result, FetchFailure)
    assert result.reason == "refused"


def test_a_name_that_does_not_exist() -> None:
    result = fetch("http://no-such-host.invalid/")
    assert isinstance(result, FetchFailure)
    assert result.reason == "dns"


def test_a_server_that_accepts_and_never_speaks_tls(server: FaultServer) -> None:
    result = fetch(server.origin.replace("http:", "https:") + "/page", connect_timeout=1)
    assert isinstance(result, FetchFailure)
    assert result.reason in {"tls", "timeout-connect"}


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/", "about:blank"])
def test_other_schemes_are_not_requested(url: str) -> None:
    async def once() -> Response | FetchFailure:
        async with HttpFetcher(Settings()) as fetcher:
            return await fetcher.fetch(Request(url))

    result = asyncio.run(once())
    assert isinstance(result, FetchFailure)
    assert result.reason == "not-http"


def test_idle_connections_closed_by_the_server_are_replaced() -> None:
    """Closed connections neither keep the event loop busy nor fail the next request."""
    selector = CountingSelector()

    async def run(server: FaultServer) -> Response | FetchFailure:
        async with HttpFetcher(Settings(), seeds=[server.origin]) as fetcher:
            await fetcher.fetch(Request(server.url("/old-style")))
            await fetcher.fetch(Request(server.url("/page")))
            before = selector.calls
            await fetcher.fetch(Request(server.url("/slow?0.3")))
            assert selector.calls - before < 100
            return await fetcher.fetch(Request(server.url("/page")))

    with fault_server() as server, asyncio.Runner(loop_factory=selector.new_loop) as runner:
        assert isinstance(runner.run(run(server)), Response)


CLIENT = """
import asyncio, os, sys
from headwater import Settings
from headwater.fetch import HttpFetcher
from headwater.model import Request

async def run(origin):
    async with HttpFetcher(Settings(), seeds=[origin]) as fetcher:
        await asyncio.gather(*(fetcher.fetch(Request(origin + "/page")) for _ in range(20)))
        hanging = asyncio.create_task(fetcher.fetch(Request(origin + "/silent")))
        await fetcher.fetch(Request(origin + "/slow?0.1"))
        hanging.cancel()
        await asyncio.gather(hanging, return_exceptions=True)
        await fetcher.fetch(Request(origin + "/page"))

for _ in range(3):
    asyncio.run(run(sys.argv[1]))
    print(len(os.listdir("/proc/self/fd")))
"""


def test_file_descriptors_are_closed() -> None:
    """The client runs in a child process, so that only its own descriptors are counted."""
    with fault_server() as server:
        command = [sys.executable, "-W", "error", "-c", CLIENT, server.origin]
        counts = subprocess.check_output(command, text=True, timeout=PATIENCE).split()
    assert len(set(counts)) == 1
