"""Dives in PostgreSQL: words in a `tsvector` of the page's language, vectors as bytes and in pgvector if present."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from headwater.store.common.dives import SqlDiveStore, build_message_values
from headwater.store.postgres.database import PostgresDatabase  # noqa: TC001  (annotates an attribute)
from headwater.store.postgres.escaping import escape_row
from headwater.store.postgres.pgvector import PgvectorIndex
from headwater.store.postgres.text_search import extract_words, get_text_search_config

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from headwater.store.common.database import Session
    from headwater.store.records.dive_records import ChunkRow, Message


class PostgresDiveStore(SqlDiveStore):
    """Dives of a store on a server; uses its connection. Its writes can safely be repeated after a lost connection."""

    _db: PostgresDatabase

    def __init__(self, db: PostgresDatabase) -> None:
        super().__init__(db)
        self._vectors = PgvectorIndex(db.server)

    @property
    def path(self) -> str:
        """URL of the server without its password."""
        return self._db.server.display_url

    def set_chunks(self, dive: int, page: int, chunked_hash: int | None, chunks: Sequence[ChunkRow]) -> None:
        """Replace the passages of a page, and index their words, stemmed by the rules of its language."""
        rows = [
            {**chunk._asdict(), "heading_words": extract_words(chunk.heading), "text_words": extract_words(chunk.text)}
            for chunk in chunks
        ]
        columns = {name: [*escape_row(row[name] for row in rows)] for name in rows[0]} if rows else {}

        def replace(session: Session) -> None:
            session.execute("drop_chunks", page=page)
            if columns:
                config = get_text_search_config(session.value("language_of_page", page=page) or "")
                session.execute("add_text_search_config", config=config, dive=dive)
                session.execute("add_chunks", dive=dive, page=page, config=config, **columns)
            session.execute("mark_chunked", page=page, chunked_hash=chunked_hash)
            session.execute("bump_version", dive=dive)

        self._db.transact(replace)

    def nearest(
        self, dive: int, embedder: str, query: Sequence[float], limit: int, among: Set[int] | None = None
    ) -> list[tuple[int, float]] | None:
        """Return the passages nearest to a query, found by pgvector; None if the server does not have it."""
        return self._vectors.nearest(dive, embedder, query, limit, among)

    def match_words(self, dive: int, words: Sequence[str], limit: int, heading_weight: float) -> list[int]:
        """Return the passages with any of these words, best first; no word is parsed as syntax."""
        weight = 1 / max(heading_weight, 1.0)
        weights = [weight, weight, weight, 1.0]
        return self._db.column(
            "match_words", dive=dive, words=[extract_words(word) for word in words], limit=limit, weights=weights
        )

    def add_message(self, dive: int, message: Message) -> None:
        """Add a message once, however often the connection is lost."""
        values = build_message_values(dive, message)
        tries = count()
        self._db.transact(lambda session: session.execute("add_message", is_retry=next(tries) > 0, **values))
