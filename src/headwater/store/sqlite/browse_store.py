"""Browse the scans of a SQLite file, also while another process writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.common.browse import SqlBrowse
from headwater.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from headwater.store.postgres.fleet import Fleet
    from headwater.store.records.browse_records import FleetSite


class SqliteBrowseStore(SqliteStore, SqlBrowse):
    """A store in one file that can be browsed; each thread opens its own."""

    @property
    def fleet(self) -> Fleet | None:
        """None: a file has no fleet."""
        return None

    def fleet_site(self, scan: int) -> FleetSite | None:
        """Return None: a file has no fleet."""
        return None
