"""Lists of sites on a PostgreSQL server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.common.site_lists import SqlSiteListStore
from headwater.store.postgres.session import PostgresSession

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headwater.store.common.database import Session


class PostgresSiteListStore(SqlSiteListStore):
    """Lists of a store on a server; uses its connection."""

    def _add_sites(self, session: Session, number: int, sites: Iterable[tuple[str, str]]) -> None:
        assert isinstance(session, PostgresSession)
        session.copy("copy_list_sites", ((number, *site) for site in sites))
