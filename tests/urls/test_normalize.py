"""Identity of URLs: the seeds' rules and examples, the policies, and the laws that hold for any text."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headwater import Policy, normalize
from headwater.urls import prefer_https, spell_url
from headwater.urls.normalization import UNRESERVED
from headwater.urls.parsing import get_authority
from tests.urls.strategies import url_like

# Each row: where the example stands, input, listed spelling.
EXAMPLES = [
    ("003 rule 1", "HTTP://EXAMPLE.COM/Path", "http://example.com/Path"),
    ("003 rule 2", "https://example.com/page#section", "https://example.com/page"),
    ("003 rule 3", "https://example.com/about/", "https://example.com/about"),
    ("003 rule 4", "https://example.com/", "https://example.com/"),
    ("003 rule 4, no path", "https://example.com", "https://example.com/"),
    ("003 rule 5, https", "https://example.com:443/page", "https://example.com/page"),
    ("003 rule 5, http", "http://example.com:80/page", "http://example.com/page"),
    ("003 rule 5, other port", "http://example.com:443/page", "http://example.com:443/page"),
    ("003 rule 6, unreserved", "https://example.com/%41%7a%30%2D%5F%2E%7E", "https://example.com/Az0-_.~"),
    (
        "003 rule 6, settled: %20 is not unreserved",
        "https://example.com/hello%20world",
        "https://example.com/hello%20world",
    ),
    ("003 rule 6, raw blank", "https://example.com/hello world", "https://example.com/hello%20world"),
    ("000, settled: path case is kept", "HTTPS://Docs.Example.COM/Page/", "https://docs.example.com/Page"),
    ("000 fragments", "https://example.com/page#section", "https://example.com/page"),
    ("000 dot segments", "https://example.com/./page", "https://example.com/page"),
    ("000 dot-dot segments", "https://example.com/a/../page", "https://example.com/page"),
    (
        "000 CDATA example",
        "https://docs.example.com/page?foo=bar&baz=qux",
        "https://docs.example.com/page?foo=bar&baz=qux",
    ),
    ("001, settled: the root keeps its slash", "https://example.com/", "https://example.com/"),
    ("001 lower case", "https://EXAMPLE.com/A", "https://example.com/A"),
    ("002 slash", "https://site.com/page/", "https://site.com/page"),
    ("002 fragment", "https://site.com/page#x", "https://site.com/page"),
    ("upper-case escapes", "https://example.com/a%2fb%c3%a9", "https://example.com/a%2Fb%C3%A9"),
    ("escaped dots", "https://example.com/a/%2e%2E/b", "https://example.com/b"),
    ("non-ASCII path", "https://example.com/é", "https://example.com/%C3%A9"),
    ("empty query", "https://example.com/a?", "https://example.com/a"),
    ("empty query and fragment", "https://example.com/a/?#x", "https://example.com/a"),
    ("slash before a query", "https://example.com/a/?b=1", "https://example.com/a?b=1"),
    ("root with a query", "https://example.com?b=1", "https://example.com/?b=1"),
    ("slash inside a query stays", "https://example.com/a?b=c/", "https://example.com/a?b=c/"),
    ("escapes in a query", "https://example.com/?q=%7Efoo%2f", "https://example.com/?q=~foo%2F"),
    ("several slashes at the end", "https://example.com/a//", "https://example.com/a"),
    ("only slashes", "https://example.com///", "https://example.com/"),
    ("slashes inside stay", "https://example.com//a//b", "https://example.com//a//b"),
    ("backslashes", "https://example.com\\a\\b\\", "https://example.com/a/b"),
    ("user information", "https://user:secret@example.com/a", "https://example.com/a"),
    ("@ in the path stays", "https://example.com/@user/", "https://example.com/@user"),
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
def test_examples(url: str, expected: str) -> None:
    assert normalize(url) == expected
    assert normalize(expected) == expected


@pytest.mark.parametrize("url", INVALID)
def test_what_is_no_url_has_no_spelling(url: str) -> None:
    assert normalize(url) is None
    assert spell_url(url) is None


@pytest.mark.parametrize(
    ("policy", "url", "expected"),
    [
        (Policy(trailing_slash="keep"), "https://example.com/a/", "https://example.com/a/"),
        (Policy(query="drop"), "https://example.com/a?b=1", "https://example.com/a"),
        (Policy(drop_tracking=True), "https://e.com/a?utm_source=x&b=1&FBCLID=2", "https://e.com/a?b=1"),
        (Policy(drop_tracking=True), "https://e.com/a?utm_source=x", "https://e.com/a"),
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
def test_policies(policy: Policy, url: str, expected: str) -> None:
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
def test_three_spellings(url: str, fetch_url: str, listed: str, key: str) -> None:
    assert spell_url(url) == (fetch_url, listed, key)


def test_folding_www_joins_pages_without_renaming_them() -> None:
    spelling = spell_url("http://www.example.com/a/", Policy(fold_www=True))
    assert spelling == ("http://www.example.com/a/", "http://www.example.com/a", "https://example.com/a")


def test_the_four_duplicates_of_seed_000_are_one_page() -> None:
    urls = [
        "https://example.com/page",
        "https://example.com/page/",
        "https://example.com/page#s",
        "https://EXAMPLE.com/page",
    ]
    assert {spelling.key for url in urls if (spelling := spell_url(url))} == {"https://example.com/page"}


def test_https_is_listed_when_both_were_seen() -> None:
    assert prefer_https(["http://example.com/page", "https://example.com/page"]) == "https://example.com/page"
    assert prefer_https(["http://example.com/page"]) == "http://example.com/page"


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
def test_url_and_key_agree(text: str) -> None:
    spelling = spell_url(text)
    assert (spelling is None) == (normalize(text) is None)
    if spelling is not None:
        assert spelling.url == normalize(text)
        assert get_authority(spelling.url) == get_authority(spelling.key) == get_authority(spelling.fetch_url)
        again = spell_url(spelling.url)
        assert again is not None
        assert (again.url, again.key) == (spelling.url, spelling.key)


@given(st.text())
def test_any_text_at_all(text: str) -> None:
    normalize(text)
    normalize("http://" + text)


def test_only_unreserved_characters_are_decoded() -> None:
    escaped = "".join(f"%{byte:02x}" for byte in range(0x21, 0x7F) if chr(byte) not in "./")
    listed = normalize(f"https://example.com/{escaped}")
    assert listed is not None
    kept = {chr(int(part[:2], 16)) for part in listed.split("/")[-1].split("%")[1:]}
    assert not kept & set(UNRESERVED)
    assert len(kept) == len(set(map(chr, range(0x21, 0x7F))) - set(UNRESERVED) - set("./"))
