"""Numbers that tell contents apart: of an answer, of the main text of a page, of a page without its digits."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from xxhash import xxh3_64_intdigest

if TYPE_CHECKING:
    from turbohtml import Document


def hash_content(content: bytes) -> int:
    """Return 64 bits that tell this content from other content, signed as databases like it."""
    value = xxh3_64_intdigest(content)
    return value - (1 << 64) if value >> 63 else value


def hash_main_text(document: Document) -> int:
    """Return a number for the text of a page apart from what stands around it."""
    main = document.select_one("main") or document.select_one("article") or document.select_one("body") or document
    return hash_content(" ".join(main.text.split()).encode("utf-8", "surrogatepass"))


def compute_fingerprint(document: Document, url: str = "") -> int:
    """A number for what the page says, digits left out, so that months of a calendar look alike.

    With `url` its path is left out too: pages for what is not there like to repeat what was asked for.
    """
    body = document.select_one("body")
    text = (body or document).text
    if url:
        path = url[url.index("/", 8) :]
        text = text.replace(path, "").replace(path.strip("/"), "")
    return crc32(text.encode("utf-8", "surrogatepass").translate(None, b"0123456789"))
