"""Functions that read the URLs of an attribute, and properties of the table of rules."""

from __future__ import annotations

import pytest

from headwater.model import LINK_KINDS
from headwater.pages.links.link_rules import (
    LINK_RULES,
    read_css,
    read_javascript_url,
    read_markup,
    read_refresh,
    read_script_location,
    read_srcset,
    read_url_list,
)


@pytest.mark.parametrize(("value", "urls"), [("/a /b\n/c", ["/a", "/b", "/c"]), ("", [])])
def test_a_list_of_urls_is_separated_by_whitespace(value: str, urls: list[str]) -> None:
    assert read_url_list(value) == urls


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ("/a.png", ["/a.png"]),
        ("/a.png 1x, /b.png 2x", ["/a.png", "/b.png"]),
        ("/a.png 100w,/b.png 200w", ["/a.png", "/b.png"]),
        ("/a,b.png 1x", ["/a,b.png"]),
        (" , ", []),
        ("", []),
    ],
)
def test_a_srcset_has_a_url_for_each_size(value: str, urls: list[str]) -> None:
    assert read_srcset(value) == urls


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ("5; url=/next", ["/next"]),
        ("0;URL='/next'", ["/next"]),
        ("0,/next", ["/next"]),
        ("5", []),
        ("soon; url=/next", []),
    ],
)
def test_a_refresh_has_a_url_after_the_delay(value: str, urls: list[str]) -> None:
    assert read_refresh(value) == urls


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ("background: url(/a.png)", ["/a.png"]),
        ("background: url( '/a.png' ), URL(\"/b.png\")", ["/a.png", "/b.png"]),
        ("@import '/a.css';", ["/a.css"]),
        ("color: red", []),
    ],
)
def test_css_has_urls_and_imports(value: str, urls: list[str]) -> None:
    assert read_css(value) == urls


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ("location.href='/a'", ["/a"]),
        ('window.location = "/a"; return false', ["/a"]),
        ("location.assign('/a'); location.replace(`/b`)", ["/a", "/b"]),
        ("window.open('/a', '_blank')", ["/a"]),
        ("navigate('/a'); navigateTo('/b')", ["/a", "/b"]),
        ("location.href = target", []),
        ("alert('/a')", []),
    ],
)
def test_event_handlers_that_open_a_url(value: str, urls: list[str]) -> None:
    assert read_script_location(value) == urls


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ('<a class="x" href="/a">A</a>', ["/a"]),
        ("<A HREF='/a'>A</A><area href=/b>", ["/a", "/b"]),
        ('<link href="/a"><p data-href="/b">', []),
        ("href='/a'", []),
    ],
)
def test_markup_in_text_has_anchors(value: str, urls: list[str]) -> None:
    assert read_markup(value) == urls


def test_rules_for_pages_have_a_kind_and_others_have_none() -> None:
    for rule in LINK_RULES:
        assert (rule.name in LINK_KINDS) is (rule.kind == "page"), rule


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("javascript:window.open('/x.html')", "/x.html"),
        ("javascript:window.open('/x.html','w','width=300');void(0)", "/x.html"),
        ("JavaScript:location='/x'", "/x"),
        ("javascript:location.href=%27/x%27", "/x"),
        ("javascript:void(0)", ""),
        ("javascript:alert('/x')", ""),
        ("/x", ""),
    ],
)
def test_the_url_that_a_javascript_link_opens(href: str, url: str) -> None:
    assert read_javascript_url(href) == url
