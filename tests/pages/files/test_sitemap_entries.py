"""Texts of sitemaps and feeds: entities, CDATA and attributes."""

from __future__ import annotations

import pytest

from headwater.pages.files.sitemap_entries import MAX_LOC_LENGTH, decode_text, get_element_text, parse_attributes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        (" \n a \t", "a"),
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
        ("a&amp;amp;b", "a&amp;b"),
        ("&nbsp;&AMP;&", "&nbsp;&AMP;&"),
        ("&#65;&#x41;&#X41;", "AAA"),
        ("&#233;&#x1F600;", "é😀"),
        # the limits of Unicode
        ("a&#0;", "a\ufffd"),
        ("&#1;", "\x01"),
        ("&#x10FFFF;", "\U0010ffff"),
        ("&#x110000;", "\ufffd"),
        ("&#1114111;", "\U0010ffff"),
        ("&#1114112;", "\ufffd"),
        ("&#9999999;", "\ufffd"),
        ("&#xD7FF;", "\ud7ff"),
        ("&#xD800;", "\ufffd"),
        ("&#xDFFF;", "\ufffd"),
        ("&#xE000;", "\ue000"),
        # no entities in CDATA
        ("<![CDATA[a&amp;b<c>]]>", "a&amp;b<c>"),
        ("x<![CDATA[a]]>y<![CDATA[b]]>", "xayb"),
        ("<![CDATA[a", "a"),
        ("a<b>c</b>", "a"),
        ("", ""),
    ],
)
def test_entities_and_cdata_are_decoded(text: str, expected: str) -> None:
    assert decode_text(text) == expected


def test_long_texts_are_cut() -> None:
    assert (
        decode_text("x" * (MAX_LOC_LENGTH + 1))
        == get_element_text("<loc>" + "x" * (MAX_LOC_LENGTH + 1) + "</loc>", "<loc>")
        == "x" * MAX_LOC_LENGTH
    )


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("<loc>a</loc>", "a"),
        ("<x>b</x><loc>a</loc><loc>c</loc>", "a"),
        ("<loc >a</loc>", "a"),
        ("<loc x='1'>a</loc>", "a"),
        ("<location>b</location><loc x='1'>a</loc>", "a"),
        ("<loc> a&amp;b </loc>", "a&b"),
        ("<loc><![CDATA[a<b>]]></loc>", "a<b>"),
        ("<loc><![CDATA[a]]><![CDATA[b]]></loc>", "ab"),
        ("<loc><![CDATA[a", "a"),
        ("<loc>a", "a"),
        ("<loc></loc>", ""),
        ("<loc/>", ""),
        ("<location>b</location>", ""),
        ("", ""),
    ],
)
def test_the_text_of_the_first_element_is_returned(block: str, expected: str) -> None:
    assert get_element_text(block, "<loc>") == expected


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<link href=\"/a\" rel='next'>", {"href": "/a", "rel": "next"}),
        ("<link HREF = '/a?x=1&amp;y'>", {"href": "/a?x=1&y"}),
        ("<link xml:base='/b' data-href='/c'>", {"xml:base": "/b", "data-href": "/c"}),
        ("<link href=/a>", {}),
        ("<link>", {}),
    ],
)
def test_attributes_are_parsed(tag: str, expected: dict[str, str]) -> None:
    assert parse_attributes(tag) == expected
