"""Parse the index of Pagefind: an entry names a list for each language, which names a fragment for each page.

Lists and fragments are compressed. A fragment has the URL of its page, so one file has to be read for each page.
"""

from __future__ import annotations

import re
import zlib

from headwater.pages.files.gzip_stream import MAGIC, GzipStream
from headwater.pages.site_indexes.js_values import read_json
from headwater.pages.site_indexes.links import get_folder, resolve_pages
from headwater.pages.site_indexes.records import IndexFile, ParsedIndex

MAX_FRAGMENTS = 1_000
"""Fragments of one language that are read."""

MAX_BYTES = 5_000_000
_SIGNATURE = b"pagefind_dcd"
_HASH = re.compile(r"[\w-]{1,100}")
_PAGE_ENTRY = re.compile(
    rb"[\x82-\x97](?:[\x61-\x77]|\x78[\x18-\xff])([a-z]{2,12}(?:-[a-z0-9]{1,8}){0,3}_[0-9a-f]{6,64})[\x00-\x1b]"
)
"""An entry of a page in CBOR: the head of an array, the name of the fragment as a text, and a number of words."""


def parse_pagefind_entry(body: bytes, url: str) -> ParsedIndex:
    """Read `pagefind-entry.json`, which names the list of each language."""
    data = read_json(body.decode("utf-8", "replace"))
    languages = data.get("languages") if isinstance(data, dict) else None
    entries = languages.values() if isinstance(languages, dict) else ()
    names = [str(one.get("hash")) for one in entries if isinstance(one, dict)]
    files = [f"{get_folder(url)}pagefind.{name}.pf_meta" for name in names if _HASH.fullmatch(name)]
    return ParsedIndex((), tuple(IndexFile("pagefind-list", file) for file in files))


def parse_pagefind_list(body: bytes, url: str) -> ParsedIndex:
    """Read the list of one language, which names the fragments of its pages."""
    names = dict.fromkeys(one.decode() for one in _PAGE_ENTRY.findall(_decompress(body)))
    folder = f"{get_folder(url)}fragment/"
    files = [IndexFile("pagefind-fragment", f"{folder}{name}.pf_fragment") for name in names]
    return ParsedIndex((), tuple(files[:MAX_FRAGMENTS]))


def parse_pagefind_fragment(body: bytes, url: str) -> ParsedIndex:
    """Read the fragment of one page: its URL is relative to the folder that holds the index."""
    data = read_json(_decompress(body).decode("utf-8", "replace"))
    path = data.get("url") if isinstance(data, dict) else None
    meta = data.get("meta") if isinstance(data, dict) else None
    title = meta.get("title") if isinstance(meta, dict) else None
    entries = [(path.lstrip("/") or ".", title if isinstance(title, str) else "")] if isinstance(path, str) else []
    return ParsedIndex(resolve_pages(entries, get_folder(url, 2)))


def _decompress(body: bytes) -> bytes:
    """Return the content of a file without its signature; a server may have decompressed it already."""
    content = body
    if body.startswith(MAGIC):
        try:
            content = GzipStream().decompress(body, MAX_BYTES)
        except zlib.error:
            return b""
    return content.removeprefix(_SIGNATURE)
