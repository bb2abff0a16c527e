"""Named queries over PostgreSQL; work is repeated after a lost connection, and refused after a lost lease."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import psycopg

from headwater.errors import StoreError
from headwater.store.common.database import Database, Result
from headwater.store.common.readers import build_reader
from headwater.store.postgres.batches import IdempotentTransaction
from headwater.store.postgres.connection import get_first_line
from headwater.store.postgres.escaping import unescape_row
from headwater.store.postgres.session import PostgresSession, get_names
from headwater.store.queries import load_queries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from psycopg import Connection

    from headwater.store.common.database import Row, Session, Values
    from headwater.store.common.readers import Record
    from headwater.store.postgres.batches import Fence
    from headwater.store.postgres.connection import ServerConnection

_FETCH_SIZE = 5000
_WRITE_PROBLEM = "could not be written"
_MAX_TEMP_ROWS = 2000
"""Rows in a temporary table above which it is emptied."""


class PostgresDatabase(Database):
    """Runs the queries of a store on a connection that is restored after it was lost."""

    def __init__(
        self, server: ServerConnection, fence: Fence | None = None, queries: Mapping[str, str] | None = None
    ) -> None:
        self.server, self._fence = server, fence
        self._queries = load_queries("postgres") if queries is None else queries

    def fetch(self, query: str, values: Values) -> tuple[tuple[str, ...], list[Row]]:
        """Run a query and return the names of its columns and its rows."""
        return self.server.run(lambda connection: self._create_session(connection).fetch(query, values))

    def stream(self, record: type[Record], query: str, /, **values: object) -> Iterator[Record]:
        """Yield the rows of a query as records, over a second connection."""
        try:
            with (
                closing(self.server.open_second_connection()) as connection,
                connection.transaction(),
                connection.cursor(name="stream") as cursor,
            ):
                cursor.itersize = _FETCH_SIZE
                cursor.execute(self._queries[query], values, binary=True)
                read = build_reader(record, get_names(cursor))
                for row in cursor:
                    yield read(unescape_row(row))
        except psycopg.Error as error:
            raise StoreError(f"{self.server.display_url} could not be read: {get_first_line(error)}") from None

    def execute(self, query: str, /, **values: object) -> int:
        """Run a statement and return the number of rows it changed."""
        return self._write(lambda session: session.execute(query, **values))

    def execute_many(self, query: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Run a statement for every row."""
        self._write(lambda session: session.execute_many(query, rows))

    def write_rows(self, query: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Run a statement once, with an array for every column of the rows."""
        self._write(lambda session: session.write_rows(query, rows))

    def insert(self, query: str, /, **values: object) -> int:
        """Insert a row and return its number."""
        return self._write(lambda session: session.insert(query, **values))

    def transact(
        self,
        work: Callable[[Session], Result],
        scan: int | None = None,
        pages: int = 0,
        copies: Mapping[str, Sequence[tuple[object, ...]]] | None = None,
    ) -> Result:
        """Run statements in one transaction, which is refused if the process has lost its lease on the scan.

        Rows of `copies` are copied into temporary tables first, before any row that others wait for is locked.
        """
        if scan is None:
            return self._write(lambda session: self._in_transaction(session, work))
        attempt = IdempotentTransaction[Result](scan, self._fence, pages)
        return self._write(lambda session: attempt.run(session, work, lambda: self._copy(session, copies or {})))

    def _in_transaction(self, session: PostgresSession, work: Callable[[Session], Result]) -> Result:
        with session.connection.transaction():
            return work(session)

    def _copy(self, session: PostgresSession, tables: Mapping[str, Sequence[tuple[object, ...]]]) -> None:
        """Copy rows into temporary tables."""
        for table, rows in tables.items():
            if not rows:
                continue
            if self.server.temp_row_counts[table] > _MAX_TEMP_ROWS:
                session.execute(f"empty_{table}")
                self.server.temp_row_counts[table] = 0
            session.copy(f"copy_{table}", rows)
            self.server.temp_row_counts[table] += len(rows)

    def _create_session(self, connection: Connection[Any]) -> PostgresSession:
        return PostgresSession(connection, self._queries)

    def _write(self, work: Callable[[PostgresSession], Result]) -> Result:
        return self.server.run(lambda connection: work(self._create_session(connection)), _WRITE_PROBLEM)
