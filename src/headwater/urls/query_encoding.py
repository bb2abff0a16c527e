"""Encode the query of a link in the encoding of its page, as the URL standard requires ("query state")."""

from __future__ import annotations

import codecs
import re

_UNICODE = frozenset({"utf-8", "utf-16le", "utf-16be", "replacement"})
_CODECS = {
    "shift_jis": "cp932", "euc-kr": "cp949", "big5": "big5hkscs", "x-mac-cyrillic": "mac_cyrillic",
    "macintosh": "mac_roman", "iso-8859-8-i": "iso-8859-8", "windows-874": "cp874",
}  # fmt: skip
"""Python's names for encodings that browsers name otherwise."""

_NON_ASCII = re.compile(r"[^\x00-\x7f]+")
_UNESCAPED_BYTES = frozenset(range(0x21, 0x7F)) - frozenset(b"\"#<>'")


def get_query_codec(encoding: str | None) -> str:
    """Return the codec for queries on a page of this encoding; empty if it is UTF-8 or unknown."""
    name = (encoding or "utf-8").lower()
    if name in _UNICODE:
        return ""
    try:
        return codecs.lookup(_CODECS.get(name, name)).name
    except LookupError:
        return ""


def encode_query(href: str, codec: str) -> str:
    """Return a link whose query is percent-encoded as a browser on such a page would; only non-ASCII text changes."""
    if href.isascii():
        return href
    start, hash_, fragment = href.partition("#")
    path, mark, query = start.partition("?")
    query = _NON_ASCII.sub(lambda match: _percent_encode(match.group(), codec), query)
    return f"{path}{mark}{query}{hash_}{fragment}"


def _percent_encode(text: str, codec: str) -> str:
    try:
        encoded = text.encode(codec)
    except UnicodeEncodeError:
        encoded = b"".join(_encode_as_reference(character, codec) for character in text)
    return "".join(chr(byte) if byte in _UNESCAPED_BYTES else f"%{byte:02X}" for byte in encoded)


def _encode_as_reference(character: str, codec: str) -> bytes:
    """Encode a character as a reference such as `&#8364;` if the encoding has no code for it."""
    encoded = character.encode(codec, "xmlcharrefreplace")
    return b"%26%23" + encoded[2:-1] + b"%3B" if encoded.startswith(b"&#") else encoded
