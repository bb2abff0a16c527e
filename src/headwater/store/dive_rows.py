"""What passes between a dive and its store; plain values, whatever the store is made of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence  # noqa: TC003  (named tuples are built from it)
from typing import Any, NamedTuple

from headwater.store.json_text import parse_json


class ScanPage(NamedTuple):
    """A page of a scan, as far as a dive asks; `clusters` are (name, title)."""

    identity: int
    url: str
    fetch_url: str
    title: str
    language: str
    is_skipped: bool
    clusters: tuple[tuple[str, str], ...]
    is_noindex: bool = False


class Dive(NamedTuple):
    """One dive and how far it has come."""

    number: int
    scan: int
    seeds: tuple[str, ...]
    selection: Mapping[str, Any]
    state: str
    embedder: str
    started: str
    finished: str | None
    pages: int
    done: int
    waiting: int
    chunks: int
    vectors: int

    @property
    def name(self) -> str:
        """What people call it: its clusters and patterns."""
        parts = [str(part) for key in ("clusters", "include") for part in self.selection.get(key, ())]
        return ", ".join(parts) or "all pages"


class PendingPage(NamedTuple):
    """A page that is still to be read, and what is known of its last reading."""

    number: int
    identity: int
    url: str
    fetch_url: str
    etag: str
    last_modified: str
    content_hash: int | None


class DivePage(NamedTuple):
    """A page that was read; `headings` are (level, text, anchor)."""

    number: int
    url: str
    state: str
    reason: str
    title: str
    language: str
    canonical: str
    published: str
    modified: str
    content_hash: int | None
    chunked_hash: int | None
    headings: tuple[tuple[int, str, str], ...]
    markdown: str
    read_at: str | None


class Document(NamedTuple):
    """A page of a dive as lists show it, read or not."""

    number: int
    url: str
    state: str
    reason: str
    title: str
    language: str
    published: str
    modified: str
    read_at: str | None


class PageContent(NamedTuple):
    """What reading a page gave."""

    title: str
    language: str
    canonical: str
    published: str
    modified: str
    etag: str
    last_modified: str
    content_hash: int
    headings: Sequence[tuple[int, str, str]]
    markdown: str


class ChunkRow(NamedTuple):
    """A passage to keep."""

    heading: str
    anchor: str
    text: str
    tokens: int
    hash: int


class Passage(NamedTuple):
    """A passage with the page it stands on."""

    number: int
    dive: int
    url: str
    title: str
    language: str
    heading: str
    anchor: str
    text: str


class Message(NamedTuple):
    """One turn of a conversation."""

    role: str
    text: str
    citations: Sequence[Mapping[str, Any]]
    at: str


def build_dive_key(seeds: Sequence[str], selection: Mapping[str, Any]) -> tuple[str, str]:
    """What tells a dive from others: the same pages of the same site are the same dive."""
    return json.dumps(list(seeds)), json.dumps(selection, sort_keys=True)


def parse_scan_page_row(row: tuple[Any, ...]) -> ScanPage:
    """A page of a scan; its clusters come as one text."""
    identity, url, fetch_url, title, language, is_skipped, is_noindex, clusters = row
    pairs = [one.partition("\x1f") for one in clusters.split("\x1e")] if clusters else []
    names = tuple((name, title) for name, _, title in pairs)
    return ScanPage(identity, url, fetch_url, title, language, bool(is_skipped), names, bool(is_noindex))


def parse_dive_row(row: tuple[Any, ...]) -> Dive:
    """A dive; seeds and selection come as JSON."""
    number, scan, seeds, selection, *rest = row
    return Dive(number, scan, tuple(parse_json(seeds)), json.loads(selection), *rest)


def parse_dive_page_row(row: tuple[Any, ...]) -> DivePage:
    """A page that was read; headings come as JSON."""
    headings = tuple((level, text, anchor) for level, text, anchor in json.loads(row[11]))
    return DivePage._make((*row[:11], headings, *row[12:]))
