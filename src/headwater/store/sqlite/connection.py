"""The connection to a SQLite file, whose errors say which file it is, and a transaction for those who share it."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from headwater.errors import StoreError, StoreFailedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


_MAX_INTEGER = 2**63 - 1


class FileConnection(sqlite3.Connection):
    """A connection to a store's file: a full disk or a lock that is never let go is an error of the store."""

    path = ""
    """Set once the file is known to be a store; what goes wrong before is told by whoever opens it."""

    def execute(self, query: str, row: Sequence[object] = (), /) -> sqlite3.Cursor:  # type: ignore[override]
        """One statement."""
        try:
            return super().execute(query, row)
        except (sqlite3.Error, OverflowError) as error:
            raise self._told(error) from None

    def executemany(self, query: str, rows: Iterable[Sequence[object]], /) -> sqlite3.Cursor:  # type: ignore[override]
        """One statement, for every row."""
        try:
            return super().executemany(query, rows)
        except (sqlite3.Error, OverflowError) as error:
            raise self._told(error) from None

    def _told(self, error: sqlite3.Error | OverflowError) -> Exception:
        if not self.path:
            return error
        if isinstance(error, OverflowError):
            return StoreError(f"{self.path} holds no numbers beyond {_MAX_INTEGER:,}")
        if is_disk_failure(error):
            return build_disk_failure(self.path, error)
        return StoreError(f"{self.path} could not be used: {error}")


def is_disk_failure(error: sqlite3.Error) -> bool:
    """Return True for errors of the disk: it is full, or a read or write failed."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


def build_disk_failure(path: str, error: sqlite3.Error) -> StoreFailedError:
    """Return what to raise when the disk fails; a transaction that was not finished leaves no trace."""
    kept = f"What was stored before is kept: make room, then `headwater resume --db {path}` continues a scan"
    return StoreFailedError(f"{path} could not be used: {error}. {kept}")


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
        if isinstance(error, sqlite3.Error) and is_disk_failure(error):
            raise build_disk_failure(path, error) from None
        if isinstance(error, sqlite3.Error):
            raise StoreError(f"{path} could not be written: {error}") from None
        raise
