"""Records that pass between a dive and its store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003  (named tuples are built from it)
from typing import Any, NamedTuple


class ScanPage(NamedTuple):
    """Page of a scan that a dive may read; `clusters` are (name, title)."""

    identity: int
    url: str
    fetch_url: str
    title: str
    language: str
    is_skipped: bool
    clusters: tuple[tuple[str, str], ...]
    is_noindex: bool = False


class Dive(NamedTuple):
    """Dive and its progress."""

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
    pending: int
    chunks: int
    vectors: int

    @property
    def name(self) -> str:
        """Name for users: the clusters and patterns it selects."""
        parts = [str(part) for key in ("clusters", "include") for part in self.selection.get(key, ())]
        return ", ".join(parts) or "all pages"


class PendingPage(NamedTuple):
    """Page that is still to be read, with the headers of its last reading."""

    number: int
    identity: int
    url: str
    fetch_url: str
    etag: str
    last_modified: str
    content_hash: int | None


class DivePage(NamedTuple):
    """Page that was read; `headings` are (level, text, anchor)."""

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
    """Page of a dive as lists show it, read or not."""

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
    """Content of a page that was read."""

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
    """Passage to store."""

    heading: str
    anchor: str
    text: str
    tokens: int
    hash: int


class Passage(NamedTuple):
    """Passage with its page."""

    number: int
    dive: int
    url: str
    title: str
    language: str
    heading: str
    anchor: str
    text: str


class Message(NamedTuple):
    """Message of a conversation."""

    role: str
    text: str
    citations: Sequence[Mapping[str, Any]]
    at: str


class ChunkVector(NamedTuple):
    """Number of a passage, and its packed vector."""

    number: int
    content: bytes


class ChunkLocation(NamedTuple):
    """Number of a passage, with URL and language of its page."""

    number: int
    url: str
    language: str
