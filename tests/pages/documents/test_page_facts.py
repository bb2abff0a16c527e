"""Facts about a page: description, heading, Open Graph, dates, translations, headers, insecure resources."""

from __future__ import annotations

import json

import pytest

from headwater.model import PageFacts, Response, Timings
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.documents.page_facts import MAX_TEXT, read_page_facts
from headwater.pages.documents.robots_tag import RobotsTag

URL = "https://e.com/a/b"


def read(html: str, url: str = URL, **headers: str) -> PageFacts:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    response = Response(url, 200, named, html.encode(), timings=Timings(total=0.0126))
    return read_page_facts(parse_html(response.body, "utf-8"), response, RobotsTag())


@pytest.mark.parametrize(
    ("field", "html", "expected"),
    [
        ("description", '<meta name=Description content=" Two \n words ">', "Two words"),
        ("description", "<meta name=description content=''><meta name=description content=second>", "second"),
        ("description", "<meta property=description content=odd>", "odd"),
        ("description", f"<meta name=description content='{'x' * 2000}'>", "x" * MAX_TEXT),
        ("description", "<body><meta name=keywords content=a>", ""),
        ("heading", "<svg><title>No</title></svg><h1>A <b>bold</b>\n heading</h1><h1>Second</h1>", "A bold heading"),
        ("heading", "<h1>Linked <a href=#x>¶</a></h1>", "Linked"),
        ("heading", "<h2>None</h2>", ""),
        ("og_title", "<meta property=og:title content='Shared'>", "Shared"),
        ("og_image", "<meta property='og:image' content='../i.png'>", "https://e.com/i.png"),
        ("published", "<meta property=article:published_time content=2026-01-02>", "2026-01-02"),
        ("published", "<meta name=dc.date content=2020><meta name=date content=2021>", "2021"),
        ("modified", "<meta property=og:updated_time content=2026-01-03T00:00Z>", "2026-01-03T00:00Z"),
        ("insecure_resources", "<img src=http://e.com/i.png><script src='http://x/'></script>", 2),
        ("insecure_resources", "<link rel=stylesheet href=HTTP://e.com/s.css><a href=http://e.com/>x</a>", 1),
        ("insecure_resources", "<img src=https://e.com/i.png><img src=//e.com/j.png>", 0),
    ],
)
def test_facts_of_a_page(field: str, html: str, expected: object) -> None:
    assert getattr(read(f"<!doctype html><head>{html}"), field) == expected


def test_translations_are_resolved_and_named_by_language() -> None:
    facts = read(
        "<head><link rel=alternate hreflang=FR href=/fr/><link rel='alternate' hreflang=x-default href='.'>"
        "<link rel=alternate type=application/rss+xml href=/feed><link rel=alternate hreflang=de>"
    )
    assert json.loads(facts.alternates) == {"fr": "https://e.com/fr/", "x-default": "https://e.com/a/"}


def test_a_page_without_https_has_no_insecure_resources() -> None:
    assert read("<img src=http://e.com/i.png>", "http://e.com/").insecure_resources == 0


def test_headers_that_matter_are_kept() -> None:
    facts = read("", server="nginx", cache_control="max-age=60", set_cookie="secret")
    assert json.loads(facts.headers) == {"cache-control": "max-age=60", "server": "nginx"}
    assert read("").headers == ""


def test_size_and_response_time() -> None:
    assert (read("1234567890").size, read("").response_ms) == (10, 13)


def test_robots_directives_are_named() -> None:
    response = Response(URL, 200)
    facts = read_page_facts(parse_html(b"", "utf-8"), response, RobotsTag(nofollow=True, noindex=True))
    assert facts.robots == "nofollow, noindex"
