"""Transactions of a SQLite file: all or nothing, with errors that name the file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from headwater.errors import StoreError
from headwater.store.sqlite.connection import FileConnection, transaction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ADD = "INSERT INTO page VALUES (?)"


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Create a file with one table and one row."""
    name = str(tmp_path / "x.db")
    with closing(sqlite3.connect(name)) as db, db:
        db.execute("CREATE TABLE page (url TEXT UNIQUE)")
        db.execute(ADD, ("/old",))
    return name


@pytest.fixture
def db(path: str) -> Iterator[sqlite3.Connection]:
    """Open the file as stores do, without waiting for locks."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as opened:
        yield opened


def kept(path: str) -> list[str]:
    """Return the rows that another connection sees."""
    with closing(sqlite3.connect(path, timeout=0)) as other:
        return [url for (url,) in other.execute("SELECT url FROM page ORDER BY url")]


def add(db: sqlite3.Connection, path: str, *urls: str, error: BaseException | None = None) -> None:
    """Add rows in one transaction, and then perhaps raise an error in it."""
    with transaction(db, path):
        for url in urls:
            db.execute(ADD, (url,))
        if error is not None:
            raise error


def test_the_end_of_the_block_commits(db: sqlite3.Connection, path: str) -> None:
    with transaction(db, path):
        db.execute(ADD, ("/new",))
        assert kept(path) == ["/old"]
    assert kept(path) == ["/new", "/old"]


@pytest.mark.parametrize("error", [ValueError("a mistake"), KeyboardInterrupt(), StoreError("a lost connection")])
def test_an_error_in_the_block_rolls_back_and_is_raised_unchanged(
    db: sqlite3.Connection, path: str, error: BaseException
) -> None:
    with pytest.raises(type(error)) as raised:
        add(db, path, "/new", error=error)
    assert raised.value is error
    assert (db.in_transaction, kept(path)) == (False, ["/old"])
    add(db, path, "/next")
    assert kept(path) == ["/next", "/old"]


def test_a_failed_statement_rolls_back_those_before_it(db: sqlite3.Connection, path: str) -> None:
    with pytest.raises(StoreError, match=r"/x\.db could not be written: UNIQUE constraint failed"):
        add(db, path, "/new", "/old")
    assert (db.in_transaction, kept(path)) == (False, ["/old"])


def test_a_transaction_that_sqlite_rolled_back_is_not_rolled_back_twice(db: sqlite3.Connection, path: str) -> None:
    """SQLite rolls back when the disk is full; here a trigger does."""
    db.execute(
        """CREATE TRIGGER refuse BEFORE INSERT ON page WHEN NEW.url = '/bad'
           BEGIN SELECT RAISE (ROLLBACK, 'no room left'); END"""
    )
    with pytest.raises(StoreError, match="could not be written: no room left"):
        add(db, path, "/new", "/bad")
    assert (db.in_transaction, kept(path)) == (False, ["/old"])


def test_a_block_can_roll_back_itself(db: sqlite3.Connection, path: str) -> None:
    with transaction(db, path):
        db.execute(ADD, ("/new",))
        db.execute("ROLLBACK")
    assert kept(path) == ["/old"]


def test_a_file_that_another_process_locks_is_an_error_of_the_store(db: sqlite3.Connection, path: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"/x\.db could not be written: database is locked"):
            add(db, path, "/new")
        other.execute("ROLLBACK")
    add(db, path, "/new")
    assert kept(path) == ["/new", "/old"]


def test_errors_of_a_store_name_its_file(path: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None, factory=FileConnection)) as db:
        with pytest.raises(sqlite3.IntegrityError):  # before the file is known to be a store
            db.execute(ADD, ("/old",))
        db.path = path
        named = r"/x\.db could not be used: UNIQUE constraint failed"
        with pytest.raises(StoreError, match=named):
            db.executemany(ADD, [("/old",)])
        with pytest.raises(StoreError, match=named):
            add(db, path, "/new", "/old")
    assert kept(path) == ["/old"]


def test_a_number_that_is_too_large_is_an_error_of_the_store(path: str) -> None:
    with closing(sqlite3.connect(path, factory=FileConnection)) as db:
        db.path = path
        for execute in (db.execute, lambda query, row: db.executemany(query, [row])):
            with pytest.raises(StoreError, match=r"x\.db cannot store numbers beyond 9,223,372,036,854,775,807"):
                execute("DELETE FROM page WHERE rowid = ?", (2**63,))
