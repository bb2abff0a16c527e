"""Hosts that do not answer are given up after some requests, and waiting requests fail at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from headwater import Settings
from headwater.fetch import FetchStack
from headwater.frontier import circuit_breaker
from headwater.model import FetchFailure, Request, Response
from tests.commands import PATIENCE, with_growing_limit
from tests.fetch.fetching import fetch, reason
from tests.sites.fault_server import BEHAVIOURS, Exchange, fault_server

if TYPE_CHECKING:
    from collections.abc import Callable

Results = list[Response | FetchFailure]
HANGING: dict[str, Any] = {"timeout": 0.1, "retries": 0, "robots": "ignore"}


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up a host as soon as the number of requests is reached."""
    monkeypatch.setattr(circuit_breaker, "MIN_OUTAGE_SECONDS", 0.0)


def fetch_hanging(*urls: str, is_quick_enough: Callable[[Results], object], **settings: Any) -> Results:
    """Send requests, most of which get no answer, with a timeout in which the others are answered."""
    return with_growing_limit(
        lambda limit: fetch(*urls, **{**HANGING, **settings, "timeout": limit}), is_quick_enough, 0.1
    )


def test_a_host_that_never_answers_is_given_up() -> None:
    with fault_server() as server:
        results = fetch(*[server.url(f"/silent?{number}") for number in range(5)], **HANGING)
        assert [reason(one) for one in results] == ["timeout-total"] * 3 + ["host-unresponsive"] * 2
        assert len(server.seen) <= 3


def test_a_host_that_answered_before_gets_more_attempts() -> None:
    with fault_server() as server:
        urls = [server.url(url) for url in ("/page", *["/silent"] * 6, "/page", *["/silent"] * 8)]
        results = fetch_hanging(
            *urls, is_quick_enough=lambda results: not reason(results[0]) + reason(results[7]), max_unanswered=7
        )
        reasons = ["", *["timeout-total"] * 6, "", *["timeout-total"] * 7, "host-unresponsive"]
        assert [reason(one) for one in results] == reasons


def test_a_robots_txt_that_was_served_is_not_an_answer() -> None:
    with fault_server() as server:
        urls = [server.url("/silent")] * 4
        results = fetch_hanging(
            *urls, is_quick_enough=lambda results: reason(results[0]) != "robots-unreachable", robots="obey"
        )
        assert reason(results[-1]) == "host-unresponsive"


def test_other_hosts_are_not_given_up() -> None:
    with fault_server() as server, fault_server() as other:
        results = fetch_hanging(
            *[server.url("/silent")] * 3, other.url("/page"),
            is_quick_enough=lambda results: not reason(results[-1]), max_unanswered=1, allow_private=["127.0.0.1"],
        )  # fmt: skip
        assert [reason(one) for one in results] == ["timeout-total", *["host-unresponsive"] * 2, ""]


def test_waiting_requests_fail_when_the_host_is_given_up() -> None:
    async def many(origin: str) -> list[Response | FetchFailure]:
        settings = Settings(timeout=0.1, retries=0, robots="ignore", max_unanswered=1, delay=3600.0)
        async with FetchStack(settings, [origin]) as stack:
            requests = [stack.fetch(Request(f"{origin}/silent?{number}")) for number in range(5)]
            return await asyncio.wait_for(asyncio.gather(*requests), PATIENCE)

    with fault_server() as server:
        results = asyncio.run(many(server.origin))
        assert [reason(one) for one in results] == ["timeout-total"] + ["host-unresponsive"] * 4


def test_retries_end_when_the_host_is_given_up() -> None:
    with fault_server() as server:
        result = fetch(server.url("/silent"), timeout=0.1, retries=20, robots="ignore", max_unanswered=2)[0]
        assert (reason(result), len(server.seen) <= 2) == ("host-unresponsive", True)


def test_a_chain_of_slow_redirects_shares_its_time() -> None:
    async def slow(exchange: Exchange) -> None:
        await asyncio.sleep(0.3)
        number = int(exchange.query or 0) + 1
        await exchange.answer(b"", "302 Found", Location=f"/slow?{number}")

    with fault_server(slow=slow) as server:
        result = fetch(server.url("/slow"), timeout=0.5, retries=0, max_redirects=50)[0]
        assert reason(result).startswith("timeout")
        assert len(server.requests_to("/slow")) <= 4


def test_robots_txt_is_not_retried_after_a_long_retry_after() -> None:
    async def busy(exchange: Exchange) -> None:
        await exchange.answer(b"", "429 Too Many Requests", Retry_After="86400")

    with fault_server(robots=busy) as server:
        result = fetch(server.url("/page"), max_retry_after=0.0)[0]
        assert reason(result) == "robots-unreachable"
        assert len(server.seen) == 1


@pytest.mark.parametrize("broken", ["no-answer", "silent", "reset"])
def test_sitemaps_are_not_requested_if_robots_txt_got_no_answer(broken: str) -> None:
    async def files(origin: str) -> str:
        async with FetchStack(Settings(timeout=0.2, retries=0), [origin]) as stack:
            await stack.get_robots(f"{origin}/")
            return reason(await stack.file_fetcher.fetch(Request(f"{origin}/page", "sitemap")))

    with fault_server(robots=BEHAVIOURS[f"/{broken}"]) as server:
        assert asyncio.run(files(server.origin)) == "robots-unreachable"
        assert {seen.path for seen in server.seen} <= {"/robots.txt"}
