"""Private addresses are requested only if the user allows them: by literal, by name, by redirect or by DNS."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pycurl
import pytest

from headwater import SettingError, Settings
from headwater.fetch import HttpFetcher
from headwater.fetch.egress import EgressPolicy, get_host, get_loopback_host, is_ip_address, is_public
from headwater.model import FetchFailure, Request, Response
from headwater.urls.parsing import serialize_url
from tests.fetch.fetching import exchange, fetch, reason
from tests.sites.fault_server import fault_server

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from headwater.fetch.http.transfer import Transfer
    from tests.sites.fault_server import Exchange

PRIVATE = """
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.0.1 169.254.169.254
172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.9 192.0.0.170 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1
198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::7f00:1 64:ff9b::808:808
64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:10::1 2001:db8::1 2002:7f00:1:: 2002:808:808:: 3fff::1 5f00::1 fc00::1
fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1
""".split()  # fmt: skip

PUBLIC = """
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 93.184.216.34 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1
169.253.255.255
169.255.0.1 172.15.255.255 172.32.0.1 191.255.255.255 192.0.1.1 192.88.98.1 192.167.255.255 192.169.0.1
198.17.255.255 198.20.0.1 223.255.255.255 2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450::1 2003::1 ::ffff:8.8.8.8
""".split()  # fmt: skip

DISGUISED = """
0x7f.1 0x7f.0.0.1 0x7f000001 0X7F.0x0.0.1 2130706433 017700000001 0177.0.0.1 0177.1 127.1 127.0.1 127.0.0.1. 0 0x0 0.0
00000177.0.0.1 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518 10.1 0xa.1 012.0.0.1 192.168.1 3232235777
[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [0000::1] [::127.0.0.1] [64:ff9b::127.0.0.1]
[2002:7f00:1::] %31%32%37.0.0.1 %30x7f.1 １２７.０.０.１ 127。0。0。1 ①②⑦.⓪.⓪.① [FE80::1] [::ffff:0a00:0001]
""".split()  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("text", ["", "localhost", "1.2.3", "999.1.1.1", "not an address", "8.8.8.8/32"])
def test_text_that_is_not_an_address_is_not_public(text: str) -> None:
    assert not is_public(text)


@pytest.mark.parametrize("host", DISGUISED)
def test_other_spellings_of_private_addresses_are_blocked(host: str) -> None:
    url = serialize_url(f"http://{host}:9/")
    assert url is not None
    assert is_ip_address(get_host(url))
    assert [reason(result) for result in exchange(url, seeds=[])] == ["private-address"]


def test_names_that_resolve_to_private_addresses_are_blocked() -> None:
    with fault_server() as canary:
        url = f"http://localhost:{canary.port}/page"
        assert reason(exchange(url, seeds=[])[0]) == "private-address"
        assert reason(exchange(url, seeds=["http://127.0.0.2/"])[0]) == "private-address"
        assert canary.seen == []
        assert reason(exchange(url, seeds=[url])[0]) == ""


@pytest.mark.parametrize(
    ("seed", "host"),
    [
        ("http://127.0.0.1:8000/x", "127.0.0.1"),
        ("http://localhost/", "localhost"),
        ("http://sub.localhost/", "sub.localhost"),
        ("http://[::1]/", "::1"),
        ("http://0x7f.1/", "127.0.0.1"),
        ("http://10.0.0.1/", ""),
        ("http://192.168.0.1/", ""),
        ("http://example.com/", ""),
        ("http://localhost.example.com/", ""),
        ("nonsense", ""),
    ],
)
def test_only_loopback_seeds_allow_their_own_host(seed: str, host: str) -> None:
    assert get_loopback_host(seed) == host


@pytest.mark.parametrize(
    ("named", "host", "address", "permitted"),
    [
        ([], "x", "10.0.0.1", False),
        (["10.0.0.0/8"], "x", "10.0.0.1", True),
        ([], "x", "8.8.8.8", True),
        (["10.0.0.0/8"], "x", "192.168.0.1", False),
        (["10.0.0.1"], "x", "10.0.0.1", True),
        (["10.0.0.1"], "x", "10.0.0.2", False),
        (["10.0.0.1"], "x", "::ffff:10.0.0.1", True),
        (["intranet"], "intranet", "10.0.0.1", True),
        (["Intranet"], "intranet", "10.0.0.1", True),
        (["intranet"], "other", "10.0.0.1", False),
        (["[fd00::1]"], "x", "fd00::1", True),
        (["fd00::/8"], "x", "fd12::1", True),
    ],
)
def test_allow_private(named: list[str], host: str, address: str, permitted: bool) -> None:
    assert EgressPolicy.from_allow_list(named).permits(host, address) is permitted


@pytest.mark.parametrize("text", ["10.0.0.0/99", "a b", "host:80", "http://x/"])
def test_invalid_allow_private_is_an_error(text: str) -> None:
    with pytest.raises(SettingError, match="allow_private"):
        EgressPolicy.from_allow_list([text])


def _robots_redirecting_to(url: str) -> Callable[[Exchange], Awaitable[None]]:
    async def robots(exchange: Exchange) -> None:
        await exchange.answer(b"", "302 Found", Location=url)

    return robots


@pytest.mark.parametrize("purpose", ["page", "robots", "sitemap", "feed", "script", "any"])
def test_a_private_server_is_never_reached(purpose: Any) -> None:
    """Neither a direct request nor a redirect reaches it, for every kind of request."""
    with fault_server("127.0.0.2") as canary, fault_server() as site:
        direct = Request(canary.url("/page"), purpose)
        redirected = Request(site.url("/redirect?" + canary.url("/page")), purpose)
        by_name = Request(site.url(f"/redirect?http://0x7f.0.0.2:{canary.port}/"), purpose)
        results = fetch(direct, redirected, by_name, seeds=[site.origin])
        assert [reason(result) for result in results] == ["private-address"] * 3
        assert canary.connections == 0


def test_a_redirected_robots_txt_does_not_reach_a_private_server() -> None:
    with fault_server("127.0.0.2") as canary:
        with fault_server(robots=_robots_redirecting_to(canary.url("/robots.txt"))) as site:
            result = fetch(site.url("/page"), retries=0)[0]
        assert reason(result) == "private-address"
        assert canary.connections == 0


class Rebinding(HttpFetcher):
    """Gives libcurl another DNS answer for each request, as a hostile name server would."""

    answers: tuple[str, ...] = ()

    async def _resolve_host(self, host: str, request: Request) -> None:
        """Look nothing up: the test provides the DNS answers."""

    def _prepare(self, transfer: Transfer, request: Request) -> None:
        super()._prepare(transfer, request)
        host, port = request.url.split("/")[2].split(":")
        transfer.curl.setopt(pycurl.FRESH_CONNECT, 1)
        transfer.curl.setopt(pycurl.RESOLVE, [f"-{host}:{port}", f"{host}:{port}:{self.answers[0]}"])
        self.answers = self.answers[1:]


def _rebind(url: str, *answers: str) -> list[Response | FetchFailure]:
    async def run() -> list[Response | FetchFailure]:
        async with Rebinding(Settings(), EgressPolicy.from_allow_list(["127.0.0.1"])) as fetcher:
            fetcher.answers = answers
            return [await fetcher.fetch(Request(url)) for _ in answers]

    return asyncio.run(run())


def test_dns_rebinding_is_blocked() -> None:
    with fault_server() as site, fault_server("127.0.0.2", site.port) as canary:
        url = f"http://rebinding.test:{site.port}/page"
        assert [reason(result) for result in _rebind(url, "127.0.0.1", "127.0.0.2", "127.0.0.1")] == [
            "",
            "private-address",
            "",
        ]
        assert canary.connections == 0


@pytest.mark.parametrize("mixed", ["127.0.0.2,127.0.0.1", "127.0.0.1,127.0.0.2", "[::1],127.0.0.2,127.0.0.1"])
def test_only_allowed_addresses_of_a_dns_answer_are_used(mixed: str) -> None:
    with fault_server() as site, fault_server("127.0.0.2", site.port) as canary:
        assert reason(_rebind(f"http://mixed.test:{site.port}/page", mixed)[0]) == ""
        assert (len(site.seen), canary.connections) == (1, 0)


def test_redirects_to_other_schemes_are_not_followed() -> None:
    with fault_server() as site:
        urls = [
            site.url(f"/redirect?{target}")
            for target in ("file:///etc/passwd", "ftp://127.0.0.1/", "data:,x", "javascript:1")
        ]
        assert [reason(result) for result in fetch(*urls)] == ["bad-redirect"] * 4


def test_libcurl_and_our_parser_see_the_same_host() -> None:
    with fault_server() as site:
        url = serialize_url(f"http://127.0.0.1:{site.port}\\@example.com/")
        assert url == f"http://127.0.0.1:{site.port}/@example.com/"
        assert reason(fetch(url)[0]) == ""
        assert [seen.path for seen in site.seen] == ["/robots.txt", "/@example.com/"]
