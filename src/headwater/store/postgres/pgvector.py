"""Compare vectors in the server, if its database has pgvector; only the best matches are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.postgres.database import PostgresDatabase
from headwater.store.queries import load_queries

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from headwater.store.postgres.connection import ServerConnection

_SCALE_BYTES = 4
_BATCH_SIZE = 10_000


class PgvectorIndex:
    """Vectors of dives as the extension's `halfvec`, a copy of the bytes that every store has."""

    def __init__(self, server: ServerConnection) -> None:
        self._db = PostgresDatabase(server, queries=load_queries("postgres", "pgvector.sql"))
        self._synced_versions: dict[tuple[int, str], int] = {}
        """Version of each dive whose vectors were all copied."""

    def nearest(
        self, dive: int, embedder: str, query: Sequence[float], limit: int, among: Set[int] | None
    ) -> list[tuple[int, float]] | None:
        """Compare every vector of a dive, so that no match is missed; return None without the extension."""
        if not self._is_available():
            return None
        self._sync(dive, embedder)
        rows = self._db.rows(
            "nearest", dive=dive, embedder=embedder, query=_format_vector(query), limit=limit, width=len(query),
            among=None if among is None else sorted(among),
        )  # fmt: skip
        return [(number, float(score)) for number, score in rows]

    def _is_available(self) -> bool:
        """Return True if the database has the extension; the table is created when it is first seen."""
        ((is_installed, has_table),) = self._db.rows("has_extension")
        if is_installed and not has_table:
            self._db.execute("create_table")
        return bool(is_installed)

    def _sync(self, dive: int, embedder: str) -> None:
        """Copy the vectors that are stored as bytes only, if the dive has changed."""
        version = self._db.value("version", dive=dive) or 0
        if self._synced_versions.get((dive, embedder)) == version:
            return
        while rows := self._db.rows("missing_vectors", dive=dive, embedder=embedder, limit=_BATCH_SIZE):
            vectors = [
                {
                    "embedder": embedder,
                    "hash": key,
                    "value": _format_vector(memoryview(content)[_SCALE_BYTES:].cast("b")),
                }
                for key, content in rows
            ]
            self._db.write_rows("add_vectors", vectors)
        self._synced_versions[dive, embedder] = version


def _format_vector(values: Sequence[float] | memoryview[int]) -> str:
    """Return a vector in the extension's text format; it need not be normalized, because only angles are compared."""
    return f"[{','.join(map(str, values))}]"
