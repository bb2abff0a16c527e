"""Responses to URLs that no link leads to: which of them are pages."""

from __future__ import annotations

import pytest

from headwater.examination import SiteState, check_hint
from headwater.model import Response
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.text.hashes import compute_fingerprint
from headwater.urls import Scope

URL = "https://e.com/tags/"


@pytest.mark.parametrize(
    ("body", "rejection"),
    [
        ("<title>Tags</title><a href=/tags/a>a</a>", ""),
        ("<title>Tags</title><link rel=canonical href=/tags>", ""),
        ("<title>Tags</title><link rel=canonical href=/>", "duplicate"),
        ("<title>Tags</title><meta name=robots content=noindex>", "noindex"),
        ("<title>Page not found</title>Sorry", "soft-404"),
        ("<title>Error 404</title>Sorry", "soft-404"),
        ("<title>Anything</title>Nothing is at tags", "soft-404"),
        ("<title>Index of /tags</title><a href=a>a</a>", "directory-listing"),
        ('<meta http-equiv=refresh content="0; url=/">', "redirect"),
        ("<script>location.replace('/login')</script>", "redirect"),
    ],
)
def test_a_page_is_accepted_if_nothing_speaks_against_it(body: str, rejection: str) -> None:
    missing = parse_html("<title>x</title>Nothing is at 0a1b2c")
    site = SiteState(Scope("https://e.com/"), soft_404s={compute_fingerprint(missing, "https://e.com/0a1b2c")})
    assert check_hint(Response(URL, 200, {}, body.encode(), "text/html"), site).rejection == rejection


def test_a_header_counts_like_the_element() -> None:
    response = Response(URL, 200, {"x-robots-tag": "noindex"}, b"<title>Tags</title>", "text/html")
    assert check_hint(response, SiteState(Scope("https://e.com/"))).rejection == "noindex"
