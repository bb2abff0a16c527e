"""Crawl with Scrapy within the host, up to a number of pages."""

from __future__ import annotations

import re
import sys
from typing import Any

from scrapy import Spider
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

START, PARALLEL, LIMIT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
ORIGIN = "/".join(START.split("/")[:3])


class Pages(Spider):  # type: ignore[misc]
    """Yields the URL of each page."""

    name = "pages"
    start_urls = (START,)
    links = LinkExtractor(allow=[re.escape(ORIGIN)])
    custom_settings: dict[str, Any] = {  # noqa: RUF012  (Scrapy's way)
        "LOG_ENABLED": False,
        "CONCURRENT_REQUESTS": PARALLEL,
        "CONCURRENT_REQUESTS_PER_DOMAIN": PARALLEL,
        "DOWNLOAD_DELAY": 0,
        "CLOSESPIDER_PAGECOUNT": LIMIT,
        "TELNETCONSOLE_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
    }

    def parse(self, response: Any, **_: Any) -> Any:  # noqa: ANN401
        yield {"url": response.url}
        for link in self.links.extract_links(response):
            yield response.follow(link, self.parse)


process = CrawlerProcess()
crawler = process.create_crawler(Pages)
process.crawl(crawler)
process.start()
sys.stdout.write(f"{crawler.stats.get_value('item_scraped_count')}\n")
