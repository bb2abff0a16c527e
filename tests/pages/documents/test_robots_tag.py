"""Directives of X-Robots-Tag headers and robots `<meta>` elements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.pages.documents.robots_tag import RobotsTag, parse_robots_tag


@pytest.mark.parametrize(
    ("value", "agent", "nofollow", "noindex"),
    [
        ("", "", False, False),
        ("all", "", False, False),
        ("noindex", "", False, True),
        ("NoFollow , NOINDEX", "", True, True),
        ("none", "", True, True),
        ("googlebot: none", "", False, False),
        ("headwater: nofollow", "", True, False),
        ("googlebot: noindex, nofollow", "", False, False),
        ("googlebot: noindex\nnofollow", "", True, False),
        ("googlebot: noindex, headwater: nofollow", "", True, False),
        ("*: nofollow", "", True, False),
        ("unavailable_after: 25 Jun 2026 15:00:00 GMT, nofollow", "", True, False),
        ("max-snippet: 20, noindex", "", False, True),
        ("nofollow", "robots", True, False),
        ("nofollow", "Headwater", True, False),
        ("nofollow", "googlebot", False, False),
        ("nofollower", "", False, False),
    ],
)
def test_directives_are_parsed(value: str, agent: str, nofollow: bool, noindex: bool) -> None:
    assert parse_robots_tag(value, agent) == (nofollow, noindex)


def test_the_stricter_of_header_and_meta_applies() -> None:
    assert RobotsTag(nofollow=True) | RobotsTag(noindex=True) == (True, True)


@given(st.text(), st.text())
def test_never_raises(value: str, agent: str) -> None:
    parse_robots_tag(value, agent)
