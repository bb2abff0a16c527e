"""Hosts that do not answer are given up after some requests, and waiting requests fail at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from headwater import Settings
from headwater.fetch import FetchStack
from headwater.frontier.timing import circuit_breaker
from headwater.model import FetchFailure, Request, Response
from tests.commands import PATIENCE, with_growing_limit
from tests.fetch.fetching import fetch, reason
from tests.sites.fault_server import BEHAVIOURS, Exchange, fault_server

HANGING: dict[str, Any] = {"timeout": 0.1, "retries": 0, "robots": "ignore"}


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up a host as soon as the number of requests is reached."""
    monkeypatch.setattr(circuit_breaker, "MIN_OUTAGE_SECONDS", 0.0)


def fetch_reasons(*urls: str, expected: list[str], **settings: Any) -> list[str]:
    """Return why requests fail, most of which get no answer; with a longer timeout if connecting took too long."""
    return with_growing_limit(
        lambda limit: [reason(one) for one in fetch(*urls, **{**HANGING, **settings, "timeout": limit})],
        lambda reasons: reasons == expected,
        HANGING["timeout"],
    )


def test_a_host_that_never_answers_is_given_up() -> None:
    with fault_server() as server:
        expected = ["timeout-total"] * 3 + ["host-unresponsive"] * 2
        urls = [server.url(f"/silent?{number}") for number in range(5)]
        assert fetch_reasons(*urls, expected=expected) == expected


def test_a_host_that_answered_before_gets_more_attempts() -> None:
    with fault_server() as server:
        urls = [server.url(url) for url in ("/page", *["/silent"] * 6, "/page", *["/silent"] * 8)]
        expected = ["", *["timeout-total"] * 6, "", *["timeout-total"] * 7, "host-unresponsive"]
        assert fetch_reasons(*urls, expected=expected, max_unanswered=7) == expected


def test_a_robots_txt_that_was_served_is_not_an_answer() -> None:
    with fault_server() as server:
        expected = ["timeout-total"] * 3 + ["host-unresponsive"]
        assert fetch_reasons(*[server.url("/silent")] * 4, expected=expected, robots="obey") == expected


def test_other_hosts_are_not_given_up() -> None:
    with fault_server() as server, fault_server() as other:
        urls = [*[server.url("/silent")] * 3, other.url("/page")]
        expected = ["timeout-total", *["host-unresponsive"] * 2, ""]
        assert fetch_reasons(*urls, expected=expected, max_unanswered=1, allow_private=["127.0.0.1"]) == expected


def test_waiting_requests_fail_when_the_host_is_given_up() -> None:
    async def many(origin: str) -> list[Response | FetchFailure]:
        settings = Settings(timeout=0.1, retries=0, robots="ignore", max_unanswered=1, delay=3600.0)
        async with FetchStack(settings, [origin]) as stack:
            requests = [stack.fetch(Request(f"{origin}/silent?{number}")) for number in range(5)]
            return await asyncio.wait_for(asyncio.gather(*requests), PATIENCE)

    with fault_server() as server:
        first, *others = asyncio.run(many(server.origin))
        assert reason(first) in {"timeout-total", "timeout-connect"}
        assert [reason(one) for one in others] == ["host-unresponsive"] * 4


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
