"""One file, many processes, one writer: the others read the file themselves and send what is to be written.

The write-ahead log lets any number read while one writes. What a process writes is kept when its call returns, as in
a store of its own, so nobody can tell the difference.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, cast

from headwater.errors import StoreError
from headwater.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Sequence

    from headwater.store.sqlite.connection import FileConnection

    Row = Sequence[object]
    Statements = list[tuple[str, list[Row]]]
    SendRequest = Callable[[bytes], bytes]

_READ_PREFIXES = ("SELECT", "PRAGMA", "EXPLAIN", "WITH")


class WriterStore(SqliteStore):
    """The store of the process that writes, for itself and for the others."""

    def handle_write_request(self, message: bytes) -> bytes:
        """Write what another process sent: all of it or nothing; what goes wrong is told to the one who asked."""
        work: Statements = pickle.loads(message)  # noqa: S301  (from our own child)
        try:
            return pickle.dumps((self._apply(work), ""))
        except Exception as error:  # noqa: BLE001  (whatever it is: the other process waits for an answer)
            told = str(error) if isinstance(error, StoreError) else f"{type(error).__name__}: {error}"
            return pickle.dumps(((), told))

    def _apply(self, work: Statements) -> list[int | None]:
        if len(work) == 1 and len(work[0][1]) == 1:
            return [self._execute(*work[0])]
        with self._transaction():
            return [self._execute(query, rows) for query, rows in work]

    def _execute(self, query: str, rows: list[Row]) -> int | None:
        if len(rows) == 1:
            return self._db.execute(query, rows[0]).lastrowid
        return self._db.executemany(query, rows).lastrowid


class ForwardingStore(SqliteStore):
    """The store of a process that does not write; `ask` takes a message to the one that does and gives its answer."""

    def __init__(self, path: str, ask: SendRequest) -> None:
        super().__init__(path)
        self._db = cast("FileConnection", _ForwardingConnection(self._db, ask))


class _ForwardedCursor:
    """What is left of a cursor when somebody else does the work."""

    __slots__ = ("lastrowid",)

    def __init__(self) -> None:
        self.lastrowid: int | None = None


class _ForwardingConnection:
    """Looks like a connection: questions go to the file, changes to the writer, a transaction as one message."""

    def __init__(self, db: sqlite3.Connection, ask: SendRequest) -> None:
        self._db, self._ask = db, ask
        self._work: Statements = []
        self._cursors: list[_ForwardedCursor] = []
        self.in_transaction = False

    def execute(self, query: str, row: Row = ()) -> sqlite3.Cursor | _ForwardedCursor:
        """A question, a change, or where a transaction begins or ends."""
        if query.startswith(_READ_PREFIXES):
            return self._db.execute(query, row)
        if query.startswith(("BEGIN", "ROLLBACK", "COMMIT")):
            self._turn(query)
            return _ForwardedCursor()
        return self.executemany(query, [row])

    def executemany(self, query: str, rows: Iterable[Row]) -> _ForwardedCursor:
        """A change."""
        written, rows = _ForwardedCursor(), list(rows)
        if rows:
            self._work.append((query, rows))
            self._cursors.append(written)
        if not self.in_transaction:
            self._send()
        return written

    def cursor(self) -> sqlite3.Cursor:
        """For questions only."""
        return self._db.cursor()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _turn(self, query: str) -> None:
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
        numbers, problem = pickle.loads(self._ask(pickle.dumps(work, pickle.HIGHEST_PROTOCOL)))  # noqa: S301
        if problem:
            raise StoreError(problem)
        for cursor, number in zip(cursors, numbers, strict=True):
            cursor.lastrowid = number
