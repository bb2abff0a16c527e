"""Pages that RSS, Atom and JSON feeds list."""

from __future__ import annotations

import json

import pytest

from headwater.pages.files.sitemap_parser import Entry, parse_sitemap, parse_sitemap_body

A, B, C = (f"https://e.com/{letter}" for letter in "abc")


def atom(*entries: str, attributes: str = "") -> str:
    return f"<feed xmlns='http://www.w3.org/2005/Atom' {attributes}>{''.join(entries)}</feed>"


def json_feed(*items: object, version: str = "https://jsonfeed.org/version/1.1") -> str:
    return json.dumps({"version": version, "title": "News", "items": items})


# A feed at https://e.com/blog/feed, its kind and its pages.
FEEDS: list[tuple[str, str, list[str]]] = [
    (atom("<entry><link href='a'/></entry>", "<entry><link href='/b'/></entry>"), "atom", ["https://e.com/blog/a", B]),
    (
        atom("<entry><link href='//e.com/c'/></entry>", "<entry><link href='../a?x=1&amp;y'/></entry>"),
        "atom",
        [C, f"{A}?x=1&y"],
    ),
    (atom("<entry><link href='a'/></entry>", attributes="xml:base='/'"), "atom", [A]),
    (
        atom("<entry xml:base='b/'><link href='a'/></entry>", attributes="xml:base='/x/'"),
        "atom",
        ["https://e.com/x/b/a"],
    ),
    (
        atom("<entry><link xml:base='https://f.com/' href='a'/></entry>", attributes="xml:base='/x/'"),
        "atom",
        ["https://f.com/a"],
    ),
    ("<rss><item><link>a</link></item><item><link>/b</link></item></rss>", "rss", ["https://e.com/blog/a", B]),
    ("<rss xml:base='https://e.com/'><item><link>a</link></item></rss>", "rss", [A]),
    ("<rss><item><guid isPermaLink='false'>https://e.com/b</guid></item></rss>", "rss", []),
    ('<rss><item><guid ispermalink = "False">https://e.com/b</guid><link>/a</link></item></rss>', "rss", [A]),
    (
        "<rss><item><guid isPermaLink='true'>https://e.com/b</guid></item><item><guid>id-7</guid></item></rss>",
        "rss",
        [B],
    ),
    (json_feed({"id": "1", "url": A, "external_url": "https://f.com/"}, {"id": "2", "url": "/b"}), "json", [A, B]),
    (
        json_feed({"id": "1", "external_url": "https://f.com/"}, {"url": 7}, "x", None, {"url": " "}, {"url": C}),
        "json",
        [C],
    ),
    (json_feed({"url": A}, version="https://jsonfeed.org/version/1").replace("/", "\\/"), "json", [A]),
    (json_feed({"url": A}, version="https://example.com/jsonfeed.org"), "unknown", []),
    (json_feed({"url": A})[:-3], "unknown", []),
    ('{"version": "https://jsonfeed.org/version/1", "items": {}}', "json", []),
    ('{"jsonfeed.org": ' + "[" * 100_000, "unknown", []),
    ("<urlset><url><loc>/a</loc></url></urlset>", "urlset", ["/a"]),  # sitemaps may not contain relative URLs
    ("<sitemapindex xml:base='/'><sitemap><loc>a</loc></sitemap></sitemapindex>", "index", ["a"]),
]


@pytest.mark.parametrize(("feed", "kind", "urls"), FEEDS)
def test_pages_of_a_feed(feed: str, kind: str, urls: list[str]) -> None:
    read = parse_sitemap(feed, "https://e.com/blog/feed")
    assert (read.kind, [entry.url for entry in read.entries()]) == (kind, urls)


def test_title_and_date_of_an_rss_item() -> None:
    rss = "<rss><item><title><![CDATA[A & B]]></title><link>https://e.com/a</link><pubDate>Mon</pubDate></item></rss>"
    assert next(parse_sitemap_body(rss.encode()).entries()) == Entry("https://e.com/a", "Mon", title="A & B")


def test_relative_links_are_kept_if_the_url_of_the_feed_is_unknown() -> None:
    assert [entry.url for entry in parse_sitemap(atom("<entry><link href='a'/></entry>")).entries()] == ["a"]


def test_title_and_date_of_a_json_feed_item() -> None:
    item = {"url": A, "title": "T", "date_published": "2026-01-01", "date_modified": "2026-01-02"}
    assert parse_sitemap(json_feed(item)).pages == [Entry(A, "2026-01-02", title="T")]
