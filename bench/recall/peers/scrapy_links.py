"""Scrapy: follow links within the host and read the sitemaps; prints the URL of every HTML page."""

from __future__ import annotations

import re
import sys
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Request
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import SitemapSpider

START = sys.argv[1]
ORIGIN = "/".join(START.split("/")[:3])


class Pages(SitemapSpider):  # type: ignore[misc]
    """Follows links from the start page and from every page of the sitemaps."""

    name = "pages"
    sitemap_urls = (f"{ORIGIN}/robots.txt", f"{ORIGIN}/sitemap.xml")
    links = LinkExtractor(allow=[re.escape(ORIGIN)])
    custom_settings: dict[str, Any] = {  # noqa: RUF012  (Scrapy's way)
        "LOG_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 10,
        "TELNETCONSOLE_ENABLED": False,
        "CLOSESPIDER_TIMEOUT": 100,
    }

    async def start(self) -> Any:  # noqa: ANN401
        """Request the start page besides the sitemaps."""
        yield Request(START, self.parse)
        async for request in super().start():
            yield request

    def parse(self, response: Any, **_: Any) -> Any:  # noqa: ANN401
        """Print the page and follow its links."""
        if not isinstance(response, HtmlResponse):
            return
        sys.stdout.write(f"{response.url}\n")
        for link in self.links.extract_links(response):
            yield response.follow(link, self.parse)


process = CrawlerProcess()
process.crawl(Pages)
process.start()
