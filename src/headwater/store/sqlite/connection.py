"""Connection to a SQLite file, with errors that name the file, and transactions on it."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from headwater.errors import StoreError, StoreFailedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Row = Sequence[object] | Mapping[str, object]

_MAX_INTEGER = 2**63 - 1


class FileConnection(sqlite3.Connection):
    """Connection to a store's file; SQLite's errors become errors of the store."""

    path = ""
    """Set once the file is known to be a store; `open_file` reports earlier errors."""

    def execute(self, query: str, row: Row = (), /) -> sqlite3.Cursor:  # type: ignore[override]
        """Run a statement."""
        try:
            return super().execute(query, row)
        except (sqlite3.Error, OverflowError) as error:
            raise self._convert_error(error) from None

    def executemany(self, query: str, rows: Iterable[Row], /) -> sqlite3.Cursor:  # type: ignore[override]
        """Run a statement for every row."""
        try:
            return super().executemany(query, rows)
        except (sqlite3.Error, OverflowError) as error:
            raise self._convert_error(error) from None

    def _convert_error(self, error: sqlite3.Error | OverflowError) -> Exception:
        if not self.path:
            return error
        if isinstance(error, OverflowError):
            return StoreError(f"{self.path} cannot store numbers beyond {_MAX_INTEGER:,}")
        if is_disk_failure(error):
            return build_disk_failure(self.path, error)
        return StoreError(f"{self.path} could not be used: {error}")


def is_disk_failure(error: sqlite3.Error) -> bool:
    """Return True for errors of the disk: it is full, or a read or write failed."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


def build_disk_failure(path: str, error: sqlite3.Error) -> StoreFailedError:
    """Return the error for a failed disk; an unfinished transaction has been rolled back."""
    hint = f"Earlier batches are stored: free some space, then `headwater resume --db {path}` continues the scan"
    return StoreFailedError(f"{path} could not be used: {error}. {hint}")


@contextmanager
def transaction(db: sqlite3.Connection, path: str, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """Commit everything at the end of the block, or nothing; the block may roll back itself."""
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
