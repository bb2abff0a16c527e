"""Parse feeds that pages name, and their further pages."""

from __future__ import annotations

from headwater.pages.files.feeds import FEED_KINDS
from headwater.pages.files.sitemap_parser import parse_sitemap_body
from headwater.pages.site_indexes.links import resolve_pages
from headwater.pages.site_indexes.records import IndexFile, ParsedIndex


def parse_feed(body: bytes, url: str) -> ParsedIndex:
    """Read the entries of an RSS, Atom or JSON feed, and the URL of its next page."""
    feed = parse_sitemap_body(body, url=url)
    if feed.kind not in FEED_KINDS:
        return ParsedIndex()
    entries = ((entry.url, entry.title) for entry in feed.page_entries())
    return ParsedIndex(resolve_pages(entries, url), tuple(IndexFile("feed", next_url) for next_url in feed.children))
