"""Browse the scans of a PostgreSQL server, also while others write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.common.browse import SqlBrowse
from headwater.store.postgres.fleet import Fleet
from headwater.store.postgres.store import PostgresStore
from headwater.store.records.browse_records import FleetSite

if TYPE_CHECKING:
    from headwater.store.common.database import Session


class PostgresBrowseStore(PostgresStore, SqlBrowse):
    """A store on a server that can be browsed; each thread opens its own."""

    @property
    def fleet(self) -> Fleet:
        """Fleet of this server."""
        return Fleet(self._db.server)

    def reclaim_space(self) -> int:
        """Return 0: the server reuses the space of deleted rows by itself."""
        return 0

    def _detach_site(self, session: Session, scan: int) -> None:
        session.execute("detach_site", scan=scan)

    def fleet_site(self, scan: int) -> FleetSite | None:
        """Return the fleet site that a scan belongs to, while it is being worked on."""
        return self._db.find(FleetSite, "fleet_site", scan=scan)
