"""Dives: pages as Markdown, passages with their words and vectors, conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from headwater.store.records.dive_records import (
        ChunkRow,
        Dive,
        DivePage,
        Document,
        Message,
        PageContent,
        Passage,
        PendingPage,
        ScanPage,
    )


class DiveCatalog(Protocol):
    """Stores dives and their state."""

    @property
    def path(self) -> str:
        """Name of the store, as a key for caches."""

    def scan_pages(self, scan: int) -> Iterator[ScanPage]:
        """Yield by key every page of a scan that is listed and did not fail."""

    def start_dive(
        self, scan: int, seeds: Sequence[str], selection: Mapping[str, Any], pages: Sequence[ScanPage]
    ) -> tuple[int, bool]:
        """Start the dive into these pages, and return its number and whether it continues an unfinished one.

        A finished dive is repeated: every page is pending again and requested conditionally.
        """

    def dives(self) -> list[Dive]:
        """Return every dive, oldest first."""

    def dive(self, number: int) -> Dive | None:
        """Return one dive."""

    def resolve_dive(self, dive: int | None) -> tuple[int, int, str] | None:
        """Return number, scan and embedder of a dive, by default the newest; faster than `dive`, which counts pages."""

    def version(self, dive: int) -> tuple[int, str]:
        """Return a number that grows with every change of passages or vectors, and the embedder."""

    def set_embedder(self, dive: int, name: str) -> None:
        """Store the name of the model that embeds the passages."""

    def finish_dive(self, dive: int, state: str) -> None:
        """Store the end of a dive and its final state."""


class DiveReading(Protocol):
    """Stores the content of pages while a dive reads them."""

    def pending_pages(self, dive: int, after: int, limit: int) -> list[PendingPage]:
        """Return pages still to be read, with higher numbers than `after`."""

    def save_content(self, page: int, content: PageContent, reason: str = "") -> None:
        """Store the content of a page; `reason` says why it is incomplete."""

    def mark_unchanged(self, page: int, etag: str = "", last_modified: str = "", reason: str = "") -> None:
        """Store that a page has not changed since it was read."""

    def set_page_state(self, page: int, state: str, reason: str) -> None:
        """Store that a page failed or was skipped, and remove its content."""

    def keep_previous_content(self, page: int, reason: str) -> None:
        """Store that a page failed to load this time, and keep its content."""

    def find_duplicate(self, dive: int, content_hash: int, page: int) -> str:
        """Return the URL of another page of the dive with the same content; empty if there is none."""

    def repeated_blocks(self, dive: int) -> frozenset[int]:
        """Return the hashes of text blocks that many pages share."""

    def set_repeated_blocks(self, dive: int, hashes: Iterable[int]) -> None:
        """Store the hashes of text blocks that many pages share."""


class DiveDocuments(Protocol):
    """Lists and counts the pages of a dive."""

    def pages(self, dive: int) -> Iterator[DivePage]:
        """Yield every page that was read, by URL; the store may be written meanwhile."""

    def page(self, url: str, dive: int = 0) -> DivePage | None:
        """Return a page that was read, in one dive or in the newest that has it."""

    def documents(self, dive: int, after: int, limit: int, state: str = "") -> list[Document]:
        """Return pages without their content, with higher numbers than `after`, of all states or of one."""

    def reason_counts(self, dive: int) -> Mapping[str, int]:
        """Return the number of pages by reason, or by state for those without a reason."""

    def language_counts(self, dive: int) -> Mapping[str, int]:
        """Return the number of pages in each language, largest first."""


class DivePassages(Protocol):
    """Stores passages, and finds them by words and vectors."""

    def set_chunks(self, dive: int, page: int, chunked_hash: int | None, chunks: Sequence[ChunkRow]) -> None:
        """Replace the passages of a page, and index their words."""

    def pages_with_stale_chunks(self, dive: int) -> list[int]:
        """Return the pages that have passages but no content."""

    def passages(self, numbers: Sequence[int]) -> list[Passage]:
        """Return passages by number, in this order."""

    def chunk_locations(self, dive: int) -> Iterator[tuple[int, str, str]]:
        """Yield every passage with URL and language of its page."""

    def match_words(self, dive: int, words: Sequence[str], limit: int, heading_weight: float) -> list[int]:
        """Return the passages with any of these words, best first; no word is parsed as syntax."""

    def unembedded_texts(self, dive: int, embedder: str, limit: int) -> list[tuple[int, str]]:
        """Return (hash, text) of texts without a vector, shortest first."""

    def count_unembedded(self, dive: int, embedder: str) -> int:
        """Return the number of texts without a vector."""

    def add_vectors(self, dive: int, embedder: str, rows: Iterable[tuple[int, bytes]]) -> None:
        """Store vectors by the hash of their text."""

    def vectors(self, dive: int, embedder: str) -> Iterator[tuple[int, bytes]]:
        """Yield number and vector of every passage."""

    def nearest(
        self, dive: int, embedder: str, query: Sequence[float], limit: int, among: Set[int] | None = None
    ) -> list[tuple[int, float]] | None:
        """Return the passages nearest to a query with their cosines, best first; None if the store cannot compare."""


class DiveMessages(Protocol):
    """Stores the conversation about a dive."""

    def add_message(self, dive: int, message: Message) -> None:
        """Add a message."""

    def messages(self, dive: int, limit: int) -> list[Message]:
        """Return the last messages in order."""

    def delete_messages(self, dive: int) -> int:
        """Delete all messages and return how many there were."""
