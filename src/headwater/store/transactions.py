"""A transaction for those who share a store's connection to its SQLite file."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from headwater.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator


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
