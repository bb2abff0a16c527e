"""Dives in a SQLite file: words are searched by FTS5, vectors are only stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.common.dives import SqlDiveStore, build_message_values
from headwater.store.sqlite.database import SqliteDatabase  # noqa: TC001  (annotates an attribute)

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from headwater.store.common.database import Session
    from headwater.store.records.dive_records import ChunkRow, Message, ScanPage

OVERFETCH_FACTOR = 3
"""Multiple of the limit that a search of all dives returns; a single dive is searched only if that is not enough."""

MAX_RANKED_FACTOR = 10
"""Multiple of the limit that is ranked; beyond it, passages without any of the rarer words are left out."""


class SqliteDiveStore(SqlDiveStore):
    """Dives of a store; uses its connection."""

    _db: SqliteDatabase

    @property
    def path(self) -> str:
        """Path of the file."""
        return self._db.path

    def set_chunks(self, dive: int, page: int, chunked_hash: int | None, chunks: Sequence[ChunkRow]) -> None:
        """Replace the passages of a page, and index their words."""
        rows = [{"dive": dive, "page": page, "place": place, **chunk._asdict()} for place, chunk in enumerate(chunks)]

        def replace(session: Session) -> None:
            session.execute("unindex_chunks", page=page)
            session.execute("drop_chunks", page=page)
            session.execute_many("add_chunk", rows)
            session.execute("index_chunks", page=page)
            session.execute("mark_chunked", page=page, chunked_hash=chunked_hash)
            session.execute("bump_version", dive=dive)

        self._db.transact(replace)

    def nearest(
        self, dive: int, embedder: str, query: Sequence[float], limit: int, among: Set[int] | None = None
    ) -> list[tuple[int, float]] | None:
        """Return None: SQLite cannot compare vectors, so callers read all of them."""
        return None

    def match_words(self, dive: int, words: Sequence[str], limit: int, heading_weight: float) -> list[int]:
        """Return the passages with any of these words, best first; no word is parsed as syntax."""
        is_only_dive = self._db.column("all_dives") == [dive]
        search_limit = limit if is_only_dive else limit * OVERFETCH_FACTOR
        expression = self._build_expression(words, search_limit)
        if not expression:
            return []
        found = self._db.column(
            "match_all_dives", expression=expression, heading_weight=heading_weight, limit=search_limit
        )
        numbers = [number for number in found if is_only_dive or self._db.value("dive_of_chunk", chunk=number) == dive]
        if len(numbers) >= limit or len(found) < search_limit:
            return numbers[:limit]
        expression = build_match_expression(quote_words(words))
        return self._db.column(
            "match_words", expression=expression, dive=dive, heading_weight=heading_weight, limit=limit
        )

    def add_message(self, dive: int, message: Message) -> None:
        """Add a message."""
        self._db.execute("add_message", **build_message_values(dive, message))

    def _build_expression(self, words: Sequence[str], limit: int) -> str:
        """Return an expression for any of the words; if enough passages have rare words, one of those is required.

        Ranking takes ten times as long as finding, and passages with only frequent words are never among the best.
        """
        counts = sorted((self._db.value("count_word", word=word), word) for word in quote_words(words))
        rare: list[str] = []
        total = 0
        for count, word in counts:
            if total >= limit and total + count > limit * MAX_RANKED_FACTOR:
                break
            rare += [word] if count else []
            total += count
        return build_match_expression(rare, [word for count, word in counts if count and word not in rare])

    def _select_pages(self, session: Session, dive: int, pages: Sequence[ScanPage]) -> None:
        session.execute("unindex_other_chunks", dive=dive, identities=[page.identity for page in pages])
        super()._select_pages(session, dive, pages)


def quote_words(words: Sequence[str]) -> list[str]:
    """Return each word once, quoted for FTS5, so that it is never parsed as syntax."""
    bare = (word.replace('"', " ").replace("\0", " ").strip() for word in words)
    return list(dict.fromkeys(f'"{word}"' for word in bare if word))


def build_match_expression(required: Sequence[str], others: Sequence[str] = ()) -> str:
    """Return an FTS5 expression for passages with at least one of the required words.

    The other words only add to the rank; then every word occurs twice, so that all have the same weight.
    """
    if not others:
        return " OR ".join(required)
    return f"({' OR '.join(required)}) AND ({' OR '.join((*required, *others, *others))})"
