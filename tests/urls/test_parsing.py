"""Resolution and parsing of URLs as in a browser; `suites/` has hundreds of further cases."""

from __future__ import annotations

import pytest

from headwater import UrlError, resolve
from headwater.urls.parsing import (
    explain_unusable_url,
    is_page_relative,
    join_url,
    parse_base,
    parse_seed_url,
    parse_seed_without_credentials,
)

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
def test_links_are_resolved_against_their_page(href: str, expected: str | None) -> None:
    assert resolve(href, PAGE) == expected


@pytest.mark.parametrize(
    ("href", "base", "expected"),
    [
        ("a", "https://e.com", "https://e.com/a"),
        ("a", "https://e.com/x/", "https://e.com/x/a"),
        ("a", "https://e.com/x/y?z=/1/#/2/", "https://e.com/x/a"),
        ("../../../a", "https://e.com/x/y", "https://e.com/a"),
        ("//f.com", "http://e.com/", "http://f.com/"),
        ("a", "https://u:p@e.com:8443/x", "https://u:p@e.com:8443/a"),
        ("http:a", "http://e.com/x/y", "http://e.com/x/a"),
        ("http:a", "https://e.com/x/y", "http://a/"),
        ("\ud800", "https://xn--/x/y", "https://xn--/x/%EF%BF%BD"),
        ("a", "https://e.com/\ud800/y", "https://e.com/%EF%BF%BD/a"),
        ("a", "https://xn--/x/y", "https://xn--/x/a"),
        ("a", "mailto:x@e.com", None),
        ("https://f.com/a", "mailto:x@e.com", "https://f.com/a"),
        ("a", "ftp://e.com/x", None),
        ("https://e.com/a", None, "https://e.com/a"),
        ("https://xn--/\ud800", None, "https://xn--/%EF%BF%BD"),
        ("mailto:x@e.com", None, None),
    ],
)
def test_links_are_resolved_against_any_base(href: str, base: str | None, expected: str | None) -> None:
    assert resolve(href, base) == expected


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("./page", "https://example.com/docs/page"),
        ("mailto:x@example.com", "mailto:x@example.com"),
        ("http://[::1", ""),
        ("/\ud800", ""),
    ],
)
def test_join_url_accepts_any_scheme(href: str, expected: str) -> None:
    assert join_url(parse_base(PAGE), href) == expected


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("?page=2", True),
        ("#part", True),
        ("", True),
        (" \n?page=2", True),
        ("https:?page=2", True),
        ("page?x=1", False),
        ("/page#part", False),
        (".", False),
        ("https://example.com/?x", False),
    ],
)
def test_page_relative_links_are_recognized(href: str, expected: bool) -> None:
    assert is_page_relative(href) is expected


def test_resolve_needs_a_usable_base() -> None:
    assert resolve("x", "not a url") is None
    assert resolve("https://example.com/", "not a url") is None
    assert resolve("x", None) is None


def test_absolute_paths_are_resolved_against_the_host() -> None:
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
def test_seeds_may_lack_a_scheme(typed: str, expected: str) -> None:
    assert parse_seed_url(typed) == expected


@pytest.mark.parametrize("typed", ["", "mailto:x@example.com", "http://", "http://[::1", "ftp://example.com", "/path"])
def test_an_invalid_seed_raises_an_error_with_a_reason(typed: str) -> None:
    with pytest.raises(UrlError) as caught:
        parse_seed_url(typed)
    assert caught.value.why


@pytest.mark.parametrize(
    ("typed", "clean"),
    [
        ("https://user:secret@example.com/x?y", "https://example.com"),
        ("http://user@example.com:8080/", "http://example.com:8080"),
    ],
)
def test_a_seed_with_credentials_is_rejected_without_showing_them(typed: str, clean: str) -> None:
    with pytest.raises(UrlError) as caught:
        parse_seed_without_credentials(typed, "use --header")
    assert caught.value.url == clean
    assert "secret" not in str(caught.value)
    assert "use --header" in str(caught.value)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("example.com", "https://example.com/"),
        ("https://example.com/@user", "https://example.com/@user"),
        ("https://example.com/?mail=a@b.c", "https://example.com/?mail=a@b.c"),
    ],
)
def test_a_seed_without_credentials_is_accepted(typed: str, expected: str) -> None:
    assert parse_seed_without_credentials(typed, "use --header") == expected


@pytest.mark.parametrize(
    "typed", ["user:secret@example.com", "ftp://user:secret@e.com/", "//u:secret@", "u:s@secret@e"]
)
def test_errors_do_not_show_passwords(typed: str) -> None:
    with pytest.raises(UrlError) as caught:
        parse_seed_url(typed)
    assert "secret" not in str(caught.value)


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
def test_unusable_urls_are_explained(text: str, part: str) -> None:
    assert part in explain_unusable_url(text)
