"""URLs in structured data."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.pages.links.json_ld import extract_json_ld_urls


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ({"@id": "/a", "url": "/b"}, ["/a", "/b"]),
        ({"url": ["/a", "/b"]}, ["/a", "/b"]),
        ({"url": {"@id": "/a"}}, ["/a"]),
        ({"@graph": [{"@id": "/a"}, {"mainEntityOfPage": "/b"}]}, ["/a", "/b"]),
        ({"itemListElement": [{"item": "/a"}, {"item": {"@id": "/b", "name": "B"}}]}, ["/a", "/b"]),
        ({"potentialAction": {"target": {"urlTemplate": "/search?q={q}"}}}, ["/search?q={q}"]),
        ({"sameAs": ["https://f.com/", "https://g.com/"]}, ["https://f.com/", "https://g.com/"]),
        ([{"url": "/a"}, {"url": "/a"}], ["/a"]),
        ({"url": " /a\n"}, ["/a"]),
        ({"url": ""}, []),
        ({"url": 7}, []),
        ({"url": None}, []),
        ({"name": "/a", "image": "/b.png", "URL": "/c"}, []),
        ("/a", []),
        ([], []),
    ],
)
def test_urls_under_names_that_hold_pages(value: object, urls: list[str]) -> None:
    assert extract_json_ld_urls(json.dumps(value)) == urls


@pytest.mark.parametrize(
    "text",
    ["", "{broken", '{"url": "/a"', "[" * 100_000, '{"url": "/a"}' + " " * 4_000_000],
    ids=["empty", "broken", "cut", "too deep to parse", "too long"],
)
def test_text_that_cannot_be_read_has_no_urls(text: str) -> None:
    assert extract_json_ld_urls(text) == []


@pytest.mark.parametrize(("depth", "urls"), [(99, ["/a"]), (101, [])])
def test_nested_values_are_read_up_to_a_depth(depth: int, urls: list[str]) -> None:
    assert extract_json_ld_urls('{"url":' + "[" * depth + '"/a"' + "]" * depth + "}") == urls


@given(st.text(alphabet='{}[]",:url@id /a1\\'))
def test_no_text_raises(text: str) -> None:
    extract_json_ld_urls(text)
