"""Fetch with the whole stack of Headwater: redirects, robots.txt, retries, rate limits and egress policy."""

from __future__ import annotations

import asyncio
import sys

from headwater import Settings
from headwater.fetch import FetchStack
from headwater.model import Request, Response


async def main(origin: str, count: int, parallel: int) -> None:
    """Fetch `count` pages, `parallel` at a time."""
    urls = iter([f"{origin}/{number % 100}.html" for number in range(count)])

    async with FetchStack(Settings(max_parallel=parallel), [origin]) as fetcher:

        async def worker() -> None:
            for url in urls:
                response = await fetcher.fetch(Request(url))
                assert isinstance(response, Response), response
                assert len(response.body) > 10_000

        await asyncio.gather(*(worker() for _ in range(parallel)))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
