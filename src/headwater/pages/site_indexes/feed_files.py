"""Parse feeds that pages name, their further pages, and lists of feeds (OPML)."""

from __future__ import annotations

import re

from headwater.pages.files.feeds import FEED_KINDS, make_absolute
from headwater.pages.files.sitemap_entries import parse_attributes
from headwater.pages.files.sitemap_parser import parse_sitemap_body
from headwater.pages.site_indexes.links import resolve_pages
from headwater.pages.site_indexes.records import IndexFile, ParsedIndex
from headwater.urls.parsing import get_authority

MAX_LISTED_FEEDS = 500
_OUTLINE = re.compile(r"<outline\s[^<>]*>", re.IGNORECASE)


def parse_feed(body: bytes, url: str) -> ParsedIndex:
    """Read the entries of an RSS, Atom or JSON feed, and the URL of its next page."""
    feed = parse_sitemap_body(body, url=url)
    if feed.kind not in FEED_KINDS:
        return ParsedIndex()
    entries = ((entry.url, entry.title) for entry in feed.page_entries())
    return ParsedIndex(resolve_pages(entries, url), tuple(IndexFile("feed", next_url) for next_url in feed.children))


def parse_opml(body: bytes, url: str) -> ParsedIndex:
    """Read the feeds of a list that are on its own host, and the pages that they belong to."""
    outlines = [parse_attributes(match.group()) for match in _OUTLINE.finditer(body.decode("utf-8", "replace"))]
    pages = [(page, one.get("text", "")) for one in outlines if (page := one.get("htmlurl", ""))]
    feeds = dict.fromkeys(make_absolute(feed, url) for one in outlines if (feed := one.get("xmlurl", "")))
    own = [feed for feed in feeds if feed.startswith("http") and get_authority(feed) == get_authority(url)]
    return ParsedIndex(resolve_pages(pages, url), tuple(IndexFile("feed", feed) for feed in own[:MAX_LISTED_FEEDS]))
