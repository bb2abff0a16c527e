"""Browse the scans of a PostgreSQL server, also while others write them."""

from __future__ import annotations

from headwater.store.common.browse import SqlBrowse
from headwater.store.postgres.fleet import Fleet
from headwater.store.postgres.store import PostgresStore
from headwater.store.records.browse_records import FleetSite


class PostgresBrowseStore(PostgresStore, SqlBrowse):
    """A store on a server that can be browsed; each thread opens its own."""

    @property
    def fleet(self) -> Fleet:
        """Fleet of this server."""
        return Fleet(self._db.server)

    def fleet_site(self, scan: int) -> FleetSite | None:
        """Return the fleet site that a scan belongs to, while it is being worked on."""
        return self._db.find(FleetSite, "fleet_site", scan=scan)
