"""Dives in a SQLite file: pages as Markdown, passages with their words and vectors; every method is one transaction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from headwater.store.dive_rows import (
    Document,
    Message,
    Passage,
    PendingPage,
    build_dive_key,
    parse_dive_page_row,
    parse_dive_row,
    parse_scan_page_row,
)
from headwater.store.queries import load_queries
from headwater.store.rows import timestamp
from headwater.store.sqlite.connection import transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from headwater.store.dive_rows import ChunkRow, Dive, DivePage, PageContent, ScanPage

_QUERIES = load_queries("sqlite", "dives.sql")
OVERFETCH_FACTOR = 3
"""So many times the wanted passages are looked at before one dive alone is asked for, which takes longer."""

MAX_RANKED_FACTOR = 10
"""So many times the wanted passages are ranked; those that have none of the rarer words are left out beyond that."""


class SqliteDiveStore:
    """The dives of a store; shares its connection."""

    def __init__(self, db: sqlite3.Connection, path: str) -> None:
        self._db = db
        self._path = path

    @property
    def path(self) -> str:
        """The file they are kept in, for those who remember what they read from it."""
        return self._path

    def listed(self, scan: int) -> Iterator[ScanPage]:
        """Every listed page of a scan that no rule refused and no request failed for."""
        return map(parse_scan_page_row, self._db.execute(_QUERIES["pages_of_scan"], (scan,)))

    def begin(
        self, scan: int, seeds: Sequence[str], selection: Mapping[str, Any], pages: Sequence[ScanPage]
    ) -> tuple[int, bool]:
        """The dive into these pages, and whether it goes on with one that did not end.

        One that ended is done again: every page waits, to be asked whether it changed.
        """
        key = build_dive_key(seeds, selection)
        before = self._db.execute(_QUERIES["find_dive"], key).fetchone()
        goes_on = before is not None and before[1] in {"running", "interrupted"}
        with transaction(self._db, self._path):
            (number,) = self._db.execute(_QUERIES["add_dive"], (scan, *key, timestamp())).fetchone()
            if not goes_on:
                self._db.execute(_QUERIES["wait_again"], (number,))
            self._select_pages(number, pages)
        return int(number), goes_on

    def dives(self) -> list[Dive]:
        """Every dive, the oldest first."""
        return [parse_dive_row(row) for row in self._db.execute(_QUERIES["dives"], (0,))]

    def dive(self, number: int) -> Dive | None:
        """One dive."""
        row = self._db.execute(_QUERIES["dives"], (number,)).fetchone() if number else None
        return None if row is None else parse_dive_row(row)

    def waiting(self, dive: int, after: int, limit: int) -> list[PendingPage]:
        """Pages still to be read, behind a number."""
        return [PendingPage(*row) for row in self._db.execute(_QUERIES["waiting"], (dive, after, limit))]

    def settle(self, page: int, content: PageContent, reason: str = "") -> None:
        """Keep what a page says."""
        headings = json.dumps(content.headings, ensure_ascii=False)
        row = (reason, *content[:-2], headings, content.markdown, timestamp(), page)
        with transaction(self._db, self._path):
            self._db.execute(_QUERIES["settle_read"], row)

    def mark_unchanged(self, page: int, etag: str = "", last_modified: str = "", reason: str = "") -> None:
        """The page is as it was."""
        with transaction(self._db, self._path):
            self._db.execute(_QUERIES["settle_unchanged"], (reason, etag, last_modified, timestamp(), page))

    def set_page_state(self, page: int, state: str, reason: str) -> None:
        """The page failed or was skipped."""
        with transaction(self._db, self._path):
            self._db.execute(_QUERIES["settle_other"], (state, reason, page))

    def keep_previous_content(self, page: int, reason: str) -> None:
        """The page could not be had this time; what it said before stays."""
        with transaction(self._db, self._path):
            self._db.execute(_QUERIES["settle_kept"], (reason, page))

    def twin(self, dive: int, content_hash: int, page: int) -> str:
        """The URL of another page of the dive that says the very same."""
        row = self._db.execute(_QUERIES["twin"], (dive, content_hash, page)).fetchone()
        return str(row[0]) if row else ""

    def reason_counts(self, dive: int) -> Mapping[str, int]:
        """How many pages are done, and how many are not for which reason."""
        return dict(self._db.execute(_QUERIES["reasons"], (dive,)).fetchall())

    def pages(self, dive: int) -> Iterator[DivePage]:
        """Every page that was read, by URL; one at a time, so that writing meanwhile is safe."""
        for (number,) in self._db.execute(_QUERIES["page_numbers"], (dive,)).fetchall():
            row = self._db.execute(_QUERIES["page_by_number"], (number,)).fetchone()
            if row is not None:
                yield parse_dive_page_row(row)

    def page(self, url: str, dive: int = 0) -> DivePage | None:
        """A page that was read, in one dive or in the newest that has it."""
        row = self._db.execute(_QUERIES["page_of_url"], (dive, url)).fetchone()
        return None if row is None else parse_dive_page_row(row)

    def documents(self, dive: int, after: int, limit: int, state: str = "") -> list[Document]:
        """Pages behind a number, without what they say; those in one state if it is named."""
        return [Document(*row) for row in self._db.execute(_QUERIES["documents"], (dive, after, state, limit))]

    def languages(self, dive: int) -> Mapping[str, int]:
        """How many pages were read in which language, the most first."""
        return dict(self._db.execute(_QUERIES["languages"], (dive,)).fetchall())

    def repeated_blocks(self, dive: int) -> frozenset[int]:
        """The hashes of blocks that the cluster's pages share."""
        row = self._db.execute(_QUERIES["repeated"], (dive,)).fetchone()
        return frozenset(json.loads(row[0])) if row else frozenset()

    def set_repeated_blocks(self, dive: int, hashes: Iterable[int]) -> None:
        """Note which blocks the pages share."""
        with transaction(self._db, self._path):
            self._db.execute(_QUERIES["set_repeated"], (json.dumps(sorted(hashes)), dive))

    def set_chunks(self, dive: int, page: int, chunked_hash: int | None, chunks: Sequence[ChunkRow]) -> None:
        """Replace the passages of a page, with their words."""
        with transaction(self._db, self._path):
            self._unindex(page)
            for place, chunk in enumerate(chunks):
                row = (dive, page, place, chunk.heading, chunk.anchor, chunk.text, chunk.tokens, chunk.hash)
                (number,) = self._db.execute(_QUERIES["add_chunk"], row).fetchone()
                self._db.execute(_QUERIES["index_chunk"], (number, chunk.heading, chunk.text))
            self._db.execute(_QUERIES["mark_chunked"], (chunked_hash, page))
            self._db.execute(_QUERIES["grow_version"], (dive,))

    def pages_with_stale_chunks(self, dive: int) -> list[int]:
        """Pages that have passages and should not."""
        return [number for (number,) in self._db.execute(_QUERIES["empty_pages"], (dive,))]

    def set_embedder(self, dive: int, name: str) -> None:
        """Note by what the passages are embedded."""
        with transaction(self._db, self._path):
            self._db.execute(_QUERIES["set_embedder"], (name, dive))

    def unembedded_texts(self, dive: int, embedder: str, limit: int) -> list[tuple[int, str]]:
        """Texts without a vector, short ones first: (hash, text)."""
        rows = self._db.execute(_QUERIES["unembedded"], (dive, embedder, limit))
        return [(one, f"{heading}\n{text}" if heading else text) for one, _, heading, text, _ in rows]

    def count_unembedded(self, dive: int, embedder: str) -> int:
        """How many texts have no vector yet."""
        return int(self._db.execute(_QUERIES["count_unembedded"], (dive, embedder)).fetchone()[0])

    def add_vectors(self, dive: int, embedder: str, rows: Iterable[tuple[int, bytes]]) -> None:
        """Keep vectors by the hash of their text."""
        with transaction(self._db, self._path):
            self._db.executemany(_QUERIES["add_vector"], [(embedder, one, content) for one, content in rows])
            self._db.execute(_QUERIES["grow_version"], (dive,))

    def vectors(self, dive: int, embedder: str) -> Iterator[tuple[int, bytes]]:
        """Every vector of a dive: (passage, vector)."""
        yield from self._db.execute(_QUERIES["vectors"], (dive, embedder))

    def nearest(
        self, dive: int, embedder: str, query: Sequence[float], limit: int, among: Set[int] | None = None
    ) -> list[tuple[int, float]] | None:
        """SQLite compares no vectors; whoever searches reads them all."""
        return None

    def version(self, dive: int) -> tuple[int, str]:
        """A number that grows with every change of passages or vectors, and the embedder."""
        row = self._db.execute(_QUERIES["version"], (dive,)).fetchone()
        return (int(row[0]), str(row[1])) if row else (0, "")

    def match(self, dive: int, words: Sequence[str], limit: int, heading_weight: float) -> list[int]:
        """Passages that have any of these words, the best first."""
        is_alone = self._db.execute(_QUERIES["all_dives"]).fetchall() == [(dive,)]
        most = limit if is_alone else limit * OVERFETCH_FACTOR
        expression = self._build_expression(words, most)
        if not expression:
            return []
        rows = self._db.execute(_QUERIES["match_anywhere"], (expression, heading_weight, most)).fetchall()
        numbers = [number for number, _ in rows if is_alone or self._dive_of(number) == dive][:limit]
        if len(numbers) == limit or len(rows) < most:
            return numbers
        rows = self._db.execute(
            _QUERIES["match_words"], (build_match_expression(quote_words(words)), dive, heading_weight, limit)
        ).fetchall()
        return [number for number, _ in rows]

    def _build_expression(self, words: Sequence[str], limit: int) -> str:
        """Any of the words; where the rarer ones are in enough passages, one of those must be there.

        Ranking takes ten times as long as finding. What has only words that stand everywhere is never among the best.
        """
        counts = sorted(
            (self._db.execute(_QUERIES["count_word"], (word,)).fetchone()[0], word) for word in quote_words(words)
        )
        rare: list[str] = []
        total = 0
        for count, word in counts:
            if total >= limit and total + count > limit * MAX_RANKED_FACTOR:
                break
            rare += [word] if count else []
            total += count
        return build_match_expression(rare, [word for count, word in counts if count and word not in rare])

    def known(self, dive: int | None) -> tuple[int, int, str] | None:
        """Number, scan and embedder of a dive, or of the newest; without counting anything."""
        row = self._db.execute(_QUERIES["known_dive"], (dive or 0,)).fetchone()
        return None if row is None else (int(row[0]), int(row[1]), str(row[2]))

    def _dive_of(self, chunk: int) -> int:
        row = self._db.execute(_QUERIES["dive_of_chunk"], (chunk,)).fetchone()
        return int(row[0]) if row else 0

    def passages(self, numbers: Sequence[int]) -> list[Passage]:
        """Passages by number, in this order."""
        rows = (self._db.execute(_QUERIES["passage"], (number,)).fetchone() for number in numbers)
        return [Passage(*row) for row in rows if row is not None]

    def places(self, dive: int) -> Iterator[tuple[int, str, str]]:
        """Every passage with URL and language of its page, for filters."""
        yield from self._db.execute(_QUERIES["filtered"], (dive,))

    def add_message(self, dive: int, message: Message) -> None:
        """Keep a turn of the conversation."""
        citations = json.dumps([dict(one) for one in message.citations], ensure_ascii=False)
        with transaction(self._db, self._path):
            self._db.execute(_QUERIES["add_message"], (dive, message.role, message.text, citations, timestamp()))

    def messages(self, dive: int, limit: int) -> list[Message]:
        """The last turns of the conversation, in order."""
        rows = self._db.execute(_QUERIES["messages"], (dive, limit))
        return [Message(role, text, json.loads(citations), at) for role, text, citations, at in rows]

    def forget_messages(self, dive: int) -> int:
        """Forget the conversation; gives how many turns it had."""
        with transaction(self._db, self._path):
            return self._db.execute(_QUERIES["forget_messages"], (dive,)).rowcount

    def end(self, dive: int, state: str) -> None:
        """Note how the dive ended."""
        with transaction(self._db, self._path):
            self._db.execute(_QUERIES["end_dive"], (state, timestamp(), dive))

    def _select_pages(self, dive: int, pages: Sequence[ScanPage]) -> None:
        """New pages wait, those that no longer belong are dropped with their passages."""
        wanted = {page.identity for page in pages}
        known = dict(self._db.execute(_QUERIES["page_identities"], (dive,)).fetchall())
        for identity, number in known.items():
            if identity not in wanted:
                self._unindex(number)
                self._db.execute(_QUERIES["drop_page"], (number,))
        self._db.executemany(
            _QUERIES["add_page"],
            [(dive, one.identity, one.url, one.fetch_url, one.title, one.language) for one in pages],
        )

    def _unindex(self, page: int) -> None:
        old = self._db.execute(_QUERIES["chunks_of_page"], (page,)).fetchall()
        self._db.executemany(_QUERIES["unindex"], old)
        self._db.execute(_QUERIES["drop_chunks"], (page,))


def quote_words(words: Sequence[str]) -> list[str]:
    """Words as FTS5 takes them, each once: what is quoted is never read as syntax."""
    bare = (word.replace('"', " ").replace("\0", " ").strip() for word in words)
    return list(dict.fromkeys(f'"{word}"' for word in bare if word))


def build_match_expression(needed: Sequence[str], others: Sequence[str] = ()) -> str:
    """An FTS5 expression: any of the needed words. The others only count; every word stands twice then, or none."""
    if not others:
        return " OR ".join(needed)
    return f"({' OR '.join(needed)}) AND ({' OR '.join((*needed, *others, *others))})"
