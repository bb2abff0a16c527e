"""Several processes, one SQLite file, one writer: the others read the file and send their writes to the writer.

The write-ahead log lets any number of processes read while one writes. A forwarded write is committed when its call
returns, as in a store that writes itself.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, cast

from headwater.errors import StoreError
from headwater.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from headwater.store.sqlite.connection import FileConnection

    Row = Sequence[object] | Mapping[str, object]
    Statements = list[tuple[str, list[Row]]]
    SendRequest = Callable[[bytes], bytes]

_READ_PREFIXES = ("SELECT", "PRAGMA", "EXPLAIN", "WITH")


class WriterStore(SqliteStore):
    """The store of the process that writes, for itself and for the others."""

    def handle_write_request(self, message: bytes) -> bytes:
        """Apply the writes of another process, all or none; an error is sent back to it."""
        work: Statements = pickle.loads(message)  # noqa: S301  (from our own child)
        try:
            return pickle.dumps((self._apply(work), ""))
        except Exception as error:  # noqa: BLE001  (the other process always waits for a reply)
            problem = str(error) if isinstance(error, StoreError) else f"{type(error).__name__}: {error}"
            return pickle.dumps(((), problem))

    def _apply(self, work: Statements) -> list[int | None]:
        if len(work) == 1 and len(work[0][1]) == 1:
            return [self._execute(*work[0])]
        with self._db.transaction():
            return [self._execute(query, rows) for query, rows in work]

    def _execute(self, query: str, rows: list[Row]) -> int | None:
        if len(rows) == 1:
            return self._db.connection.execute(query, rows[0]).lastrowid
        return self._db.connection.executemany(query, rows).lastrowid


class ForwardingStore(SqliteStore):
    """Store of a process that does not write; `send_request` sends a message to the writer and returns the reply."""

    def __init__(self, path: str, send_request: SendRequest) -> None:
        super().__init__(path)
        self._db.connection = cast("FileConnection", _ForwardingConnection(self._db.connection, send_request))


class _ForwardedCursor:
    """Cursor of a statement that the writer runs."""

    __slots__ = ("lastrowid", "rowcount")

    def __init__(self) -> None:
        self.lastrowid: int | None = None
        self.rowcount = -1


class _ForwardingConnection:
    """Connection that reads the file itself and sends writes to the writer, a transaction as one message."""

    def __init__(self, db: sqlite3.Connection, send_request: SendRequest) -> None:
        self._db, self._send_request = db, send_request
        self._work: Statements = []
        self._cursors: list[_ForwardedCursor] = []
        self.in_transaction = False

    def execute(self, query: str, row: Row = ()) -> sqlite3.Cursor | _ForwardedCursor:
        """Run a query, forward a write, or begin or end a transaction."""
        if query.startswith(_READ_PREFIXES):
            return self._db.execute(query, row)
        if query.startswith(("BEGIN", "ROLLBACK", "COMMIT")):
            self._begin_or_end(query)
            return _ForwardedCursor()
        return self.executemany(query, [row])

    def executemany(self, query: str, rows: Iterable[Row]) -> _ForwardedCursor:
        """Forward a write, at the end of the transaction if there is one."""
        cursor, rows = _ForwardedCursor(), list(rows)
        if rows:
            self._work.append((query, rows))
            self._cursors.append(cursor)
        if not self.in_transaction:
            self._send()
        return cursor

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _begin_or_end(self, query: str) -> None:
        self.in_transaction = query.startswith("BEGIN")
        if query == "COMMIT":
            self._send()
        else:
            self._work, self._cursors = [], []

    def _send(self) -> None:
        work, cursors = self._work, self._cursors
        self._work, self._cursors = [], []
        if not work:
            return
        numbers, problem = pickle.loads(self._send_request(pickle.dumps(work, pickle.HIGHEST_PROTOCOL)))  # noqa: S301
        if problem:
            raise StoreError(problem)
        for cursor, number in zip(cursors, numbers, strict=True):
            cursor.lastrowid = number
