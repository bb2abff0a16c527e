"""Parsing of robots.txt files as they occur on the web."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater import parse_robots

EXAMPLE = """\
# comment
User-agent: *
Disallow: /private/   # with a comment
Disallow: /*.pdf$
Allow: /private/open
Crawl-delay: 2.5

User-agent: other
User-agent: Headwater
Disallow: /ours
Crawl-delay: 1

Sitemap: https://example.com/a.xml
sitemap : https://example.com/b.xml
Site-map: https://example.com/a.xml
"""


@pytest.mark.parametrize(
    ("agent", "path", "allowed", "line"),
    [
        ("any", "/", True, None),
        ("any", "/private/x", False, 3),
        ("any", "/private", True, None),
        ("any", "/private/open/x", True, 5),
        ("any", "/a/b.pdf", False, 4),
        ("any", "/a/b.pdf?x", True, None),
        ("headwater", "/private/x", True, None),
        ("headwater/0.1", "/ours/x", False, 10),
        ("HEADWATER", "/ours", False, 10),
        ("other", "/ours", False, 10),
    ],
)
def test_rules_by_agent_and_path(agent: str, path: str, allowed: bool, line: int | None) -> None:
    robots = parse_robots(EXAMPLE)
    rule = robots.find_deciding_rule(agent, "https://example.com" + path)
    assert robots.allows(agent, "https://example.com" + path) is allowed
    assert (rule.line if rule else None) == line


@pytest.mark.parametrize(
    "url",
    [
        "https://e.com/private/x",
        "http://e.com:8080/private/x",
        "/private/x",
        "private/x",
        "/private/x#part",
        "/private/#",
    ],
)
def test_rules_match_path_and_query(url: str) -> None:
    assert not parse_robots(EXAMPLE).allows("any", url)


@pytest.mark.parametrize("url", ["https://private/", "https://e.com/#/private/x", "https://e.com", "", "#/private/x"])
def test_rules_ignore_host_and_fragment(url: str) -> None:
    assert parse_robots(EXAMPLE).allows("any", url)


def test_delays_and_sitemaps() -> None:
    robots = parse_robots(EXAMPLE)
    assert (robots.crawl_delay("any"), robots.crawl_delay("headwater")) == (2.5, 1.0)
    assert robots.sitemaps == ("https://example.com/a.xml", "https://example.com/b.xml")


@pytest.mark.parametrize(
    ("content", "allowed"),
    [
        (b"", True),
        (b"<!doctype html><title>Not found</title><p>User-agent: *", True),
        (b"\xef\xbb\xbfUser-agent: *\nDisallow: /", False),
        ("User-agent: *\nDisallow: /".encode("utf-16"), False),
        ("\ufeffUser-agent: *\nDisallow: /".encode("utf-16-be"), False),
        (b"User-agent: *\rDisallow: /\r", False),
        (b"User-agent: *\nDisallow: /\xff\xfe", True),
        (b"\x00" * 100, True),
        (b"User-agent: *\nDisallow:", True),
        (b"Disallow: /", True),
        (b"User-agent: *\n" + b"# x\n" * 200_000 + b"Disallow: /", True),
        (b"User-agent: *\nDisallow: /\n" + b"x" * 1_000_000, False),
    ],
)
def test_malformed_files(content: bytes, allowed: bool) -> None:
    assert parse_robots(content).allows("headwater", "https://example.com/page") is allowed


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/a*b", "/axxb", True),
        ("/a*b", "/ab/c", True),
        ("/a*b$", "/axb/c", False),
        ("/a*b$", "/axbxb", True),
        ("/*a*a$", "/a", False),
        ("/*", "/anything", True),
        ("*", "/anything", True),
        ("/a$", "/a", True),
        ("/a$", "/ab", False),
        ("$", "/", False),
        ("/a**b", "/ab", True),
        ("/%7euser", "/%7Euser", True),
        ("/é", "/%C3%A9", True),
    ],
)
def test_wildcards_match(pattern: str, path: str, matches: bool) -> None:
    robots = parse_robots(f"User-agent: *\nDisallow: {pattern}")
    assert robots.allows("x", "https://example.com" + path) is not matches


def test_the_longest_rule_wins_and_allow_wins_a_tie() -> None:
    robots = parse_robots("User-agent: *\nDisallow: /a\nAllow: /a\nDisallow: /a/b*\nAllow: /a/b/c/d")
    assert robots.allows("x", "https://e.com/a")
    assert not robots.allows("x", "https://e.com/a/bc")
    assert robots.allows("x", "https://e.com/a/b/c/d/e")


@pytest.mark.parametrize("as_text", [False, True])
def test_at_least_500_kib_are_read(as_text: bool) -> None:
    """RFC 9309 requires this; lines far beyond are ignored."""
    line = "# a comment that fills the file\n"
    filling = line * (500 * 1024 // len(line) - 10)
    near = f"User-agent: *\n{filling}Disallow: /near\n"
    far = f"{near}{filling}{filling}Disallow: /far\n"
    assert len(near) <= 500 * 1024
    robots = parse_robots(far if as_text else far.encode())
    assert not robots.allows("any", "https://e.com/near")
    assert robots.allows("any", "https://e.com/far")


def test_many_wildcards_take_linear_time() -> None:
    robots = parse_robots("User-agent: *\nDisallow: /" + "*a" * 500 + "$")
    assert robots.allows("x", "https://e.com/" + "a" * 2000 + "b")


@given(st.one_of(st.binary(), st.text()))
def test_never_raises(content: bytes | str) -> None:
    robots = parse_robots(content)
    robots.allows("headwater", "https://example.com/a?b")
    robots.crawl_delay("headwater")


def test_agents_of_a_group_share_rules_and_delays() -> None:
    robots = parse_robots(
        "User-agent: a\nCrawl-delay: 3\nUser-agent: b\nUser-agent: a\nDisallow: /x\n"
        "User-agent: b\nAllow: /x/y\n# User-agent: c\n : \nCrawl-delay: 5 # seconds"
    )
    assert [robots.crawl_delay(agent) for agent in "abc"] == [3, 5, None]
    assert [robots.allows(agent, "https://e.com/x/y") for agent in "abc"] == [False, True, True]
    assert [robots.allows(agent, "https://e.com/x") for agent in "abc"] == [False, False, True]


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("user-agent: *\nallow: /a\ndisallow: /b", ["/a"]),
        ("user-agent: *\ndisallow: /a\nallow: /a/b", ["/a/b"]),
        ("user-agent: x\ndisallow: /a$\ndisallow: /b*", ["/a", "/b"]),
        ("user-agent: x\ndisallow: /a\nuser-agent: headwater\ndisallow: /a", []),
        ("user-agent: *\nallow: /*.css\nallow: /\nallow:", []),
        ("", []),
    ],
)
def test_paths_that_are_named_and_allowed(text: str, paths: list[str]) -> None:
    assert parse_robots(text).list_allowed_paths("headwater") == paths
