"""Vectors compared by the server itself, where its database has pgvector: nothing is sent but the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.store.queries import load_queries

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from psycopg import Connection

    from headwater.store.postgres.connection import ServerConnection

_QUERIES = load_queries("postgres", "pgvector.sql")
_SCALE_BYTES = 4
_BATCH_SIZE = 10_000


class PgvectorIndex:
    """The vectors of dives a second time, as the extension's `halfvec`, beside the bytes that every store keeps."""

    def __init__(self, server: ServerConnection) -> None:
        self._server = server
        self._synced_versions: dict[tuple[int, str], int] = {}
        """The version at which a dive's vectors were all here."""

    def nearest(
        self, dive: int, embedder: str, query: Sequence[float], limit: int, among: Set[int] | None
    ) -> list[tuple[int, float]] | None:
        """Every vector of the dive is compared, so none is missed; None without the extension."""
        values = {
            "dive": dive, "embedder": embedder, "query": _format_vector(query), "limit": limit, "width": len(query),
            "among": None if among is None else sorted(among),
        }  # fmt: skip

        def run(connection: Connection[Any]) -> list[tuple[int, float]] | None:
            if not self._is_available(connection):
                return None
            self._bring_up_to_date(connection, dive, embedder)
            return [
                (number, float(score)) for number, score in connection.execute(_QUERIES["nearest"], values).fetchall()
            ]

        return self._server.run(run)

    def _is_available(self, connection: Connection[Any]) -> bool:
        """Whether the extension is in the database; its table is made when it is first seen."""
        is_there, has_table = connection.execute(_QUERIES["present"]).fetchone() or (False, False)
        if is_there and not has_table:
            connection.execute(_QUERIES["make_table"])
        return bool(is_there)

    def _bring_up_to_date(self, connection: Connection[Any], dive: int, embedder: str) -> None:
        """Vectors that were kept as bytes only, by whoever kept them; looked for when the dive has changed."""
        (version,) = connection.execute(_QUERIES["version"], (dive,)).fetchone() or (0,)
        if self._synced_versions.get((dive, embedder)) == version:
            return
        while rows := connection.execute(_QUERIES["missing"], (embedder, dive, embedder, _BATCH_SIZE)).fetchall():
            hashes = [one for one, _ in rows]
            contents = [_format_vector(memoryview(content)[_SCALE_BYTES:].cast("b")) for _, content in rows]
            connection.execute(_QUERIES["add"], (embedder, hashes, contents))
        self._synced_versions[dive, embedder] = version


def _format_vector(values: Sequence[float] | memoryview[int]) -> str:
    """As the extension reads it; the length of a vector does not matter to its angle."""
    return f"[{','.join(map(str, values))}]"
