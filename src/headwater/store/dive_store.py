"""What keeps dives: one protocol, whatever the store is made of; every method is one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from headwater.store.dive_rows import (
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


class DiveStore(Protocol):
    """The dives of a store: pages as Markdown, passages with their words and vectors, conversations."""

    @property
    def path(self) -> str:
        """Where they are kept, for those who remember what they read from it."""

    def listed(self, scan: int) -> Iterator[ScanPage]:
        """Every listed page of a scan that no rule refused and no request failed for, by key."""

    def begin(
        self, scan: int, seeds: Sequence[str], selection: Mapping[str, Any], pages: Sequence[ScanPage]
    ) -> tuple[int, bool]:
        """The dive into these pages, and whether it goes on with one that did not end.

        One that ended is done again: every page waits, to be asked whether it changed.
        """

    def dives(self) -> list[Dive]:
        """Every dive, the oldest first."""

    def dive(self, number: int) -> Dive | None:
        """One dive."""

    def waiting(self, dive: int, after: int, limit: int) -> list[PendingPage]:
        """Pages still to be read, behind a number."""

    def settle(self, page: int, content: PageContent, reason: str = "") -> None:
        """Keep what a page says; the reason is what it still lacks."""

    def mark_unchanged(self, page: int, etag: str = "", last_modified: str = "", reason: str = "") -> None:
        """The page is as it was."""

    def set_page_state(self, page: int, state: str, reason: str) -> None:
        """The page failed or was skipped."""

    def keep_previous_content(self, page: int, reason: str) -> None:
        """The page could not be had this time; what it said before stays."""

    def twin(self, dive: int, content_hash: int, page: int) -> str:
        """The URL of another page of the dive that says the very same."""

    def reason_counts(self, dive: int) -> Mapping[str, int]:
        """How many pages are done, and how many are not for which reason."""

    def pages(self, dive: int) -> Iterator[DivePage]:
        """Every page that was read, by URL; writing meanwhile is safe."""

    def page(self, url: str, dive: int = 0) -> DivePage | None:
        """A page that was read, in one dive or in the newest that has it."""

    def documents(self, dive: int, after: int, limit: int, state: str = "") -> list[Document]:
        """Pages behind a number, without what they say; those in one state if it is named."""

    def languages(self, dive: int) -> Mapping[str, int]:
        """How many pages were read in which language, the most first."""

    def repeated_blocks(self, dive: int) -> frozenset[int]:
        """The hashes of blocks that the cluster's pages share."""

    def set_repeated_blocks(self, dive: int, hashes: Iterable[int]) -> None:
        """Note which blocks the pages share."""

    def set_chunks(self, dive: int, page: int, chunked_hash: int | None, chunks: Sequence[ChunkRow]) -> None:
        """Replace the passages of a page, with their words."""

    def pages_with_stale_chunks(self, dive: int) -> list[int]:
        """Pages that have passages and should not."""

    def set_embedder(self, dive: int, name: str) -> None:
        """Note by what the passages are embedded."""

    def unembedded_texts(self, dive: int, embedder: str, limit: int) -> list[tuple[int, str]]:
        """Texts without a vector, short ones first: (hash, text)."""

    def count_unembedded(self, dive: int, embedder: str) -> int:
        """How many texts have no vector yet."""

    def add_vectors(self, dive: int, embedder: str, rows: Iterable[tuple[int, bytes]]) -> None:
        """Keep vectors by the hash of their text."""

    def vectors(self, dive: int, embedder: str) -> Iterator[tuple[int, bytes]]:
        """Every vector of a dive: (passage, vector)."""

    def nearest(
        self, dive: int, embedder: str, query: Sequence[float], limit: int, among: Set[int] | None = None
    ) -> list[tuple[int, float]] | None:
        """The passages most alike to a query with their cosines, the best first; None where the store only keeps."""

    def version(self, dive: int) -> tuple[int, str]:
        """A number that grows with every change of passages or vectors, and the embedder."""

    def match(self, dive: int, words: Sequence[str], limit: int, heading_weight: float) -> list[int]:
        """Passages that have any of these words, the best first; no word is read as syntax."""

    def known(self, dive: int | None) -> tuple[int, int, str] | None:
        """Number, scan and embedder of a dive, or of the newest; without counting anything."""

    def passages(self, numbers: Sequence[int]) -> list[Passage]:
        """Passages by number, in this order."""

    def places(self, dive: int) -> Iterator[tuple[int, str, str]]:
        """Every passage with URL and language of its page, for filters."""

    def add_message(self, dive: int, message: Message) -> None:
        """Keep a turn of the conversation."""

    def messages(self, dive: int, limit: int) -> list[Message]:
        """The last turns of the conversation, in order."""

    def forget_messages(self, dive: int) -> int:
        """Forget the conversation; gives how many turns it had."""

    def end(self, dive: int, state: str) -> None:
        """Note how the dive ended."""
