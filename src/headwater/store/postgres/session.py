"""Named queries within a transaction of PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.store.common.database import Session
from headwater.store.postgres.escaping import escape_row, escape_values, unescape_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from psycopg import Connection, Cursor

    from headwater.store.common.database import Row, Values


class PostgresSession(Session):
    """Runs the queries of a store on one connection, within a transaction."""

    def __init__(self, connection: Connection[Any], queries: Mapping[str, str]) -> None:
        self.connection, self._queries = connection, queries

    def fetch(self, query: str, values: Values) -> tuple[tuple[str, ...], list[Row]]:
        """Run a query and return the names of its columns and its rows."""
        cursor = self._run(query, values)
        return get_names(cursor), [*map(unescape_row, cursor.fetchall())]

    def execute(self, query: str, /, **values: object) -> int:
        """Run a statement and return the number of rows it changed."""
        return self._run(query, values).rowcount

    def execute_many(self, query: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Run a statement for every row."""
        escaped = [escape_values(row) for row in rows]
        if escaped:
            self.connection.cursor().executemany(self._queries[query], escaped)

    def write_rows(self, query: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Run a statement once, with an array for every column of the rows."""
        if rows:
            self._run(query, {name: [*escape_row(row[name] for row in rows)] for name in rows[0]})

    def insert(self, query: str, /, **values: object) -> int:
        """Insert a row and return its number."""
        row = self.connection.execute(f"{self._queries[query]} RETURNING number", escape_values(values)).fetchone()
        return int(row[0]) if row else 0

    def copy(self, query: str, rows: Iterable[Sequence[object]]) -> None:
        """Write rows by a COPY statement."""
        with self.connection.cursor() as cursor, cursor.copy(self._queries[query]) as copy:
            for row in rows:
                copy.write_row(row)

    def _run(self, query: str, values: Values) -> Cursor[Any]:
        return self.connection.execute(self._queries[query], escape_values(values))


def get_names(cursor: Cursor[Any]) -> tuple[str, ...]:
    """Return the names of the columns of a result."""
    return tuple([column.name for column in cursor.description or ()])
