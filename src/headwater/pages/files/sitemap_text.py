"""Decompress and decode sitemap files, and strip comments; memory and time are linear in the size of the file."""

from __future__ import annotations

import codecs
import re
import zlib
from itertools import islice
from typing import TYPE_CHECKING

from headwater.pages.files.gzip_stream import MAGIC, GzipStream

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 50 * 1024 * 1024
"""The limit of the sitemap protocol for an uncompressed file."""

_MAX_LAYERS = 3
_STEP = 512
"""Compressed bytes that are read at a time; at most this many before an error in the gzip are lost."""

_BATCH = 10_000
_MAX_PROLOGUE = 1_000_000
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_UNMARKED = ((b"<\0?\0", "utf-16-le"), (b"\0<\0?", "utf-16-be"))
_ENCODINGS = frozenset(
    "utf-8 utf-8-sig utf-16 utf-16-le utf-16-be ascii tis-620 ptcp154 gb2312 gbk gb18030 hz big5 big5hkscs shift_jis "
    "shift_jisx0213 euc_jp iso2022_jp iso2022_jp_2 euc_kr johab".split()
)
_ENCODING_FAMILIES = ("iso8859-", "cp", "koi8-", "mac-", "mac_")
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_BLANKS = re.compile(r"[\s\ufeff]*+")
_TAG_NAME = re.compile(r"</?[A-Za-z][\w.:-]*")


def format_too_large_problem(limit: int) -> str:
    """Return the problem of a file of which only the beginning was read."""
    return f"too-large: only the first {limit:,} bytes were read"


def decompress_body(body: bytes, limit: int) -> tuple[bytes, str]:
    """Return the decompressed bytes, at most `limit`, and a problem with the gzip; other bodies are unchanged."""
    for _ in range(_MAX_LAYERS):
        if not body.startswith(MAGIC):
            return body, ""
        body, problem = _decompress(body, limit)
        if problem:
            return body, problem
    return body, ""


def _decompress(body: bytes, limit: int) -> tuple[bytes, str]:
    """Return the bytes that can be decompressed, up to the limit or an error."""
    stream, plain = GzipStream(), bytearray()
    try:
        for start in range(0, len(body), _STEP):
            plain += stream.decompress(body[start : start + _STEP], limit + 1 - len(plain))
            if len(plain) > limit:
                del plain[limit:]
                return bytes(plain), format_too_large_problem(limit)
    except zlib.error as error:
        return bytes(plain), f"the gzip is broken: {error}"
    return bytes(plain), "" if stream.is_complete() else "the gzip ends early"


def decode_body(body: bytes, charset: str) -> str:
    """Decode by byte-order mark, then XML declaration, then header; invalid bytes become U+FFFD."""
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return str(memoryview(body)[len(mark) :], encoding, "replace")
    for mark, encoding in _UNMARKED:
        if body.startswith(mark):
            return body.decode(encoding, "replace")
    declared = _DECLARED.match(body[:1000].lstrip()[:300])
    for name in (declared.group(1).decode("ascii") if declared else "", charset):
        if name and _is_document_encoding(name):
            return body.decode(name, "replace")
    return body.decode("utf-8", "replace")


def _is_document_encoding(name: str) -> bool:
    """Return True if this encoding is used for documents; some of Python's other codecs take quadratic time."""
    try:
        canonical = codecs.lookup(name).name
    except (LookupError, ValueError):
        return False
    return canonical in _ENCODINGS or canonical.startswith(_ENCODING_FAMILIES)


def find_content_start(text: str) -> int:
    """Return the position of the root element or the first line."""
    place = 0
    while True:
        blanks = _BLANKS.match(text, place)
        place = blanks.end() if blanks else place
        end = _find_declaration_end(text, place) if place < _MAX_PROLOGUE else -1
        if end < 0:
            return place
        place = end


def _find_declaration_end(text: str, place: int) -> int:
    """Return the end of the instruction, comment or document type at a position; -1 if there is none or no end."""
    if text.startswith("<?", place):
        return _find_after(text, "?>", place + 2)
    if text.startswith("<!--", place):
        return _find_after(text, "-->", place + 4)
    if text[place : place + 9].lower() != "<!doctype":
        return -1
    end = _find_after(text, ">", place)
    if end < 0 or text.find("[", place, end) < 0:
        return end
    subset_end = _find_after(text, "]", place)
    return _find_after(text, ">", subset_end) if subset_end >= 0 else -1


def _find_after(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return found + len(mark) if found >= 0 else -1


def strip_comments(text: str) -> str:
    """Remove comments; one that is not closed is not a comment."""
    return _join_in_batches(_split_at_comments(text))


def _split_at_comments(text: str) -> Iterator[str]:
    start, begin = 0, text.find("<!--")
    while begin >= 0 and (end := _find_after(text, "-->", begin + 4)) >= 0:
        if begin > start:
            yield text[start:begin]
        start, begin = end, text.find("<!--", end)
    if start < len(text):
        yield text[start:]


def lowercase_tags(text: str) -> str:
    """Write the names of elements in lower case."""
    return _join_in_batches(
        _TAG_NAME.sub(lambda match: match.group().lower(), piece) for piece in _split_before_tags(text)
    )


def _split_before_tags(text: str) -> Iterator[str]:
    """Yield the text in pieces that end before a tag."""
    start = 0
    while start < len(text):
        end = text.find("<", start + _BATCH)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end


def _join_in_batches(pieces: Iterator[str]) -> str:
    """Join pieces, none of them empty, in batches: a list of all may take twenty times the memory of the text."""
    return "".join(iter(lambda: "".join(islice(pieces, _BATCH)), ""))
