"""Named queries over a SQLite connection, with transactions that may have a time limit."""

from __future__ import annotations

import json
import math
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from headwater.errors import StoreError
from headwater.store.common.database import Database
from headwater.store.common.readers import build_reader
from headwater.store.queries import load_queries
from headwater.store.sqlite.connection import transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from headwater.store.common.database import Result, Row, Session, Values
    from headwater.store.common.readers import Record
    from headwater.store.sqlite.connection import FileConnection

_PROGRESS_STEPS = 10_000
"""Steps of SQLite's virtual machine between two checks of the clock, about a millisecond."""


class SqliteDatabase(Database):
    """Runs the queries of a store on one connection."""

    def __init__(self, connection: FileConnection, path: str, timeout: float | None = None) -> None:
        self.connection, self.path = connection, path
        self._queries = load_queries("sqlite")
        self._names: dict[str, tuple[str, ...]] = {}
        self._timeout, self._deadline = timeout, math.inf
        if timeout is not None:
            connection.set_progress_handler(lambda: time.monotonic() > self._deadline, _PROGRESS_STEPS)

    def fetch(self, query: str, values: Values) -> tuple[tuple[str, ...], list[Row]]:
        """Run a query and return the names of its columns and its rows."""
        cursor = self._run(query, values)
        return self._get_names(query, cursor), cursor.fetchall()

    def stream(self, record: type[Record], query: str, /, **values: object) -> Iterator[Record]:
        """Yield the rows of a query as records, without reading all of them first."""
        cursor = self._run(query, values)
        return map(build_reader(record, self._get_names(query, cursor)), cursor)

    def execute(self, query: str, /, **values: object) -> int:
        """Run a statement and return the number of rows it changed."""
        return self._run(query, values).rowcount

    def execute_many(self, query: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Run a statement for every row."""
        self.connection.executemany(self._queries[query], rows)

    def write_rows(self, query: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Run a statement for every row."""
        self.execute_many(query, rows)

    def insert(self, query: str, /, **values: object) -> int:
        """Insert a row and return its number."""
        return int(self._run(query, values).lastrowid or 0)

    def write(self, query: str, /, *, scan: int, **values: object) -> None:
        """Run one statement that belongs to a scan; SQLite gives it a transaction of its own."""
        self.execute(query, scan=scan, **values)

    def add(self, query: str, /, *, scan: int, **values: object) -> int:
        """Insert one row that belongs to a scan and return its number; SQLite gives it a transaction of its own."""
        return self.insert(query, scan=scan, **values)

    def transact(self, work: Callable[[Session], Result], scan: int | None = None, pages: int = 0) -> Result:
        """Run statements in one transaction; a file has no leases to check."""
        with self.transaction():
            return work(self)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything at the end of the block, or nothing; a block that exceeds the time limit is rolled back."""
        self._deadline = math.inf if self._timeout is None else time.monotonic() + self._timeout
        try:
            with transaction(self.connection, self.path):
                yield
        except StoreError:
            if time.monotonic() > self._deadline:
                reason = f"it took longer than transaction_timeout, {self._timeout} s"
                raise StoreError(f"{self.path} could not be written: {reason}") from None
            raise
        finally:
            self._deadline = math.inf

    def _run(self, query: str, values: Values) -> sqlite3.Cursor:
        for name, value in values.items():
            if type(value) is list:
                values[name] = json.dumps(value)
        return self.connection.execute(self._queries[query], values)

    def _get_names(self, query: str, cursor: sqlite3.Cursor) -> tuple[str, ...]:
        """Return the names of a query's columns, cached because that saves 2 µs for each row that is read alone."""
        names = self._names.get(query)
        if names is None:
            names = self._names[query] = tuple(column[0] for column in cursor.description)
        return names
