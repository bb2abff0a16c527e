"""One URL as a sitemap or feed gives it, and how texts are taken out of its block without parsing that into a tree."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

MAX_LOC_LENGTH = 10_000
_MAX_RAW = 20 * MAX_LOC_LENGTH
"""A text as written: no entity is longer than ten characters."""

CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)  # without an end it lasts to the end
LINK_TAG = re.compile(r"<(?:[\w.-]+:)?link\s[^<>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![A-Za-z:-])([A-Za-z:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class Entry(NamedTuple):
    """One URL as the sitemap gives it; alternates are (language, URL)."""

    url: str
    lastmod: str = ""
    changefreq: str = ""
    priority: float | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    resources: tuple[str, ...] = ()
    title: str = ""


def get_element_text(block: str, opening: str) -> str:
    """The text of the first element that opens so; most have neither attributes nor blanks in the tag."""
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
    """Without blanks around it, CDATA opened, entities replaced."""
    value = value.strip()[:_MAX_RAW]
    if "<" in value:
        value = CDATA.sub(_escaped, value).partition("<")[0]
    if "&" in value:
        value = ENTITY.sub(decode_entity, value)
    return value.strip()[:MAX_LOC_LENGTH]


def _escaped(match: re.Match[str]) -> str:
    """What stands in CDATA means itself."""
    return match.group(1).replace("&", "&amp;").replace("<", "&lt;")


def decode_entity(match: re.Match[str]) -> str:
    """The character an entity stands for."""
    name, decimal, hexadecimal = match.groups()
    if name:
        return _NAMED[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def parse_attributes(tag: str) -> dict[str, str]:
    """What a tag says, by names in lower case."""
    return {name.lower(): decode_text(double or single) for name, double, single in _ATTRIBUTE.findall(tag)}
