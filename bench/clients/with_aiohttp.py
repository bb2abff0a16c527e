"""Fetch with aiohttp only."""

from __future__ import annotations

import asyncio
import sys

import aiohttp


async def main(origin: str, count: int, parallel: int) -> None:
    """Fetch `count` pages, `parallel` at a time."""
    urls = iter([f"{origin}/{number % 100}.html" for number in range(count)])
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=parallel)) as session:

        async def worker() -> None:
            for url in urls:
                async with session.get(url) as response:
                    assert len(await response.read()) > 10_000

        await asyncio.gather(*(worker() for _ in range(parallel)))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
