"""HTTP/2 and HTTP/3, proxies, conditional requests, cookies and credentials work over real sockets."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from headwater import SettingError, Settings
from headwater.fetch import HttpFetcher
from headwater.model import FetchFailure, Request, Response
from tests.commands import until
from tests.fetch.certificates import Authority
from tests.fetch.fetching import body, exchange, fetch, reason
from tests.sites.fault_server import FaultServer, fault_server
from tests.sites.nginx import free_port, nginx
from tests.sites.proxies import running, serve_http, serve_socks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BASIC = "Basic dXNlcjpzZWNyZXQ="


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("ca"))


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with fault_server() as started:
        yield started


def test_http2_sends_concurrent_requests_over_one_connection(authority: Authority, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>page")
    more = "location = /number { default_type text/html; return 200 $connection; }"

    async def run(origin: str) -> list[Response | FetchFailure]:
        async with HttpFetcher(Settings(max_parallel=20, ca_file=authority.file), seeds=[origin]) as fetcher:
            return await asyncio.gather(*(fetcher.fetch(Request(f"{origin}/number")) for _ in range(20)))

    with nginx(tmp_path, more=more, certificate=authority.files("127.0.0.1")) as origin:
        results = asyncio.run(run(origin))
    assert {result.http_version for result in results if isinstance(result, Response)} == {"2"}
    assert len({body(result) for result in results}) == 1


def test_http_1_can_be_chosen(authority: Authority, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>page")
    with nginx(tmp_path, certificate=authority.files("127.0.0.1")) as origin:
        result = exchange(f"{origin}/", ca_file=authority.file, http_version="1.1")[0]
    assert isinstance(result, Response)
    assert result.http_version == "1.1"


def test_http3_is_used_after_the_server_offered_it(authority: Authority, tmp_path: Path) -> None:
    chain, key = authority.files("127.0.0.1")
    port = free_port()
    (tmp_path / "app.py").write_text(
        "async def app(scope, receive, send):\n"
        "    if scope['type'] != 'http': return\n"
        "    await send({'type': 'http.response.start', 'status': 200, 'headers': [(b'content-type', b'text/html')]})\n"
        "    await send({'type': 'http.response.body', 'body': b'<p>' + scope['http_version'].encode()})\n"
    )
    command = [sys.executable, "-m", "hypercorn", "app:app", "--certfile", str(chain), "--keyfile", str(key)]
    command += ["--bind", f"127.0.0.1:{port}", "--quic-bind", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            url = f"https://127.0.0.1:{port}/"
            results = _fetch_when_ready(url, authority.file)
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # also ends its child processes
    assert [result.http_version for result in results if isinstance(result, Response)] == ["2", "3", "3"]
    assert [body(result) for result in results] == ["<p>2", "<p>3", "<p>3"]


def _fetch_when_ready(url: str, ca_file: str) -> list[Response | FetchFailure]:
    until(lambda: reason(exchange(url, ca_file=ca_file)[0]) != "refused")
    return exchange(url, url, url, ca_file=ca_file)


def test_ipv6() -> None:
    with fault_server("::1") as six:
        url = f"http://[::1]:{six.port}/page"
        result = exchange(url)[0]
        assert isinstance(result, Response)
        assert result.address == "::1"
        assert reason(exchange(url, seeds=[])[0]) == "private-address"


def test_conditional_requests(server: FaultServer) -> None:
    url = server.url("/conditional")
    fresh, by_tag, by_date = exchange(
        Request(url), Request(url, etag='"v1"'), Request(url, last_modified="Sun, 01 Nov 2026 10:00:00 GMT")
    )
    assert isinstance(fresh, Response)
    assert (fresh.status, fresh.headers["etag"], by_tag.status, by_date.status) == (200, '"v1"', 304, 304)
    assert body(by_tag) == ""


def test_cookies_do_not_cross_origins(server: FaultServer) -> None:
    """Another port is another origin, unlike in libcurl's own cookie jar."""
    with fault_server() as other:
        exchange(server.url("/cookie"), other.url("/page"), server.url("/page"), seeds=[server.origin])
        assert [seen.headers.get("cookie") for seen in server.seen] == [None, "session=secret"]
        assert [seen.headers.get("cookie") for seen in other.seen] == [None]


def test_cookies_can_be_disabled(server: FaultServer) -> None:
    exchange(server.url("/cookie"), server.url("/page"), keep_cookies=False)
    assert "cookie" not in server.seen[-1].headers


def test_user_agent_and_accept_headers(server: FaultServer) -> None:
    exchange(server.url("/page"), Request(server.url("/sitemap"), "sitemap"))
    page, sitemap = (seen.headers for seen in server.seen)
    assert page["user-agent"].startswith("headwater/0.")
    assert "(+https://" in page["user-agent"]
    assert page["accept"].startswith("text/html")
    assert page["accept-encoding"] == "gzip, deflate, br"
    assert sitemap["accept"] == "application/xml, text/xml, */*"


