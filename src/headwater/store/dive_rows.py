"""What passes between a dive and its store; plain values, whatever the store is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003  (named tuples are built from it)
from typing import Any, NamedTuple


class Listed(NamedTuple):
    """A page of a scan, as far as a dive asks; `clusters` are (name, title)."""

    identity: int
    url: str
    fetch_url: str
    title: str
    language: str
    is_skipped: bool
    clusters: tuple[tuple[str, str], ...]


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


class WaitingPage(NamedTuple):
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
