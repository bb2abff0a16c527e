"""Browse the scans of a SQLite file, also while another process writes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from headwater.store.common.browse import SqlBrowse
from headwater.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from headwater.store.postgres.fleet import Fleet
    from headwater.store.records.browse_records import FleetSite


class SqliteBrowseStore(SqliteStore, SqlBrowse):
    """A store in one file that can be browsed; each thread opens its own."""

    def reclaim_space(self) -> int:
        """Rewrite the file without its free pages, and return the number of bytes given back.

        The log, which holds the rewritten file at first, is emptied as well.
        """
        connection = self._db.connection
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = self._measure()
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return before - self._measure()

    def _measure(self) -> int:
        return sum(path.stat().st_size for name in ("", "-wal") if (path := Path(f"{self.path}{name}")).is_file())

    @property
    def fleet(self) -> Fleet | None:
        """None: a file has no fleet."""
        return None

    def fleet_site(self, scan: int) -> FleetSite | None:
        """Return None: a file has no fleet."""
        return None
