"""Normalization of URLs: examples, policies, and properties that hold for any text."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headwater import Policy, normalize
from headwater.urls import spell_url
from headwater.urls.normalization import UNRESERVED
from headwater.urls.parsing import get_authority
from tests.urls.strategies import url_like

# The name of the example, a URL and its listed spelling.
EXAMPLES = [
    ("lower-case scheme and host", "HTTP://EXAMPLE.COM/Path", "http://example.com/Path"),
    ("fragment", "https://example.com/page#section", "https://example.com/page"),
    ("trailing slash", "https://example.com/about/", "https://example.com/about"),
    ("root", "https://example.com/", "https://example.com/"),
    ("no path", "https://example.com", "https://example.com/"),
    ("default port of https", "https://example.com:443/page", "https://example.com/page"),
    ("default port of http", "http://example.com:80/page", "http://example.com/page"),
    ("port of another scheme", "http://example.com:443/page", "http://example.com:443/page"),
    ("escapes of unreserved characters", "https://example.com/%41%7a%30%2D%5F%2E%7E", "https://example.com/Az0-_.~"),
    (
        "%20 is not unreserved",
        "https://example.com/hello%20world",
        "https://example.com/hello%20world",
    ),
    ("space", "https://example.com/hello world", "https://example.com/hello%20world"),
    ("path case is kept", "HTTPS://Docs.Example.COM/Page/", "https://docs.example.com/Page"),
    ("dot segments", "https://example.com/./page", "https://example.com/page"),
    ("dot-dot segments", "https://example.com/a/../page", "https://example.com/page"),
    (
        "several parameters",
        "https://docs.example.com/page?foo=bar&baz=qux",
        "https://docs.example.com/page?foo=bar&baz=qux",
    ),
    ("lower-case host only", "https://EXAMPLE.com/A", "https://example.com/A"),
    ("trailing slash of another site", "https://site.com/page/", "https://site.com/page"),
    ("fragment of another site", "https://site.com/page#x", "https://site.com/page"),
    ("upper-case escapes", "https://example.com/a%2fb%c3%a9", "https://example.com/a%2Fb%C3%A9"),
    ("escaped dots", "https://example.com/a/%2e%2E/b", "https://example.com/b"),
    ("non-ASCII path", "https://example.com/é", "https://example.com/%C3%A9"),
    ("empty query", "https://example.com/a?", "https://example.com/a"),
    ("empty query and fragment", "https://example.com/a/?#x", "https://example.com/a"),
    ("slash before a query", "https://example.com/a/?b=1", "https://example.com/a?b=1"),
    ("root with a query", "https://example.com?b=1", "https://example.com/?b=1"),
    ("slash in a query", "https://example.com/a?b=c/", "https://example.com/a?b=c/"),
    ("escapes in a query", "https://example.com/?q=%7Efoo%2f", "https://example.com/?q=~foo%2F"),
    ("several slashes at the end", "https://example.com/a//", "https://example.com/a"),
    ("only slashes", "https://example.com///", "https://example.com/"),
    ("slashes in a path", "https://example.com//a//b", "https://example.com//a//b"),
    ("backslashes", "https://example.com\\a\\b\\", "https://example.com/a/b"),
    ("user information", "https://user:secret@example.com/a", "https://example.com/a"),
    ("@ in a path", "https://example.com/@user/", "https://example.com/@user"),
    ("IDNA", "https://MÜNCHEN.example/", "https://xn--mnchen-3ya.example/"),
    ("IDNA, invalid label", "https://xn--/a/", "https://xn--/a"),
    ("IPv4 in disguise", "http://0x7f.1/a/", "http://127.0.0.1/a"),
    ("IPv6", "http://[2001:DB8::0:1]:80/a/", "http://[2001:db8::1]/a"),
    ("stray percent", "https://example.com/100%", "https://example.com/100%"),
    ("decoding must not make an escape", "https://example.com/%%34a", "https://example.com/%%34a"),
    ("www is significant", "https://www.example.com/a", "https://www.example.com/a"),
    ("blanks around", "  https://example.com/a\t\n", "https://example.com/a"),
    ("tab inside", "https://example.com/a\tb", "https://example.com/ab"),
]

INVALID = [
    "",
    " ",
    "about",
    "/about",
    "#x",
    "mailto:x@example.com",
    "javascript:1",
    "http://",
    "http://[::1",
    "http://a:b/",
]


@pytest.mark.parametrize(("url", "expected"), [row[1:] for row in EXAMPLES], ids=[row[0] for row in EXAMPLES])
def test_normalize_returns_the_listed_spelling(url: str, expected: str) -> None:
    assert normalize(url) == expected
    assert normalize(expected) == expected


@pytest.mark.parametrize("url", INVALID)
def test_text_that_is_not_a_url_has_no_spelling(url: str) -> None:
    assert normalize(url) is None
    assert spell_url(url) is None


@pytest.mark.parametrize(
    ("policy", "url", "expected"),
    [
        (Policy(trailing_slash="keep"), "https://example.com/a/", "https://example.com/a/"),
        (Policy(query="drop"), "https://example.com/a?b=1", "https://example.com/a"),
        (Policy(drop_tracking=True), "https://e.com/a?utm_source=x&b=1&FBCLID=2", "https://e.com/a?b=1"),
        (Policy(drop_tracking=True), "https://e.com/a?utm_source=x", "https://e.com/a"),
        (Policy(drop_tracking=True), "https://e.com/a;jsessionid=1?start=5&PHPSESSID=2", "https://e.com/a?start=5"),
        (Policy(drop_tracking=True, spelling="answered"), "https://e.com/a;jsessionid=1", "https://e.com/a"),
        (Policy(), "https://e.com/a;jsessionid=1?PHPSESSID=2", "https://e.com/a;jsessionid=1?PHPSESSID=2"),
        (Policy(), "https://e.com/a?utm_source=x", "https://e.com/a?utm_source=x"),
        (Policy(drop_parameters=("sid", "ref_*")), "https://e.com/?sid=1&ref_a=2&c=3", "https://e.com/?c=3"),
        (Policy(sort_query=True), "https://e.com/?b=2&a=1&b=1", "https://e.com/?a=1&b=1&b=2"),
        (Policy(), "https://e.com/?b=2&a=1", "https://e.com/?b=2&a=1"),
        (Policy(fold_www=True), "https://www.example.com/a", "https://example.com/a"),
        (Policy(fold_www=True), "https://www.com/a", "https://www.com/a"),
        (Policy(force_https=True), "http://example.com/a", "https://example.com/a"),
        (Policy(force_https=True), "http://example.com:8080/a", "https://example.com:8080/a"),
    ],
)
def test_policies_change_the_listed_spelling(policy: Policy, url: str, expected: str) -> None:
    assert normalize(url, policy) == expected
    assert normalize(expected, policy) == expected


@pytest.mark.parametrize(
    ("url", "fetch_url", "listed", "key"),
    [
        ("http://e.com/a/#x", "http://e.com/a/", "http://e.com/a", "https://e.com/a"),
        ("https://e.com/a/", "https://e.com/a/", "https://e.com/a", "https://e.com/a"),
        ("http://e.com:8080/a/", "http://e.com:8080/a/", "http://e.com:8080/a", "http://e.com:8080/a"),
        ("http://[::1]/a", "http://[::1]/a", "http://[::1]/a", "https://[::1]/a"),
        ("http://[::1]:81/a", "http://[::1]:81/a", "http://[::1]:81/a", "http://[::1]:81/a"),
        ("https://e.com/%7ea%2fb/?", "https://e.com/%7ea%2fb/?", "https://e.com/~a%2Fb", "https://e.com/~a%2Fb"),
        ("https://u:p@e.com/a", "https://e.com/a", "https://e.com/a", "https://e.com/a"),
    ],
)
def test_spell_url_returns_three_spellings(url: str, fetch_url: str, listed: str, key: str) -> None:
    assert spell_url(url) == (fetch_url, listed, key)


def test_folding_www_joins_pages_without_renaming_them() -> None:
    spelling = spell_url("http://www.example.com/a/", Policy(fold_www=True))
    assert spelling == ("http://www.example.com/a/", "http://www.example.com/a", "https://example.com/a")


def test_spellings_of_one_page_have_one_key() -> None:
    urls = [
        "https://example.com/page",
        "https://example.com/page/",
        "https://example.com/page#s",
        "https://EXAMPLE.com/page",
    ]
    assert {spelling.key for url in urls if (spelling := spell_url(url))} == {"https://example.com/page"}


POLICIES = st.builds(
    Policy,
    trailing_slash=st.sampled_from(["strip", "keep"]),
    query=st.sampled_from(["keep", "drop"]),
    drop_parameters=st.sampled_from([(), ("a", "b*")]),
    drop_tracking=st.booleans(),
    sort_query=st.booleans(),
    fold_www=st.booleans(),
    force_https=st.booleans(),
)


@settings(max_examples=500)
@given(url_like(), POLICIES)
@example("http://www.www.example.com/", Policy(fold_www=True))
@example("http://e.com/%%34%31//?&&#", Policy(sort_query=True))
@example("http://e.com/;/..//?", Policy())
def test_normalize_is_idempotent_and_never_raises(text: str, policy: Policy) -> None:
    once = normalize(text, policy)
    if once is not None:
        assert normalize(once, policy) == once


@settings(max_examples=500)
@given(url_like())
def test_url_and_key_are_consistent(text: str) -> None:
    spelling = spell_url(text)
    assert (spelling is None) == (normalize(text) is None)
    if spelling is not None:
        assert spelling.url == normalize(text)
        assert get_authority(spelling.url) == get_authority(spelling.key) == get_authority(spelling.fetch_url)
        again = spell_url(spelling.url)
        assert again is not None
        assert (again.url, again.key) == (spelling.url, spelling.key)


@given(st.text())
def test_spell_url_never_raises(text: str) -> None:
    normalize(text)
    normalize("http://" + text)


def test_only_unreserved_characters_are_decoded() -> None:
    escaped = "".join(f"%{byte:02x}" for byte in range(0x21, 0x7F) if chr(byte) not in "./")
    listed = normalize(f"https://example.com/{escaped}")
    assert listed is not None
    kept = {chr(int(part[:2], 16)) for part in listed.split("/")[-1].split("%")[1:]}
    assert not kept & set(UNRESERVED)
    assert len(kept) == len(set(map(chr, range(0x21, 0x7F))) - set(UNRESERVED) - set("./"))
