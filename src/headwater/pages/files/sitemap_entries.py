"""Entries of sitemaps and feeds, and functions that extract texts from their markup without building a tree."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

MAX_LOC_LENGTH = 10_000
_MAX_RAW = 20 * MAX_LOC_LENGTH
"""Maximum length of a text as written; an entity takes up to ten characters."""

CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)  # an unclosed section extends to the end
LINK_TAG = re.compile(r"<(?:[\w.-]+:)?link\s[^<>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![A-Za-z:-])([A-Za-z:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class Entry(NamedTuple):
    """A URL of a sitemap or feed with its metadata; alternates are (language, URL)."""

    url: str
    lastmod: str = ""
    changefreq: str = ""
    priority: float | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    resources: tuple[str, ...] = ()
    title: str = ""


def get_element_text(block: str, opening: str) -> str:
    """Return the text of the first element with this opening tag; other spellings of the tag are found more slowly."""
    start = block.find(opening)
    if start < 0:
        match = _loose_tag(opening).search(block) if opening[:-1] in block else None
        if match is None:
            return ""
        start = match.end()
    else:
        start += len(opening)
    end = block.find("<", start)
    while end >= 0 and block.startswith("<![CDATA[", end):
        closed = block.find("]]>", end)
        end = block.find("<", closed) if closed >= 0 else -1
    if end < 0:
        return decode_text(block[start:])
    value = block[start:end]
    return decode_text(value) if "<" in value or "&" in value else value.strip()[:MAX_LOC_LENGTH]


@lru_cache(maxsize=64)
def _loose_tag(opening: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(opening[:-1])}(?:\s[^<>]*)?>", re.IGNORECASE)


def decode_text(value: str) -> str:
    """Return the text of an element: stripped, with CDATA unwrapped and entities replaced."""
    value = value.strip()[:_MAX_RAW]
    if "<" in value:
        value = CDATA.sub(_escape_cdata, value).partition("<")[0]
    if "&" in value:
        value = ENTITY.sub(decode_entity, value)
    return value.strip()[:MAX_LOC_LENGTH]


def _escape_cdata(match: re.Match[str]) -> str:
    """Escape the content of a CDATA section, which has no entities."""
    return match.group(1).replace("&", "&amp;").replace("<", "&lt;")


def decode_entity(match: re.Match[str]) -> str:
    """Return the character of an entity."""
    name, decimal, hexadecimal = match.groups()
    if name:
        return _NAMED[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def parse_attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a tag, with names in lower case."""
    return {name.lower(): decode_text(double or single) for name, double, single in _ATTRIBUTE.findall(tag)}
