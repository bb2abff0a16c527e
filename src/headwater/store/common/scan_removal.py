"""Delete scans with everything that belongs to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.errors import StoreError
from headwater.store.common.database import SqlRole
from headwater.store.links.packed_links import get_block_range

if TYPE_CHECKING:
    from headwater.store.common.database import Session

_TABLES = ("cluster", "evidence", "event", "skipped", "inlink", "page")


class SqlScanRemoval(SqlRole):
    """Deletes scans; the tables of pages and links are the large ones."""

    def delete_scan(self, scan: int) -> None:
        """Delete a scan in one transaction; a scan that a dive was made from is kept, because the dive names it."""
        dive = self._db.value("dive_of_scan", scan=scan)
        if dive is not None:
            raise StoreError(f"scan {scan} is the source of dive {dive}; keep it, or dive into a newer scan first")

        def delete(session: Session) -> None:
            session.execute("delete_cluster_members", scan=scan)
            for table in _TABLES:
                session.execute(f"delete_{table}", scan=scan)
            for table in ("link_block", "link_list"):
                session.execute(f"delete_{table}", **get_block_range(scan))
            session.execute("detach_list_site", scan=scan)
            self._detach_site(session, scan)
            session.execute("delete_scan", scan=scan)

        self._db.transact(delete)

    def _detach_site(self, session: Session, scan: int) -> None:
        """Remove the scan from its fleet site, if the dialect has fleets."""
