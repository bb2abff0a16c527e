"""Redirects, robots.txt, retries and rate limits, as a server observes them."""

from __future__ import annotations

import asyncio
import gzip
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from headwater import Settings
from headwater.fetch import FakeFetcher, FetchStack
from headwater.fetch.policies import robots_gate
from headwater.fetch.policies.polite_fetcher import PoliteFetcher
from headwater.fetch.policies.retrying_fetcher import RetryingFetcher
from headwater.model import FetchFailure, Redirect, Request, Response
from tests.commands import PATIENCE
from tests.fetch.fetching import fetch, reason
from tests.sites.fault_server import PAGE, FaultServer, fault_server

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.sites.fault_server import Exchange


def robots_saying(text: str, status: str = "200 OK") -> Callable[[Exchange], Awaitable[None]]:
    async def robots(exchange: Exchange) -> None:
        await exchange.answer(text.encode(), status, "text/plain")

    return robots


def assert_spread(server: FaultServer, started: float, seconds: float) -> None:
    """Check that none of the requests, including the one for robots.txt, came before its turn."""
    early = [seen for number, seen in enumerate(server.seen) if seen.at - started < number * seconds - 0.05]
    assert early == []


class TestRedirects:
    def test_hops_are_kept(self) -> None:
        with fault_server() as server:
            second = server.url("/redirect?/page")
            first = server.url(f"/redirect?{second}")
            result = fetch(first)[0]
        assert isinstance(result, Response)
        assert (result.url, result.body) == (server.url("/page"), PAGE)
        assert result.hops == (Redirect(first, 302), Redirect(second, 302))

    def test_a_loop_ends(self) -> None:
        async def there(exchange: Exchange) -> None:
            await exchange.answer(b"", "302 Found", Location="/back")

        async def back(exchange: Exchange) -> None:
            await exchange.answer(b"", "302 Found", Location="/there")

        with fault_server(there=there, back=back) as server:
            result = fetch(server.url("/there"))[0]
            assert reason(result) == "redirect-loop"
            assert [hop.url for hop in result.hops] == [server.url("/there"), server.url("/back")]
            assert len(server.seen) == 3

    def test_a_redirect_to_itself_is_a_loop(self) -> None:
        async def itself(exchange: Exchange) -> None:
            await exchange.answer(b"", "301 Moved", Location="/itself#part")

        with fault_server(itself=itself) as server:
            result = fetch(server.url("/itself"))[0]
            assert reason(result) == "redirect-loop"
            assert len(server.requests_to("/itself")) == 1

    @pytest.mark.parametrize(("purpose", "followed"), [("page", 10), ("sitemap", 5), ("robots", 5)])
    def test_chains_have_a_limit(self, purpose: str, followed: int) -> None:
        async def onward(exchange: Exchange) -> None:
            await exchange.answer(b"", "302 Found", Location=f"/onward?{int(exchange.query or 0) + 1}")

        with fault_server(onward=onward) as server:
            result = fetch(Request(server.url("/onward?0"), purpose))[0]  # type: ignore[arg-type]
            assert reason(result) == "too-many-redirects"
            assert len(server.requests_to("/onward")) == followed + 1

    @pytest.mark.parametrize("location", ["", "http://[::1", "mailto:x@example.com"])
    def test_invalid_targets(self, location: str) -> None:
        with fault_server() as server:
            assert reason(fetch(server.url(f"/redirect?{location}"))[0]) == "bad-redirect"

    def test_robots_txt_applies_to_every_hop(self) -> None:
        with fault_server(robots=robots_saying("User-agent: *\nDisallow: /page")) as server:
            result = fetch(server.url("/redirect?/page"))[0]
            assert reason(result) == "robots-disallowed"
            assert result.hops == (Redirect(server.url("/redirect?/page"), 302),)
            assert server.requests_to("/page") == []

    def test_raw_utf8_in_location(self) -> None:
        async def raw(exchange: Exchange) -> None:
            await exchange.send(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /caf\xc3\xa9\r\n\r\n")

        with fault_server(raw=raw) as server:
            fetch(server.url("/raw"))
            assert server.seen[-1].path == "/caf%C3%A9"


class TestRobots:
    @pytest.mark.parametrize(
        ("status", "expected"),
        [
            ("404 Not Found", ""),
            ("410 Gone", ""),
            ("401 Unauthorized", ""),
            ("403 Forbidden", ""),
            ("429 Too Many Requests", "robots-unreachable"),
            ("500 Error", "robots-unreachable"),
            ("503 Busy", "robots-unreachable"),
        ],
    )
    def test_status(self, status: str, expected: str) -> None:
        with fault_server(robots=robots_saying("", status)) as server:
            assert reason(fetch(server.url("/page"), retries=0)[0]) == expected
            assert len(server.requests_to("/page")) == (0 if expected else 1)

    def test_network_errors_defer_all_pages(self) -> None:
        async def broken(exchange: Exchange) -> None:
            exchange.hang_up()

        with fault_server(robots=broken) as server:
            assert reason(fetch(server.url("/page"), retries=0)[0]) == "robots-unreachable"
            assert server.requests_to("/page") == []

    @pytest.mark.parametrize("hops", [1, 5, 6])
    def test_redirected(self, hops: int) -> None:
        async def redirected(exchange: Exchange) -> None:
            step = int(exchange.query or 0)
            if step < hops:
                await exchange.answer(b"", "302 Found", Location=f"/robots.txt?{step + 1}")
            else:
                await exchange.answer(b"User-agent: *\nDisallow: /", content_type="text/plain")

        with fault_server(robots=redirected) as server:
            assert reason(fetch(server.url("/page"))[0]) == ("robots-disallowed" if hops <= 5 else "")

    def test_an_html_page_allows_everything(self) -> None:
        with fault_server(robots=robots_saying("<!doctype html><title>Welcome</title>")) as server:
            assert reason(fetch(server.url("/page"))[0]) == ""

    def test_only_the_first_512_kib_are_read(self) -> None:
        text = "User-agent: *\nDisallow: /page\n" + "# padding\n" * 200_000 + "Disallow: /"
        with fault_server(robots=robots_saying(text)) as server:
            results = fetch(server.url("/page"), server.url("/status?200"))
        assert [reason(result) for result in results] == ["robots-disallowed", ""]

    def test_a_large_compressed_file_is_read_up_to_the_limit(self) -> None:
        text = b"User-agent: *\nDisallow: /page\n" + b"# padding\n" * 200_000

        async def robots(exchange: Exchange) -> None:
            await exchange.answer(gzip.compress(text), content_type="text/plain", Content_Encoding="gzip")

        with fault_server(robots=robots) as server:
            assert reason(fetch(server.url("/page"))[0]) == "robots-disallowed"

    def test_it_is_requested_once(self) -> None:
        async def many(server: FaultServer) -> None:
            async with FetchStack(Settings(), [server.origin]) as stack:
                await asyncio.gather(*(stack.fetch(Request(server.url(f"/{number}"))) for number in range(20)))

        with fault_server() as server:
            asyncio.run(many(server))
            assert len(server.requests_to("/robots.txt")) == 1
            assert server.seen[0].path == "/robots.txt"

    @pytest.mark.parametrize(("status", "name"), [("200 OK", "CACHE_SECONDS"), ("503 Busy", "RETRY_SECONDS")])
    def test_it_is_requested_again_after_it_expired(
        self, monkeypatch: pytest.MonkeyPatch, status: str, name: str
    ) -> None:

        async def count_robots_requests(server: FaultServer, kept: float) -> int:
            monkeypatch.setattr(robots_gate, name, kept)
            async with FetchStack(Settings(retries=0), [server.origin]) as stack:
                await stack.fetch(Request(server.url("/page")))
                await asyncio.sleep(2 * min(kept, 0.05))
                await stack.fetch(Request(server.url("/page")))
            return len(server.requests_to("/robots.txt"))

        with fault_server(robots=robots_saying("", status)) as server:
            assert asyncio.run(count_robots_requests(server, kept=3600)) == 1
            assert asyncio.run(count_robots_requests(server, kept=0.05)) == 3

    def test_it_can_be_ignored(self) -> None:
        with fault_server(robots=robots_saying("User-agent: *\nDisallow: /")) as server:
            assert reason(fetch(server.url("/page"), robots="ignore")[0]) == ""
            assert server.requests_to("/robots.txt") == []

    def test_the_failure_names_the_deciding_line(self) -> None:
        with fault_server(robots=robots_saying("User-agent: headwater\nDisallow: /pa*e$")) as server:
            result = fetch(server.url("/page"))[0]
        assert isinstance(result, FetchFailure)
        assert result.detail == "line 2: Disallow: /pa*e$"


class TestRetries:
    def test_four_attempts(self) -> None:
        with fault_server() as server:
            server.failing["x"] = 3
            result = fetch(server.url("/flaky?x"))[0]
            assert reason(result) == ""
            assert len(server.requests_to("/flaky")) == 4

    def test_the_last_failure_is_returned(self) -> None:
        with fault_server() as server:
            server.failing["x"] = 9
            result = fetch(server.url("/flaky?x"), retries=1)[0]
            assert isinstance(result, FetchFailure)
            assert (result.reason, result.attempts) == ("http-503", 2)

    @pytest.mark.parametrize("path", ["/status?404", "/small-pdf", "/status?501", "/bomb?gzip", "/encoded?false-gzip"])
    def test_final_failures_are_not_repeated(self, path: str) -> None:
        with fault_server() as server:
            assert reason(fetch(server.url(path))[0])
            assert len(server.seen) == 2

    def test_truncated_bodies_are_requested_again(self) -> None:
        with fault_server() as server:
            assert reason(fetch(server.url("/short-body"), retries=1)[0]) == "truncated"
            assert len(server.requests_to("/short-body")) == 2


class TestPoliteness:
    def test_crawl_delay(self) -> None:
        async def many(server: FaultServer) -> None:
            async with FetchStack(Settings(max_parallel=8), [server.origin]) as stack:
                await asyncio.gather(*(stack.fetch(Request(server.url("/page"))) for _ in range(5)))

        with fault_server(robots=robots_saying("User-agent: *\nCrawl-delay: 0.5")) as server:
            started = time.monotonic()
            asyncio.run(many(server))
            assert len(server.requests_to("/page")) == 5
            assert_spread(server, started, 0.5)

    def test_retries_keep_the_crawl_delay(self) -> None:
        async def many(server: FaultServer) -> None:
            async with FetchStack(Settings(max_parallel=8), [server.origin]) as stack:
                await asyncio.gather(*(stack.fetch(Request(server.url(f"/flaky?{name}"))) for name in "abc"))

        with fault_server(robots=robots_saying("User-agent: *\nCrawl-delay: 0.5")) as server:
            server.failing.update({"a": 1, "b": 1, "c": 1})
            started = time.monotonic()
            asyncio.run(many(server))
            assert len(server.requests_to("/flaky")) == 6
            assert_spread(server, started, 0.5)

    def test_a_very_long_crawl_delay_is_capped(self) -> None:
        with fault_server(robots=robots_saying("User-agent: *\nCrawl-delay: 99999")) as server:
            started = time.monotonic()
            results = fetch(server.url("/page"), server.url("/page"), max_crawl_delay=0.3)
            assert [reason(result) for result in results] == ["", ""]
            assert server.seen[-1].at - started >= 0.6

    @pytest.mark.parametrize("form", ["seconds", "date"])
    def test_retry_after_pauses_the_host(self, form: str) -> None:
        async def many(server: FaultServer, retry_after: str) -> None:
            async with FetchStack(Settings(max_parallel=2, retries=2), [server.origin]) as stack:
                await stack.fetch(Request(server.url(f"/limited?{retry_after}")))
                await asyncio.gather(*(stack.fetch(Request(server.url("/page"))) for _ in range(3)))

        later = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=3)
        retry_after = "2" if form == "seconds" else quote(format_datetime(later, usegmt=True))
        wall_clock = time.time() - time.monotonic()
        with fault_server() as server:
            server.failing["limited"] = 1
            asyncio.run(many(server, retry_after))
            first, second = server.requests_to("/limited")
            pause_ended = first.at + 2 if form == "seconds" else later.timestamp() - wall_clock
            assert second.at >= pause_ended - 0.05  # the clocks differ a little
            assert all(seen.at >= second.at for seen in server.requests_to("/page"))

    def test_max_parallel_limits_all_hosts_together(self) -> None:
        async def run() -> tuple[int, int]:
            seen = {"now": 0, "peak": 0}

            class Slow:
                async def fetch(self, request: Request) -> Response:
                    seen["now"] += 1
                    seen["peak"] = max(seen["peak"], seen["now"])
                    await asyncio.sleep(0.01)
                    seen["now"] -= 1
                    return Response(request.url, 200)

            polite = PoliteFetcher(Slow(), max_parallel=3)
            hosts = [f"http://h{number % 4}.example/" for number in range(40)]
            results = await asyncio.gather(*(polite.fetch(Request(url)) for url in hosts))
            return seen["peak"], len(results)

        assert asyncio.run(run()) == (3, 40)

    def test_a_waiting_host_does_not_block_others(self) -> None:
        async def run() -> list[str]:
            order: list[str] = []

            class Recording:
                async def fetch(self, request: Request) -> Response:
                    order.append(request.url)
                    return Response(request.url, 200)

            polite = PoliteFetcher(Recording(), max_parallel=2)
            polite.set_crawl_delay("slow.example", 0.2)
            urls = ["http://slow.example/1", "http://slow.example/2", "http://fast.example/1", "http://fast.example/2"]
            await asyncio.gather(*(polite.fetch(Request(url)) for url in urls))
            return order

        order = asyncio.run(run())
        assert order.index("http://fast.example/2") < order.index("http://slow.example/2")

    def test_cancelled_requests_release_their_slot(self) -> None:
        async def run() -> Response | FetchFailure:
            has_begun = asyncio.Event()

            class Hanging:
                async def fetch(self, request: Request) -> Response:
                    if "hang" in request.url:
                        has_begun.set()
                        await asyncio.Event().wait()
                    return Response(request.url, 200)

            polite = PoliteFetcher(Hanging(), max_parallel=1)
            running = asyncio.create_task(polite.fetch(Request("http://e.com/hang")))
            waiting = asyncio.create_task(polite.fetch(Request("http://e.com/hang")))
            await has_begun.wait()
            waiting.cancel()
            running.cancel()
            return await asyncio.wait_for(polite.fetch(Request("http://e.com/")), PATIENCE)

        assert asyncio.run(run()).status == 200

    def test_status_503_lowers_the_concurrency_of_the_host(self) -> None:
        async def run() -> int:
            refusing = FakeFetcher({"http://e.com/": FetchFailure("http://e.com/", "http-503", status=503)})
            polite = PoliteFetcher(refusing, max_parallel=8)
            await RetryingFetcher(polite, 0).fetch(Request("http://e.com/"))
            return polite.get_rate_limiter("e.com").limit

        assert asyncio.run(run()) == 4


def test_fake_fetcher() -> None:
    async def run() -> tuple[Response | FetchFailure, Response | FetchFailure]:
        fake = FakeFetcher({"https://e.com/": "<p>hello"})
        results = await fake.fetch(Request("https://e.com/")), await fake.fetch(Request("https://e.com/no"))
        assert [request.url for request in fake.requests] == ["https://e.com/", "https://e.com/no"]
        return results

    page, missing = asyncio.run(run())
    assert isinstance(page, Response)
    assert (page.body, reason(missing)) == (b"<p>hello", "http-404")
