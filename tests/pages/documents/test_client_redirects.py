"""Redirects by meta refresh or script."""

from __future__ import annotations

import pytest

from headwater.pages.documents.client_redirects import MAX_REDIRECT_PAGE_BYTES, find_client_redirect
from headwater.pages.documents.html_parser import parse_html

FRAMES = (
    '<frameset cols="20%,80%"><frame src="menu.html" name="menu">'
    '<frame src="overview.html" name="classFrame"></frameset>'
)
LONG = "<p>" + "This page has a text of its own. " * 20


@pytest.mark.parametrize(
    ("body", "target"),
    [
        ('<meta http-equiv="refresh" content="0;URL=../std/vec.html"><p>Redirecting', "../std/vec.html"),
        ("<META HTTP-EQUIV=Refresh CONTENT='0; url=\"/new\"'>", "/new"),
        (f'<meta http-equiv="refresh" content="5; url=/new">{LONG}', "/new"),
        ('<noscript><meta http-equiv="refresh" content="0;url=/new"></noscript>', "/new"),
        ('<meta http-equiv="refresh" content="300; url=/new">', ""),
        ('<meta http-equiv="refresh" content="30">', ""),
        ('<script>location.replace("../a.html" + location.search + location.hash);</script>', "../a.html"),
        ("<script>window.location.href = '/new'</script><p>Moved", "/new"),
        ('<script>document.location="/new";</script>', "/new"),
        (f'<script>location.replace("/new")</script>{LONG}', ""),
        ('<script>if (old) location.replace("/new")</script>', ""),
        ('<script>function go() { location.href = "/new" }</script>', ""),
        ('<script>let relocation = "/new"</script>', ""),
        (f'<script>location.replace("/new")</script><!--{"x" * MAX_REDIRECT_PAGE_BYTES}-->', ""),
        (FRAMES, ""),
        ("<p>A page", ""),
        ("", ""),
    ],
)
def test_the_target_of_a_page(body: str, target: str) -> None:
    assert find_client_redirect(parse_html(body.encode(), "utf-8"), body.encode(), {}) == target


@pytest.mark.parametrize(
    ("value", "target"), [("0; url=/new", "/new"), ("60; url=/new", ""), ("5", ""), ("1" * 5000 + "; url=/new", "")]
)
def test_the_refresh_header_counts_like_the_element(value: str, target: str) -> None:
    assert find_client_redirect(parse_html(b"", "utf-8"), b"", {"refresh": value}) == target
