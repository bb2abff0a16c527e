"""Decoding and parsing of pages as in a browser: by byte order mark, header, declaration or content."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.pages.documents.html_parser import collapse_whitespace, parse_html

LATIN = "<meta charset=windows-1252>"
JAPANESE = "<meta charset=iso-2022-jp>"


def text_of(body: bytes | str, charset: str = "") -> str:
    return "".join(element.text for element in parse_html(body, charset).select("p"))


@pytest.mark.parametrize(
    ("body", "charset", "expected"),
    [
        # nothing is declared
        (b"<p>plain", "", "plain"),
        ("<p>café".encode(), "", "café"),
        ("<p>café".encode("windows-1252"), "", "café"),
        # the server declares it
        ("<p>café".encode(), "utf-8", "café"),
        ("<p>café".encode(), "utf8", "café"),
        ("<p>café".encode("windows-1252"), "windows-1252", "café"),
        ("<p>café".encode(), "windows-1252", "cafÃ©"),
        ("<p>日本".encode("shift_jis"), "shift_jis", "日本"),
        ("<p>plain".encode("utf-16-le"), "utf-16le", "plain"),
        ("<p>日本".encode("iso-2022-jp"), "iso-2022-jp", "日本"),
        # the server is wrong
        ("<p>café".encode("windows-1252"), "utf-8", "caf\ufffd"),
        ("<p>café".encode(), "no-such-encoding", "café"),
        (b"<p>plain", "no-such-encoding", "plain"),
        # the document declares it
        ((LATIN + "<p>café").encode("windows-1252"), "", "café"),
        ((LATIN + "<p>café").encode(), "", "cafÃ©"),
        ((JAPANESE + "<p>日本").encode("iso-2022-jp"), "", "日本"),
        ((LATIN + "<p>café").encode(), "utf-8", "café"),
        # a byte order mark takes precedence over both
        ("<p>café".encode("utf-8-sig"), "", "café"),
        ("<p>café".encode("utf-8-sig"), "utf-8", "café"),
        ("<p>café".encode("utf-8-sig"), "windows-1252", "café"),
        ((LATIN + "<p>café").encode("utf-8-sig"), "", "café"),
        ("<p>café".encode("utf-16"), "", "café"),
        # odd bytes
        (b"<p>a\0b", "", "ab"),
        (b"<p>a\x1bb", "", "a\x1bb"),
        (b"", "", ""),
        # text is not decoded again
        ("<p>café", "", "café"),
        (LATIN + "<p>café", "windows-1252", "café"),
    ],
)
def test_the_encoding_of_a_page_is_found(body: bytes | str, charset: str, expected: str) -> None:
    assert text_of(body, charset) == expected


@given(st.binary(max_size=40), st.sampled_from(["", "utf-8", "windows-1252", "utf-16le", "no-such-encoding"]))
def test_any_bytes_can_be_parsed(body: bytes, charset: str) -> None:
    assert isinstance(text_of(b"<p>" + body, charset), str)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="<&"), max_size=40))
def test_utf_8_text_is_kept(text: str) -> None:
    assert text_of(f"<p>{text}".encode(), "utf-8") == text


@pytest.mark.parametrize("tag", ["<template>", "<noscript>", "<template shadowrootmode=open>"])
def test_links_in_passive_elements_are_found(tag: str) -> None:
    document = parse_html(f"<div>{tag}<a href=/x>x</a></div>")
    assert [link.attr("href") for link in document.select("a")] == ["/x"]


@pytest.mark.parametrize(
    ("text", "expected"), [(" a \n\t b ", "a b"), ("a", "a"), ("", ""), (" \n ", ""), ("a\u00a0b", "a b")]
)
def test_collapse_whitespace(text: str, expected: str) -> None:
    assert collapse_whitespace(text) == expected
