"""Hash content: a whole response, the main text of a page, or a page without its digits."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from xxhash import xxh3_64_intdigest

if TYPE_CHECKING:
    from turbohtml import Document


def hash_content(content: bytes) -> int:
    """Return a 64-bit hash of content, signed because databases store signed integers."""
    value = xxh3_64_intdigest(content)
    return value - (1 << 64) if value >> 63 else value


def hash_main_text(document: Document) -> int:
    """Return a hash of the main text of a page, without headers, menus and footers where they are marked up."""
    main = document.select_one("main") or document.select_one("article") or document.select_one("body") or document
    return hash_content(" ".join(main.text.split()).encode("utf-8", "surrogatepass"))


def compute_fingerprint(document: Document, url: str = "") -> int:
    """Return a hash of the text of a page without digits, so that the months of a calendar are alike.

    With `url` its path is removed too: error pages often repeat the path that was requested.
    """
    body = document.select_one("body")
    text = (body or document).text
    if url:
        path = url[url.index("/", 8) :]
        text = text.replace(path, "").replace(path.strip("/"), "")
    return crc32(text.encode("utf-8", "surrogatepass").translate(None, b"0123456789"))
