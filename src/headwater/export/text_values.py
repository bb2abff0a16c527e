"""Values of pages as text that every format can hold: encodable, on one line, or as the lines of one cell."""

from __future__ import annotations

import re

NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML does not allow."""

CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])
"""Control characters, for `str.translate` to remove them."""


def is_encodable(text: str) -> bool:
    """Return True if UTF-8 can encode a text."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def make_encodable(text: str) -> str:
    """Return text that UTF-8 can encode; unpaired surrogates become U+FFFD."""
    return text if is_encodable(text) else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def flatten(text: str) -> str:
    """Return text on one line, without control characters."""
    return " ".join(make_encodable(text).split()).translate(CONTROLS)


def to_lines(value: object) -> object:
    """Return a list or an object as the lines of one cell, so that they can be split again; other values unchanged.

    A list in an object has a line for each of its values. Line breaks inside values become spaces.
    """
    if isinstance(value, tuple | list):
        return "\n".join(_join_lines(str(one)) for one in value)
    if isinstance(value, dict):
        pairs = ((name, one) for name, many in value.items() for one in (many if isinstance(many, list) else [many]))
        return "\n".join(_join_lines(f"{name}: {one}") for name, one in pairs)
    return value


def _join_lines(text: str) -> str:
    return " ".join(text.splitlines())
