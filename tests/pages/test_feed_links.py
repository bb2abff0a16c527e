"""Feeds among links and responses."""

from __future__ import annotations

import pytest

from headwater.model import DiscoveredUrl, FetchFailure
from headwater.pages.site_indexes import find_feed_links, find_feed_response


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("/art/rss.xml", "", "feed"),
        ("/news.rss", "", "feed"),
        ("/atom.xml?tag=x", "", "feed"),
        ("/posts/index.xml", "", "feed"),
        ("/feed.json", "", "feed"),
        ("/feeds/all.atom.xml", "", "feed"),
        ("/export.xml", "RSS feed", "feed"),
        ("/blogs.opml", "", "opml"),
        ("/export.xml", "Download", ""),
        ("/index.json", "", ""),
        ("/feedback.xml", "", ""),
        ("/rss.png", "RSS", ""),
        ("/a.pdf", "Feed", ""),
    ],
)
def test_feeds_are_recognised_by_name_and_text(path: str, text: str, kind: str) -> None:
    url = f"https://e.com{path}"
    link = DiscoveredUrl(1, url, url, url, "resource", 1, 0, "", "content-link", text=text)
    assert [file.kind for file in find_feed_links([link], "https://e.com/a/")] == ([kind] if kind else [])
    assert find_feed_links([link], "https://other.com/") == []
    assert find_feed_links([link._replace(kind="page")], "https://e.com/") == []


@pytest.mark.parametrize(
    ("url", "content_type", "is_feed"),
    [
        ("https://e.com/blog/feed/", "application/rss+xml; charset=UTF-8", True),
        ("https://e.com/x", "application/atom+xml", True),
        ("https://e.com/rss", "text/xml", True),
        ("https://e.com/export", "text/xml", False),
        ("https://e.com/feed", "application/pdf", False),
    ],
)
def test_a_page_that_is_a_feed_is_recognised_by_its_response(url: str, content_type: str, is_feed: bool) -> None:
    failure = FetchFailure(url, "not-html", content_type=content_type)
    assert [file.url for file in find_feed_response(failure)] == ([url] if is_feed else [])
    assert find_feed_response(failure._replace(reason="http-404")) == []
