"""A store in one SQLite file: write-ahead log, one transaction for each batch, one writer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.columns import DISCOVERED_COLUMNS, VISIT_COLUMNS
from headwater.store.common.store import SqlStore
from headwater.store.queries import load_queries, number_values
from headwater.store.rows import build_page_row
from headwater.store.sqlite.database import SqliteDatabase
from headwater.store.sqlite.file import open_file
from headwater.store.sqlite.locks import FileLocks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from headwater.store.common.database import Session
    from headwater.store.common.store import PageBatch
    from headwater.store.records import Scan
    from headwater.store.sqlite.dive_store import SqliteDiveStore
    from headwater.store.sqlite.site_list_store import SqliteSiteListStore

_QUERIES = load_queries("sqlite")
_UPSERT = number_values(_QUERIES["upsert_page"], DISCOVERED_COLUMNS)
_UPSERT_LISTED = number_values(_QUERIES["upsert_listed_page"], DISCOVERED_COLUMNS)
_UPDATE_VISITED = number_values(_QUERIES["update_visited_page"], VISIT_COLUMNS)


class SqliteStore(SqlStore):
    """Stores scans in a file that survives a crash of the process at any moment."""

    _db: SqliteDatabase

    def __init__(self, path: str, transaction_timeout: float | None = None) -> None:
        self._locks = FileLocks("" if path == ":memory:" else path)
        super().__init__(SqliteDatabase(open_file(path), path, transaction_timeout))

    @property
    def path(self) -> str:
        """Path of the file; empty in memory."""
        return "" if self._db.path == ":memory:" else self._db.path

    @property
    def is_shared(self) -> bool:
        """True unless the store is in memory."""
        return bool(self.path)

    @property
    def dives(self) -> SqliteDiveStore:
        """Dives of this store."""
        from headwater.store.sqlite.dive_store import SqliteDiveStore  # noqa: PLC0415  (few commands need it)

        return SqliteDiveStore(self._db)

    @property
    def site_lists(self) -> SqliteSiteListStore:
        """Lists of sites of this store."""
        from headwater.store.sqlite.site_list_store import SqliteSiteListStore  # noqa: PLC0415  (few commands need it)

        return SqliteSiteListStore(self._db)

    def create_scan(self, seeds: Sequence[str], settings: Mapping[str, object]) -> Scan:
        """Add a scan that is running; a second scan of the same seeds adds an index that it will read."""
        scan = super().create_scan(seeds, settings)
        if self.previous_scan(scan.number) is not None:
            self._db.execute("create_parent_index")
        return scan

    def acquire_lock(self, name: str) -> bool:
        """Lock a scan or list until this process ends; return False if another process holds the lock."""
        return self._locks.acquire(name)

    def close(self) -> None:
        """Close the file and release the locks."""
        self._locks.release()
        self._db.connection.close()

    def _save_pages(self, batch: PageBatch, save_rest: Callable[[Session], None]) -> None:
        connection, (scan, discovered, visits, now) = self._db.connection, batch
        with self._db.transaction():
            connection.executemany(
                _UPSERT, [build_page_row(scan, one, now) for one in discovered if one.metadata is None]
            )
            connection.executemany(
                _UPSERT_LISTED, [build_page_row(scan, one, now) for one in discovered if one.metadata is not None]
            )
            connection.executemany(_UPDATE_VISITED, visits)
            save_rest(self._db)
