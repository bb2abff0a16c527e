"""The connection to a SQLite file, whose errors say which file it is, and a transaction for those who share it."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from headwater.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class FileConnection(sqlite3.Connection):
    """A connection to a store's file: a full disk or a lock that is never let go is an error of the store."""

    path = ""
    """Set once the file is known to be a store; what goes wrong before is told by whoever opens it."""

    def execute(self, query: str, row: Sequence[object] = (), /) -> sqlite3.Cursor:  # type: ignore[override]
        """One statement."""
        try:
            return super().execute(query, row)
        except sqlite3.Error as error:
            raise self._told(error) from None

    def executemany(self, query: str, rows: Iterable[Sequence[object]], /) -> sqlite3.Cursor:  # type: ignore[override]
        """One statement, for every row."""
        try:
            return super().executemany(query, rows)
        except sqlite3.Error as error:
            raise self._told(error) from None

    def _told(self, error: sqlite3.Error) -> Exception:
        return StoreError(f"{self.path} could not be used: {error}") if self.path else error


@contextmanager
def transaction(db: sqlite3.Connection, path: str, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """All of it is kept, or none; whoever rolls it back within the block may do so."""
    try:
        db.execute(begin)
        yield
        if db.in_transaction:
            db.execute("COMMIT")
    except BaseException as error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise StoreError(f"{path} could not be written: {error}") from None
        raise
