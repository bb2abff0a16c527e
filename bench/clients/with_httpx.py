"""Fetch with httpx only."""

from __future__ import annotations

import asyncio
import sys

import httpx


async def main(origin: str, count: int, parallel: int) -> None:
    """Fetch `count` pages, `parallel` at a time."""
    urls = iter([f"{origin}/{number % 100}.html" for number in range(count)])
    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=parallel)) as client:

        async def worker() -> None:
            for url in urls:
                assert len((await client.get(url)).content) > 10_000

        await asyncio.gather(*(worker() for _ in range(parallel)))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
