"""From what `--db` says to a store: a file, or a PostgreSQL server."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.errors import StoreError
from headwater.store.sqlite.browse import SqliteBrowse
from headwater.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from headwater.store.browse import Browse
    from headwater.store.store import Store

SERVERS = ("postgresql://", "postgres://")


def is_server(db: str) -> bool:
    """Whether a store's name is the URL of a server."""
    return db.startswith(SERVERS)


def open_store(db: str, transaction_timeout: float | None = None, *, exists: bool = False) -> Store:
    """The store that is named; with `exists` a file that is not there is a mistake."""
    if is_server(db):
        store: Store = server_module("store.postgres").PostgresStore(db, transaction_timeout=transaction_timeout)
        return store
    if exists and not Path(db).is_file():
        raise StoreError(f"{db} does not exist; name a store with --db")
    return SqliteStore(db, transaction_timeout)


def open_browse(db: str, patience: float = 30.0) -> Browse:
    """The store that is named, for those who look; a server that went away is waited for so many seconds."""
    if is_server(db):
        store: Browse = server_module("store.postgres_browse").PostgresBrowse(db, patience=patience)
        return store
    return SqliteBrowse(db)


def server_module(name: str) -> Any:  # noqa: ANN401  (a module)
    """A module that needs the packages for servers, which are an extra."""
    try:
        return import_module(f"headwater.{name}")
    except ImportError as error:
        raise StoreError(f"PostgreSQL needs the extra `headwater[postgres]` ({error})") from None