def test_custom_headers_and_agent(server: FaultServer) -> None:
    exchange(server.url("/page"), header=("X-Team: crawl",), user_agent="mine/1.0")
    assert (server.seen[0].headers["x-team"], server.seen[0].headers["user-agent"]) == ("crawl", "mine/1.0")


SECRET_NAMES = ("X-Api-Key", "Apikey", "Private-Token", "X-Access-Key", "CF-Access-Client-Secret", "X-Session-Id")


def test_secret_headers_are_not_sent_to_other_origins(server: FaultServer) -> None:
    """A redirect to another port drops the credentials; a redirect back adds them again."""
    with fault_server() as other:
        settings = {
            "credentials": (f"{server.origin} basic user:secret", f"{other.origin} bearer token"),
            "header": ("Cookie: own=1", "X-Open: yes", *(f"{name}: hidden" for name in SECRET_NAMES)),
        }
        fetch(
            server.url("/redirect?" + other.url("/redirect?" + server.url("/page"))), seeds=[server.origin], **settings
        )
        own_headers = [(seen.headers.get("authorization"), seen.headers.get("cookie")) for seen in server.seen]
        other_headers = [(seen.headers.get("authorization"), seen.headers.get("cookie")) for seen in other.seen]
        assert set(own_headers) == {(BASIC, "own=1")}
        assert set(other_headers) == {("Bearer token", None)}
        assert all(seen.headers["x-open"] == "yes" for seen in other.seen)
        assert all(seen.headers.get(name.lower()) == "hidden" for seen in server.seen for name in SECRET_NAMES)
        assert not any(name.lower() in seen.headers for seen in other.seen for name in SECRET_NAMES)


def test_user_information_of_a_seed_becomes_a_credential(server: FaultServer) -> None:
    exchange(server.url("/page"), seeds=[server.origin.replace("//", "//user:secret@")])
    assert server.seen[0].headers["authorization"] == BASIC


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"header": ("no colon",)}, "header"),
        ({"header": ("A: b\r\nEvil: c",)}, "header"),
        ({"header": ("A\r\nEvil: c",)}, "header"),
        ({"header": ("A b: c",)}, "header"),
        ({"header": ("Authorization secret",)}, "header"),
        ({"header": ("Content-Length: 5",)}, "header"),
        ({"header": ("transfer-encoding: chunked",)}, "header"),
        ({"credentials": ("https://e.com bearer secret\r\nEvil: c",)}, "credentials"),
        ({"credentials": ("https://e.com user:secret",)}, "credentials"),
        ({"credentials": ("nonsense basic user:secret",)}, "credentials"),
    ],
)
def test_errors_do_not_show_the_secret(settings: dict[str, tuple[str, ...]], name: str) -> None:
    with pytest.raises(SettingError, match=name) as caught:
        HttpFetcher(Settings(**settings))  # type: ignore[arg-type]
    assert "secret" not in str(caught.value)


def test_http_proxy(server: FaultServer) -> None:
    with running(serve_http) as proxy:
        result = exchange(server.url("/page"), proxy=f"http://127.0.0.1:{proxy.port}")[0]
        assert reason(result) == ""
        assert proxy.targets == [f"GET {server.url('/page')}"]


def test_http_proxy_with_a_tunnel(authority: Authority) -> None:
    with running(serve_http) as proxy, fault_server(tls=authority.server("127.0.0.1")) as server:
        result = exchange(server.url("/page"), proxy=f"http://127.0.0.1:{proxy.port}", ca_file=authority.file)[0]
        assert isinstance(result, Response)
        assert "x-proxy" not in result.headers
        assert proxy.targets == [f"CONNECT 127.0.0.1:{server.port}"]


def test_socks_proxy(server: FaultServer) -> None:
    with running(serve_socks) as proxy:
        assert reason(exchange(server.url("/page"), proxy=f"socks5h://127.0.0.1:{proxy.port}")[0]) == ""
        assert proxy.targets == [f"127.0.0.1:{server.port}"]


@pytest.mark.parametrize("host", ["127.0.0.2", "localhost", "10.0.0.1", "[::ffff:127.0.0.1]"])
def test_private_targets_are_blocked_behind_a_proxy_too(server: FaultServer, host: str) -> None:
    with running(serve_http) as proxy:
        url = f"http://{host}:{server.port}/page"
        settings = {"proxy": f"http://127.0.0.1:{proxy.port}"}
        assert reason(exchange(url, seeds=["http://127.0.0.9/"], **settings)[0]) == "private-address"
        assert (proxy.targets, server.seen) == ([], [])


def test_proxies_of_the_environment_are_ignored(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert reason(exchange(server.url("/page"))[0]) == ""


def test_an_unreachable_proxy_is_a_failure(server: FaultServer) -> None:
    assert reason(exchange(server.url("/page"), proxy="http://127.0.0.1:9")[0]) in {"refused", "proxy"}
