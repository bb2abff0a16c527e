"""Crawlee: BeautifulSoupCrawler following links within the host; prints the URL of every page."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from datetime import timedelta

from crawlee import ConcurrencySettings, service_locator
from crawlee.configuration import Configuration
from crawlee.crawlers import BeautifulSoupCrawler, BeautifulSoupCrawlingContext

START = sys.argv[1]


async def main(folder: str) -> None:
    """Crawl and print the URLs."""
    service_locator.set_configuration(Configuration(storage_dir=folder, log_level="ERROR"))
    crawler = BeautifulSoupCrawler(
        max_requests_per_crawl=5_000,
        concurrency_settings=ConcurrencySettings(desired_concurrency=10, max_concurrency=10),
        request_handler_timeout=timedelta(seconds=60),
        configure_logging=False,
    )

    @crawler.router.default_handler  # type: ignore[untyped-decorator]
    async def handle(context: BeautifulSoupCrawlingContext) -> None:
        sys.stdout.write(f"{context.request.loaded_url or context.request.url}\n")
        await context.enqueue_links(strategy="same-origin")

    await crawler.run([START])


logging.disable(logging.CRITICAL)
with tempfile.TemporaryDirectory() as storage:
    asyncio.run(main(storage))
