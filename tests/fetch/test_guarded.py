"""Requests are neither started nor sent after the lease of a site was lost."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from headwater import Settings
from headwater.errors import LeaseLostError
from headwater.fetch import FetchStack
from headwater.model import Request, Response
from tests.sites.graph_site import serving


@pytest.mark.parametrize("allowed", range(8))
def test_no_request_is_sent_after_the_lease_was_lost(allowed: int) -> None:
    """The lease is checked before a request is started and again immediately before it is sent."""
    checks = count()

    async def fetch(origin: str) -> int:
        async with FetchStack(Settings(robots="ignore"), [origin], lambda: next(checks) < allowed) as stack:
            for number in range(10):
                try:
                    assert isinstance(await stack.fetch(Request(f"{origin}/{number}")), Response)
                except LeaseLostError:
                    return number
        return 10

    with serving(lambda path: f"page {path}") as site:
        assert asyncio.run(fetch(site.origin)) == site.page_hits == allowed // 2
