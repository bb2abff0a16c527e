"""Lists of sites in a SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.common.site_lists import SqlSiteListStore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headwater.store.common.database import Session


class SqliteSiteListStore(SqlSiteListStore):
    """Lists of a store; uses its connection."""

    def _add_sites(self, session: Session, number: int, sites: Iterable[tuple[str, str]]) -> None:
        session.execute_many("add_list_site", ({"list": number, "host": host, "seeds": seeds} for host, seeds in sites))
