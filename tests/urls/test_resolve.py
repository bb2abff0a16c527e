"""Resolving a link as a browser would; the public suite in `suites/` holds hundreds more."""

from __future__ import annotations

import pytest

from headwater import UrlError, resolve
from headwater.urls.parse import seed_url, why_unusable

PAGE = "https://example.com/docs/intro"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("./page", "https://example.com/docs/page"),
        ("../other", "https://example.com/other"),
        ("/absolute", "https://example.com/absolute"),
        ("https://other.org/x", "https://other.org/x"),
        ("//cdn.example.net/x", "https://cdn.example.net/x"),
        ("?page=2", "https://example.com/docs/intro?page=2"),
        ("#part", "https://example.com/docs/intro#part"),
        ("", "https://example.com/docs/intro"),
        ("  /trimmed\n", "https://example.com/trimmed"),
        ("\\back\\slash", "https://example.com/back/slash"),
        ("http://127.0.0.1\\@example.com", "http://127.0.0.1/@example.com"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[::FFFF:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
        ("https://münchen.example/", "https://xn--mnchen-3ya.example/"),
        ("/\ud800", "https://example.com/%EF%BF%BD"),
        ("https://xn--/", "https://xn--/"),
        ("mailto:x@example.com", None),
        ("tel:123", None),
        ("javascript:void(0)", None),
        ("data:text/html,x", None),
        ("ftp://example.com/", None),
        ("file:///etc/passwd", None),
        ("http://[::1", None),
        ("http://exa mple.com/", None),
        ("http://example.com:99999/", None),
    ],
)
def test_resolve(href: str, expected: str | None) -> None:
    assert resolve(href, PAGE) == expected


def test_resolve_needs_a_usable_base() -> None:
    assert resolve("x", "not a url") is None
    assert resolve("https://example.com/", "not a url") is None
    assert resolve("x", None) is None


def test_conventional_sitemap_place_of_seed_000() -> None:
    assert resolve("/sitemap.xml", "https://docs.stripe.com/api/charges") == "https://docs.stripe.com/sitemap.xml"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("example.com", "https://example.com/"),
        ("example.com/", "https://example.com/"),
        ("Example.com/Docs", "https://example.com/Docs"),
        ("example.com:8443/x", "https://example.com:8443/x"),
        (" https://example.com ", "https://example.com/"),
        ("localhost:8000/x", "http://localhost:8000/x"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000/"),
        ("[::1]:8000", "http://[::1]:8000/"),
        ("HTTP://example.com", "http://example.com/"),
    ],
)
def test_seed_as_people_type_it(typed: str, expected: str) -> None:
    assert seed_url(typed) == expected


@pytest.mark.parametrize("typed", ["", "mailto:x@example.com", "http://", "http://[::1", "ftp://example.com", "/path"])
def test_unusable_seed_says_why(typed: str) -> None:
    with pytest.raises(UrlError) as caught:
        seed_url(typed)
    assert caught.value.why


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "empty"),
        ("about/us", "no scheme"),
        ("mailto:x", "mailto: is not http"),
        ("http://[::1", "closing bracket"),
        ("https:///", "no host"),
        ("http://a b/", "host or port"),
    ],
)
def test_reasons(text: str, part: str) -> None:
    assert part in why_unusable(text)
