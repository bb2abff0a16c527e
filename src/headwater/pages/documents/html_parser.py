"""A page as a tree: one place that says how documents are parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import turbohtml

from headwater.pages.documents.markup_limits import FEW_TAGS, TREE_ALLOWANCE_BYTES, limit_markup

if TYPE_CHECKING:
    from turbohtml import Document

_UTF_8 = frozenset({"utf-8", "utf8"})
_UTF_16 = {"utf-16": "utf-16-le", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}
_MARKS = {b"\xef\xbb\xbf": "", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_FEW_BYTES = 3 * FEW_TAGS
_MANY_NULLS = 1000
"""The parser drops null characters, but notes each as an error, which takes 50 bytes."""


def parse_html(body: bytes | str, charset: str = "") -> Document:
    """Return the document's tree; templates, shadow roots and noscript stay ordinary elements, so that links show."""
    return _parse(_limited(body if isinstance(body, str) else _decoded(body, charset), charset), charset)


def parse_embedded(markup: str) -> Document:
    """Parse a document inside a page; there may be many, so its tree gets no allowance besides its size."""
    return _parse(limit_markup(markup, 0), "")


def _parse(text: bytes | str, charset: str) -> Document:
    try:
        return turbohtml.parse(text, positions=False, allow_declarative_shadow_roots=False, encoding=charset or None)
    except LookupError:  # the server names an encoding nobody knows
        return turbohtml.parse(text, positions=False, allow_declarative_shadow_roots=False)


def _decoded(body: bytes, charset: str) -> bytes | str:
    """Text where that is plain; bytes where it takes a browser's rules to tell. Text is parsed 15 µs a page faster."""
    is_ascii = body.isascii() and b"\0" not in body and b"\x1b" not in body
    if (charset in _UTF_8 and body[:1] != b"\xef") or (is_ascii and not charset):
        try:
            return body.decode()
        except UnicodeDecodeError:
            return body
    return body


def _limited(markup: bytes | str, charset: str) -> bytes | str:
    """Return the markup with a tree of bounded size."""
    if isinstance(markup, str):
        return _limited_text(markup)
    has_few_nulls = b"\0" not in markup or markup.count(b"\0") <= _MANY_NULLS
    if has_few_nulls and (len(markup) <= _FEW_BYTES or markup.count(b"<") <= FEW_TAGS):
        return markup
    encoding = _utf_16_of(markup, charset)
    if encoding:
        return _limited_text(markup.decode(encoding, "replace").removeprefix("\ufeff"))
    return _limited_text(markup.decode("latin-1")).encode("latin-1")  # other encodings have the same tags


def _utf_16_of(markup: bytes, charset: str) -> str:
    """Return the name of the encoding if it is UTF-16; a byte-order mark outranks what the server says."""
    for mark, encoding in _MARKS.items():
        if markup.startswith(mark):
            return encoding
    return _UTF_16.get(charset, "")


def _limited_text(markup: str) -> str:
    if "\0" in markup and markup.count("\0") > _MANY_NULLS:
        markup = markup.replace("\0", "")
    if len(markup) <= _FEW_BYTES or markup.count("<") <= FEW_TAGS:
        return markup
    return limit_markup(markup, TREE_ALLOWANCE_BYTES)


def collapse_whitespace(text: str) -> str:
    """Text with runs of white space made one blank."""
    return " ".join(text.split())
