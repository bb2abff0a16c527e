"""Open a SQLite file as a store: private to its owner, with a write-ahead log and the current schema.

Several processes may open a new or an older file at the same time.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.errors import StoreError
from headwater.store.queries import load_migrations
from headwater.store.sqlite.connection import FileConnection, build_disk_failure, is_disk_failure

if TYPE_CHECKING:
    from collections.abc import Iterator

APPLICATION_ID = 0x48445754  # "HDWT", to recognize files of other programs
PRIVATE_MODE = 0o600
"""Mode of new files: they may contain pages that only this user can read."""

BUSY_TIMEOUT = 10.0
"""Seconds to wait for other processes that lock the file."""

_RETRY_DELAY = 0.02
_MIGRATIONS = load_migrations("sqlite")
_PRAGMAS = (
    "synchronous = NORMAL",
    "wal_autocheckpoint = 16000",
    "cache_size = -16384",  # with the default of 2 MB, a crawl reads the file twice for each page
)
_CREATE_LOCK = threading.Lock()


def open_file(path: str) -> FileConnection:
    """Open a store's file; create or migrate it if necessary."""
    if path != ":memory:":
        create_private_file(path)
    try:
        db = sqlite3.connect(path, BUSY_TIMEOUT, isolation_level=None, factory=FileConnection, check_same_thread=False)
        try:
            _prepare(db, path)
        except BaseException:
            db.close()
            raise
    except sqlite3.Error as error:
        if is_disk_failure(error):
            raise build_disk_failure(path, error) from None
        raise StoreError(f"{path} cannot be used as a store: {error}") from None
    db.path = path
    return db


def create_private_file(path: str) -> None:
    """Create the file for its owner only if it does not exist; SQLite gives its log and journal the same mode.

    SQLite loses its locks on a file when this process closes any descriptor of it. So an existing file is not opened
    here, and no other thread may open a new one before this descriptor is closed.
    """
    with _CREATE_LOCK, suppress(OSError):  # SQLite reports what is wrong with the path
        Path(os.path.realpath(path)).touch(PRIVATE_MODE, exist_ok=False)


def _prepare(db: FileConnection, path: str) -> None:
    is_current = _read_version(db, path) == max(_MIGRATIONS)
    _enable_wal(db)
    for setting in _PRAGMAS:
        db.execute(f"PRAGMA {setting}")
    if not is_current:
        _migrate(db, path)


def _read_version(db: FileConnection, path: str) -> int:
    """Check that the file is a store, and return the version of its schema, in one read transaction."""
    db.execute("BEGIN")
    version, application = _read_pragma(db, "user_version"), _read_pragma(db, "application_id")
    is_used = bool(_read_pragma(db, "schema_version"))
    db.execute("COMMIT")
    _check_ownership(path, version, application, is_used=is_used)
    return version


def _check_ownership(path: str, version: int, application: int, *, is_used: bool) -> None:
    newest = max(_MIGRATIONS)
    if application not in {0, APPLICATION_ID} or (application == 0 and is_used):
        raise StoreError(f"{path} is a database of another program")
    if version > newest:
        raise StoreError(
            f"{path} was written by a newer Headwater (its schema has version {version}, this one supports {newest})"
        )


def _enable_wal(db: FileConnection) -> None:
    """Switch to the write-ahead log; SQLite does not wait for other processes that do the same or lock the file."""
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_DELAY)
        else:
            return


def _migrate(db: FileConnection, path: str) -> None:
    """Apply the missing migrations in one transaction, unless another process has done so meanwhile."""
    db.execute("BEGIN IMMEDIATE")
    version, application = _read_pragma(db, "user_version"), _read_pragma(db, "application_id")
    _check_ownership(path, version, application, is_used=bool(_read_pragma(db, "schema_version")))
    for number, script in _MIGRATIONS.items():
        if number > version:
            for statement in _split_statements(script):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {number}")
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute("COMMIT")


def _split_statements(script: str) -> Iterator[str]:
    """Yield the statements of a script; `executescript` would commit the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


def _read_pragma(db: FileConnection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])
