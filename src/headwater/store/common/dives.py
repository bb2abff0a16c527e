"""Dives in SQL; each dialect adds its own search for words and vectors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from headwater.store.common.database import SqlRole
from headwater.store.records.dive_records import (
    ChunkLocation,
    ChunkVector,
    Dive,
    DivePage,
    Document,
    Message,
    Passage,
    PendingPage,
    ScanPage,
)
from headwater.store.rows import timestamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from headwater.store.common.database import Session
    from headwater.store.records.dive_records import PageContent

_BATCH_SIZE = 50


class SqlDiveCatalog(SqlRole):
    """Stores dives and their state."""

    def scan_pages(self, scan: int) -> Iterator[ScanPage]:
        """Yield by key every page of a scan that is listed and did not fail."""
        return self._db.stream(ScanPage, "scan_pages", scan=scan)

    def start_dive(
        self, scan: int, seeds: Sequence[str], selection: Mapping[str, Any], pages: Sequence[ScanPage]
    ) -> tuple[int, bool]:
        """Start the dive into these pages, and return its number and whether it continues an unfinished one."""
        key = {"seeds": json.dumps(list(seeds)), "selection": json.dumps(selection, sort_keys=True)}
        is_continued = self._db.value("dive_state", **key) in {"running", "interrupted"}

        def start(session: Session) -> int:
            dive = int(session.value("add_dive", scan=scan, now=timestamp(), **key))
            if not is_continued:
                session.execute("reset_pages", dive=dive)
            self._select_pages(session, dive, pages)
            return dive

        return self._db.transact(start), is_continued

    def _select_pages(self, session: Session, dive: int, pages: Sequence[ScanPage]) -> None:
        """Add new pages to a dive, and remove the others with their passages."""
        for query in ("drop_other_chunks", "drop_other_pages"):
            session.execute(query, dive=dive, identities=[page.identity for page in pages])
        rows = [
            {
                "dive": dive, "identity": page.identity, "url": page.url, "fetch_url": page.fetch_url,
                "title": page.title, "language": page.language,
            }
            for page in pages
        ]  # fmt: skip
        session.write_rows("add_dive_pages", rows)

    def dives(self) -> list[Dive]:
        """Return every dive, oldest first."""
        return self._db.select(Dive, "dives", number=0)

    def dive(self, number: int) -> Dive | None:
        """Return one dive."""
        return self._db.find(Dive, "dives", number=number) if number else None

    def resolve_dive(self, dive: int | None) -> tuple[int, int, str] | None:
        """Return number, scan and embedder of a dive, by default the newest; faster than `dive`, which counts pages."""
        return next(iter(self._db.rows("resolve_dive", number=dive or 0)), None)

    def version(self, dive: int) -> tuple[int, str]:
        """Return a number that grows with every change of passages or vectors, and the embedder."""
        return next(iter(self._db.rows("dive_version", dive=dive)), (0, ""))

    def set_embedder(self, dive: int, name: str) -> None:
        """Store the name of the model that embeds the passages."""
        self._db.execute("set_embedder", dive=dive, embedder=name)

    def finish_dive(self, dive: int, state: str) -> None:
        """Store the end of a dive and its final state."""
        self._db.execute("finish_dive", dive=dive, state=state, now=timestamp())


class SqlDiveReading(SqlRole):
    """Stores the content of pages while a dive reads them."""

    def pending_pages(self, dive: int, after: int, limit: int) -> list[PendingPage]:
        """Return pages still to be read, with higher numbers than `after`."""
        return self._db.select(PendingPage, "pending_pages", dive=dive, after=after, limit=limit)

    def save_content(self, page: int, content: PageContent, reason: str = "") -> None:
        """Store the content of a page; `reason` says why it is incomplete."""
        values = {**content._asdict(), "headings": json.dumps(content.headings)}
        self._db.execute("save_content", page=page, reason=reason, now=timestamp(), **values)

    def mark_unchanged(self, page: int, etag: str = "", last_modified: str = "", reason: str = "") -> None:
        """Store that a page has not changed since it was read."""
        values = {"etag": etag, "last_modified": last_modified, "reason": reason}
        self._db.execute("mark_unchanged", page=page, now=timestamp(), **values)

    def set_page_state(self, page: int, state: str, reason: str) -> None:
        """Store that a page failed or was skipped, and remove its content."""
        self._db.execute("set_page_state", page=page, state=state, reason=reason)

    def keep_previous_content(self, page: int, reason: str) -> None:
        """Store that a page failed to load this time, and keep its content."""
        self._db.execute("keep_previous_content", page=page, reason=reason)

    def find_duplicate(self, dive: int, content_hash: int, page: int) -> str:
        """Return the URL of another page of the dive with the same content; empty if there is none."""
        return self._db.value("duplicate_dive_page", dive=dive, content_hash=content_hash, page=page) or ""

    def repeated_blocks(self, dive: int) -> frozenset[int]:
        """Return the hashes of text blocks that many pages share."""
        return frozenset(json.loads(self._db.value("repeated_blocks", dive=dive) or "[]"))

    def set_repeated_blocks(self, dive: int, hashes: Iterable[int]) -> None:
        """Store the hashes of text blocks that many pages share."""
        self._db.execute("set_repeated_blocks", dive=dive, hashes=json.dumps(sorted(hashes)))


class SqlDiveDocuments(SqlRole):
    """Lists and counts the pages of a dive."""

    def pages(self, dive: int) -> Iterator[DivePage]:
        """Yield every page that was read, by URL; the store may be written meanwhile."""
        numbers = self._db.column("dive_page_numbers", dive=dive)
        for start in range(0, len(numbers), _BATCH_SIZE):
            part = numbers[start : start + _BATCH_SIZE]
            yield from self._db.select(DivePage, "dive_pages_by_number", numbers=part)

    def page(self, url: str, dive: int = 0) -> DivePage | None:
        """Return a page that was read, in one dive or in the newest that has it."""
        return self._db.find(DivePage, "dive_page_by_url", url=url, dive=dive)

    def documents(self, dive: int, after: int, limit: int, state: str = "") -> list[Document]:
        """Return pages without their content, with higher numbers than `after`, of all states or of one."""
        return self._db.select(Document, "documents", dive=dive, after=after, limit=limit, state=state)

    def reason_counts(self, dive: int) -> Mapping[str, int]:
        """Return the number of pages by reason, or by state for those without a reason."""
        return dict(self._db.rows("reason_counts", dive=dive))

    def language_counts(self, dive: int) -> Mapping[str, int]:
        """Return the number of pages in each language, largest first."""
        return dict(self._db.rows("language_counts", dive=dive))


class SqlDivePassages(SqlRole):
    """Stores passages and their vectors."""

    def pages_with_stale_chunks(self, dive: int) -> list[int]:
        """Return the pages that have passages but no content."""
        return self._db.column("pages_with_stale_chunks", dive=dive)

    def passages(self, numbers: Sequence[int]) -> list[Passage]:
        """Return passages by number, in this order."""
        found = {one.number: one for one in self._db.select(Passage, "passages", numbers=list(numbers))}
        return [found[number] for number in numbers if number in found]

    def chunk_locations(self, dive: int) -> Iterator[tuple[int, str, str]]:
        """Yield every passage with URL and language of its page."""
        return self._db.stream(ChunkLocation, "chunk_locations", dive=dive)

    def unembedded_texts(self, dive: int, embedder: str, limit: int) -> list[tuple[int, str]]:
        """Return (hash, text) of texts without a vector, shortest first."""
        rows = self._db.rows("unembedded_texts", dive=dive, embedder=embedder, limit=limit)
        return [(key, f"{heading}\n{text}" if heading else text) for key, heading, text, *_ in rows]

    def count_unembedded(self, dive: int, embedder: str) -> int:
        """Return the number of texts without a vector."""
        return int(self._db.value("count_unembedded", dive=dive, embedder=embedder))

    def add_vectors(self, dive: int, embedder: str, rows: Iterable[tuple[int, bytes]]) -> None:
        """Store vectors by the hash of their text."""
        vectors = [{"embedder": embedder, "hash": key, "content": content} for key, content in dict(rows).items()]

        def add(session: Session) -> None:
            session.write_rows("add_vectors", vectors)
            session.execute("bump_version", dive=dive)

        self._db.transact(add)

    def vectors(self, dive: int, embedder: str) -> Iterator[tuple[int, bytes]]:
        """Yield number and vector of every passage."""
        return self._db.stream(ChunkVector, "vectors", dive=dive, embedder=embedder)


class SqlDiveMessages(SqlRole):
    """Stores the conversation about a dive."""

    def messages(self, dive: int, limit: int) -> list[Message]:
        """Return the last messages in order."""
        return self._db.select(Message, "messages", dive=dive, limit=limit)

    def delete_messages(self, dive: int) -> int:
        """Delete all messages and return how many there were."""
        return self._db.execute("delete_messages", dive=dive)


class SqlDiveStore(SqlDiveCatalog, SqlDiveReading, SqlDiveDocuments, SqlDivePassages, SqlDiveMessages):
    """Stores dives over a database of either dialect."""


def build_message_values(dive: int, message: Message) -> dict[str, object]:
    """Return the values of `add_message`."""
    citations = json.dumps([dict(one) for one in message.citations])
    return {"dive": dive, "role": message.role, "text": message.text, "citations": citations, "now": timestamp()}
