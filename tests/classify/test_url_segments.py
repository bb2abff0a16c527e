"""Hosts, path segments and parameters of URLs."""

from __future__ import annotations

import pytest
from hypothesis import given

from headwater.classify import split_path
from headwater.classify.url_segments import classify_segment, get_host, parse_parameters, strip_language
from tests.urls.strategies import url_like

ROWS = [
    ("https://e.com", ()),
    ("https://e.com/", ()),
    ("https://e.com/index.html", ()),
    ("https://e.com/docs/index.php", ("docs",)),
    ("https://e.com/docs/Default.aspx", ("docs",)),
    ("https://e.com/docs/index", ("docs",)),
    ("https://e.com/library/os.path.html", ("library", "os.path")),
    ("https://e.com//a///b/", ("a", "b")),
    ("https://e.com/a.html/", ("a.html",)),
    ("https://e.com/whatsnew/3.11", ("whatsnew", "3.11")),
    ("https://e.com/whatsnew/3.11.html?x=/y#z/w", ("whatsnew", "3.11")),
    ("https://e.com/caf%C3%A9/na%20me", ("café", "na me")),
    ("https://e.com/a%2Fb/c", ("a/b", "c")),
    ("https://e.com/a;jsessionid=1/b;v=2", ("a", "b")),
    ("/docs/intro.md", ("docs", "intro")),
    ("https://e.com/.html", (".html",)),
    ("https://e.com/a/.html", ("a", ".html")),
    ("https://e.com/a.html/b.html", ("a.html", "b")),
    ("https://e.com?q=/a/b", ()),
]


@pytest.mark.parametrize(("url", "expected"), ROWS)
def test_paths_are_split_into_decoded_segments(url: str, expected: tuple[str, ...]) -> None:
    assert split_path(url) == expected


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://De.Example.com:8080/a", "de.example.com"),
        ("https://u:p@e.com/", "e.com"),
        ("http://[::1]:80/", "[::1"),
        ("/a/b", ""),
    ],
)
def test_the_host_of_a_url(url: str, host: str) -> None:
    assert get_host(url) == host


@pytest.mark.parametrize(
    ("path", "language", "expected"),
    [
        (("de", "blog"), "de", ("blog",)),
        (("docs", "pt-BR", "intro"), "pt-br", ("docs", "intro")),
        (("it", "help"), "en", ("it", "help")),
        (("en", "help"), "it", ("en", "help")),
        (("en", "it", "help"), "it", ("en", "help")),
        (("a", "b", "de", "c"), "de", ("a", "b", "c")),
        (("a", "b", "c", "de"), "de", ("a", "b", "c", "de")),
        (("de", "blog"), "", ("de", "blog")),
        (("design", "x"), "de", ("design", "x")),
    ],
)
def test_translations_share_a_path(path: tuple[str, ...], language: str, expected: tuple[str, ...]) -> None:
    assert strip_language(path, language) == expected


def test_a_url_inside_a_url_is_a_name() -> None:
    (_, inner) = split_path("https://e.com/go/https%3A%2F%2Fother.example%2F2024")
    assert classify_segment(inner) == inner == "https://other.example/2024"


@given(url_like())
def test_no_text_raises(text: str) -> None:
    assert all(split_path(text)), "no empty segment"
    assert isinstance(get_host(text), str)
    assert isinstance(parse_parameters(text), list)
    for segment in split_path(text):
        assert isinstance(classify_segment(segment), str)
