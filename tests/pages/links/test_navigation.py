"""Navigation links: in landmarks, otherwise in elements with typical names."""

from __future__ import annotations

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.navigation import find_navigation_links, find_sitemap_hints


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        # landmarks, in document order
        (
            "<header><a href=/1>A</a></header><nav><a href=/2>B</a><a href=/3>C</a>",
            ["/1 A header", "/2 B nav", "/3 C nav"],
        ),
        ("<aside><a href=/2>B</a></aside><nav><a href=/1>A</a></nav>", ["/2 B aside", "/1 A nav"]),
        ("<p role=navigation><a href=/1>A</a></p><p role=banner><a href=/2>B</a>", ["/1 A nav", "/2 B header"]),
        ("<nav><a href=/1>A</a><a>Nowhere</a><a href=''>Here</a></nav>", ["/1 A nav", " Here nav"]),
        # other links do not count
        ("<a href=/0>Zero</a><nav><a href=/1>A</a></nav><main><a href=/2>B</a></main>", ["/1 A nav"]),
        ("<nav><a href=/1>A</a></nav><footer><a href=/3>C</a></footer>", ["/1 A nav"]),
        # the first link to a URL counts
        ("<header><a href=/1>A</a></header><nav><a href=/1>1</a><a href=/2>B</a></nav>", ["/1 A header", "/2 B nav"]),
        (
            "<header><a href=/1>A</a><a href=/2>B</a></header><nav><a href=/2>2</a><a href=/3>C</a><a href=/1>1</a>",
            ["/1 A header", "/2 B header", "/3 C nav"],
        ),
        ("<main><a href=/1>Main</a></main><nav><a href=/1>One</a></nav>", ["/1 One nav"]),
        # typical names, if there are no landmarks
        ("<div class='top navbar'><a href=/1>One</a><a href=/2>Two</a></div>", ["/1 One nav", "/2 Two nav"]),
        ("<div id=Menu><a href=/1>One</a></div><p class=left-sidebar><a href=/2>Two</a>", ["/1 One nav", "/2 Two nav"]),
        ("<ul class=nav-items><li><a href=/1>One</a><li><a href=/1>Again</a></ul>", ["/1 One nav"]),
        ("<div class=menu><a href=/1>One</a></div><main><a href=/2>Two</a></main>", ["/1 One nav"]),
        ("<div class=menu><a href=/1>One</a></div><nav><a href=/2>Two</a></nav>", ["/2 Two nav"]),
        ("<div class=navy><a href=/1>One</a></div><div id=submenus><a href=/2>Two</a></div>", []),
        ("<a href=/1>One</a>", []),
        ("", []),
    ],
)
def test_navigation_links_of_a_page(markup: str, expected: list[str]) -> None:
    assert [" ".join(link) for link in find_navigation_links(parse_html(markup))] == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<link rel=sitemap href=/s.xml>", ["/s.xml"]),
        ("<link rel='Alternate SITEMAP' href=/s.xml>", ["/s.xml"]),
        ("<link rel=alternate type=application/rss+xml href=/rss>", ["/rss"]),
        ("<link rel=alternate type='Application/Atom+XML' href=/atom>", ["/atom"]),
        ("<link rel=alternate type=application/feed+json href=/feed.json>", ["/feed.json"]),
        ("<link type=application/rss+xml href=/rss><link rel=sitemap href=/s.xml>", ["/s.xml", "/rss"]),
        ("<link rel=sitemap href=/s><link rel=sitemap href=/t><link rel=sitemap href=/s>", ["/s", "/t"]),
        ("<link rel=sitemap><link rel=stylesheet href=/a.css><link rel=alternate type=text/html href=/de>", []),
        ("<a rel=sitemap href=/s.xml>Sitemap</a>", []),
    ],
)
def test_sitemaps_and_feeds_that_a_page_names(markup: str, expected: list[str]) -> None:
    assert find_sitemap_hints(parse_html(markup)) == expected
