"""Crawl with Crawlee's PlaywrightCrawler in the system's Chromium, up to a number of pages."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sys
import tempfile
from datetime import timedelta

from crawlee import ConcurrencySettings, service_locator
from crawlee.configuration import Configuration
from crawlee.crawlers import PlaywrightCrawler, PlaywrightCrawlingContext

START, PARALLEL, LIMIT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]


async def main(folder: str) -> None:
    """Crawl and print the number of visited pages."""
    service_locator.set_configuration(Configuration(storage_dir=folder, log_level="ERROR"))
    crawler = PlaywrightCrawler(
        max_requests_per_crawl=LIMIT,
        concurrency_settings=ConcurrencySettings(
            desired_concurrency=PARALLEL, min_concurrency=PARALLEL, max_concurrency=PARALLEL
        ),
        request_handler_timeout=timedelta(seconds=60),
        browser_type="chromium",
        headless=True,
        browser_launch_options={"executable_path": shutil.which("chromium"), "args": FLAGS},
        configure_logging=False,
    )
    visited = 0

    @crawler.router.default_handler  # type: ignore[untyped-decorator]
    async def handle(context: PlaywrightCrawlingContext) -> None:
        nonlocal visited
        visited += 1
        await context.enqueue_links(strategy="same-hostname")

    await crawler.run([START])
    sys.stdout.write(f"{visited}\n")


logging.disable(logging.CRITICAL)
with tempfile.TemporaryDirectory() as storage:
    asyncio.run(main(storage))
