"""A link's query is sent in the encoding of its page, its path always in UTF-8 (the URL standard, "query state")."""

from __future__ import annotations

import codecs
import re

_UNICODE = frozenset({"utf-8", "utf-16le", "utf-16be", "replacement"})
_CODECS = {
    "shift_jis": "cp932", "euc-kr": "cp949", "big5": "big5hkscs", "x-mac-cyrillic": "mac_cyrillic",
    "macintosh": "mac_roman", "iso-8859-8-i": "iso-8859-8", "windows-874": "cp874",
}  # fmt: skip
"""Where Python has another name for what browsers mean."""

_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_UNESCAPED_BYTES = frozenset(range(0x21, 0x7F)) - frozenset(b"\"#<>'")


def get_query_codec(encoding: str | None) -> str:
    """What queries on a page of this encoding are written in, if that is not UTF-8; empty for unknown ones too."""
    name = (encoding or "utf-8").lower()
    if name in _UNICODE:
        return ""
    try:
        return codecs.lookup(_CODECS.get(name, name)).name
    except LookupError:
        return ""


def encode_query(href: str, codec: str) -> str:
    """The link with what is not ASCII in its query percent-encoded as a browser on such a page would."""
    if href.isascii():
        return href
    start, hash_, fragment = href.partition("#")
    path, mark, query = start.partition("?")
    query = _FOREIGN.sub(lambda match: _percent_encoded(match.group(), codec), query)
    return f"{path}{mark}{query}{hash_}{fragment}"


def _percent_encoded(text: str, codec: str) -> str:
    try:
        encoded = text.encode(codec)
    except UnicodeEncodeError:
        encoded = b"".join(_encode_as_reference(character, codec) for character in text)
    return "".join(chr(byte) if byte in _UNESCAPED_BYTES else f"%{byte:02X}" for byte in encoded)


def _encode_as_reference(character: str, codec: str) -> bytes:
    """What an encoding has no code for is sent as a reference, `&#8364;`."""
    encoded = character.encode(codec, "xmlcharrefreplace")
    return b"%26%23" + encoded[2:-1] + b"%3B" if encoded.startswith(b"&#") else encoded
