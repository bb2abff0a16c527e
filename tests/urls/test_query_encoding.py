"""Queries are encoded in the encoding of their page."""

from __future__ import annotations

import pytest

from headwater.urls.query_encoding import encode_query, get_query_codec

# A link, the encoding of its page as the parser names it, and the link as a browser sends it.
LINKS: list[tuple[str, str, str]] = [
    ("/r?q=été", "windows-1252", "/r?q=%E9t%E9"),
    ("/r?q=€", "windows-1252", "/r?q=%80"),
    ("/é?é#é", "windows-1252", "/é?%E9#é"),
    ("/r#é?é", "windows-1252", "/r#é?é"),
    ("/é", "windows-1252", "/é"),
    ("?a=1&b=%C3%A9", "windows-1252", "?a=1&b=%C3%A9"),
    ("?á|", "windows-1252", "?%E1|"),
    ("?†", "windows-1252", "?%86"),
    ("?†", "Big5", "?%26%238224%3B"),
    ("?†é", "EUC-KR", "?%A2%D3%26%23233%3B"),
    ("?ア", "Shift_JIS", "?%83A"),
    ("?表", "Shift_JIS", "?%95\\"),
    ("?中", "gb18030", "?%D6%D0"),
    ("?中", "GBK", "?%D6%D0"),
    ("?‾\\", "ISO-2022-JP", "?%1B(J~%1B(B\\"),
    ("?ж", "KOI8-U", "?%D6"),
    ("?ж", "x-mac-cyrillic", "?%E6"),
    ("?א", "ISO-8859-8-I", "?%E0"),
]


@pytest.mark.parametrize(("href", "encoding", "sent"), LINKS)
def test_queries_are_encoded_as_in_a_browser(href: str, encoding: str, sent: str) -> None:
    assert encode_query(href, get_query_codec(encoding)) == sent


@pytest.mark.parametrize("encoding", [None, "UTF-8", "UTF-16LE", "UTF-16BE", "replacement", "x-user-defined"])
def test_unicode_and_unknown_encodings_need_no_codec(encoding: str | None) -> None:
    assert not get_query_codec(encoding)
