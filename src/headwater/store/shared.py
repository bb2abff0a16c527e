"""One file, many processes, one writer: the others read the file themselves and send what is to be written.

The write-ahead log lets any number read while one writes. What a process writes is kept when its call returns, as in
a store of its own, so nobody can tell the difference.
"""

from __future__ import annotations

import pickle
import sqlite3
from typing import TYPE_CHECKING, NamedTuple, cast

from headwater.errors import StoreError
from headwater.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Row = Sequence[object]
    Ask = Callable[[bytes], bytes]

_READING = ("SELECT", "PRAGMA", "EXPLAIN", "WITH")


class WritingStore(SqliteStore):
    """The store of the process that writes, for itself and for the others."""

    def write_for(self, message: bytes) -> bytes:
        """Write what another process sent: all of it or nothing; what goes wrong is told to the one who asked."""
        work: list[tuple[str, list[Row]]] = pickle.loads(message)  # noqa: S301  (from our own child)
        try:
            last = self._apply(work)
        except (StoreError, sqlite3.Error) as error:
            return pickle.dumps((None, str(error)))
        return pickle.dumps((last, ""))

    def _apply(self, work: Sequence[tuple[str, Sequence[Row]]]) -> int | None:
        if len(work) == 1 and len(work[0][1]) == 1:
            return self._db.execute(work[0][0], work[0][1][0]).lastrowid
        with self._transaction():
            for query, rows in work:
                self._db.executemany(query, rows)
        return None


class SharedStore(SqliteStore):
    """The store of a process that does not write; `ask` takes a message to the one that does and gives its answer."""

    def __init__(self, path: str, ask: Ask) -> None:
        super().__init__(path)
        self._db = cast("sqlite3.Connection", _Routed(self._db, ask))


class _Written(NamedTuple):
    """What is left of a cursor when somebody else did the work."""

    lastrowid: int | None = None


class _Routed:
    """Looks like a connection: questions go to the file, changes to the writer, a transaction as one message."""

    def __init__(self, db: sqlite3.Connection, ask: Ask) -> None:
        self._db, self._ask = db, ask
        self._gathered: list[tuple[str, list[Row]]] | None = None

    @property
    def in_transaction(self) -> bool:
        return self._gathered is not None

    def execute(self, query: str, row: Row = ()) -> sqlite3.Cursor | _Written:
        if query.startswith(_READING):
            return self._db.execute(query, row)
        if query.startswith("BEGIN"):
            self._gathered = []
            return _Written()
        if query == "ROLLBACK":
            self._gathered = None
            return _Written()
        if query == "COMMIT":
            work, self._gathered = self._gathered or [], None
            return self._send(work)
        return self._add(query, [row])

    def executemany(self, query: str, rows: Iterable[Row]) -> _Written:
        return self._add(query, list(rows))

    def close(self) -> None:
        self._db.close()

    def _add(self, query: str, rows: list[Row]) -> _Written:
        if self._gathered is None:
            return self._send([(query, rows)])
        self._gathered.append((query, rows))
        return _Written()

    def _send(self, work: list[tuple[str, list[Row]]]) -> _Written:
        work = [(query, rows) for query, rows in work if rows]
        if not work:
            return _Written()
        last, problem = pickle.loads(self._ask(pickle.dumps(work, pickle.HIGHEST_PROTOCOL)))  # noqa: S301
        if problem:
            raise sqlite3.OperationalError(problem)
        return _Written(last)
