"""Open the store that `--db` names: a file, or a PostgreSQL server."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.errors import StoreError
from headwater.store.sqlite.browse_store import SqliteBrowseStore
from headwater.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.store.browse_store import BrowseStore
    from headwater.store.store import Store

SERVER_SCHEMES = ("postgresql://", "postgres://")


def is_server_url(db: str) -> bool:
    """Return True if `--db` names a server."""
    return db.startswith(SERVER_SCHEMES)


def open_store(db: str, transaction_timeout: float | None = None, *, must_exist: bool = False) -> Store:
    """Open a store; with `must_exist`, a missing file is an error."""
    if is_server_url(db):
        with requiring_postgres():
            from headwater.store.postgres.store import PostgresStore  # noqa: PLC0415  (an extra)
        return PostgresStore(db, transaction_timeout=transaction_timeout)
    _check_exists(db, must_exist=must_exist)
    return SqliteStore(db, transaction_timeout)


def open_browse_store(db: str, reconnect_timeout: float = 30.0, *, must_exist: bool = False) -> BrowseStore:
    """Open a store for browsing; `reconnect_timeout` is the time to wait for an unreachable server, in seconds.

    With `must_exist`, a missing file is an error.
    """
    if is_server_url(db):
        with requiring_postgres():
            from headwater.store.postgres.browse_store import PostgresBrowseStore  # noqa: PLC0415  (an extra)
        return PostgresBrowseStore(db, reconnect_timeout=reconnect_timeout)
    _check_exists(db, must_exist=must_exist)
    return SqliteBrowseStore(db)


def _check_exists(db: str, *, must_exist: bool) -> None:
    if must_exist and not Path(db).is_file():
        raise StoreError(f"{db} does not exist; name a store with --db")


@contextmanager
def requiring_postgres() -> Iterator[None]:
    """Turn a failed import of the PostgreSQL packages into an error that names the extra to install."""
    try:
        yield
    except ImportError as error:
        raise StoreError(f"PostgreSQL needs the extra `headwater[postgres]` ({error})") from None
