"""Who may no longer request, does not: neither begins nor sends."""

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
def test_nothing_is_sent_once_it_is_not_allowed(allowed: int) -> None:
    """It is asked before a request is begun, and again at the last moment before it is sent."""
    asked = count()

    async def fetch(origin: str) -> int:
        async with FetchStack(Settings(robots="ignore"), [origin], lambda: next(asked) < allowed) as stack:
            for number in range(10):
                try:
                    assert isinstance(await stack.fetch(Request(f"{origin}/{number}")), Response)
                except LeaseLostError:
                    return number
        return 10

    with serving(lambda path: f"page {path}") as site:
        assert asyncio.run(fetch(site.origin)) == site.page_hits == allowed // 2
