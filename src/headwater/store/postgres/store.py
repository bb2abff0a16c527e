"""A store in PostgreSQL: batches arrive by COPY and are merged in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.common.store import SqlStore
from headwater.store.postgres.batches import plan_merge
from headwater.store.postgres.connection import RECONNECT_TIMEOUT, ServerConnection
from headwater.store.postgres.database import PostgresDatabase
from headwater.store.postgres.dive_store import PostgresDiveStore
from headwater.store.postgres.escaping import escape_row
from headwater.store.postgres.site_list_store import PostgresSiteListStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.store.common.database import Session
    from headwater.store.common.store import PageBatch
    from headwater.store.postgres.batches import Fence


class PostgresStore(SqlStore):
    """Stores scans where many machines reach them; writes are refused once the lease of `fence` is lost."""

    _db: PostgresDatabase

    def __init__(
        self,
        url: str | ServerConnection,
        *,
        fence: Fence | None = None,
        path: str = "",
        reconnect_timeout: float = RECONNECT_TIMEOUT,
        transaction_timeout: float | None = None,
    ) -> None:
        self._owns_connection, self._path = isinstance(url, str), path
        server = (
            url if isinstance(url, ServerConnection) else ServerConnection(url, reconnect_timeout, transaction_timeout)
        )
        super().__init__(PostgresDatabase(server, fence))

    @property
    def path(self) -> str:
        """Path of a local file that belongs to the scan; empty without one."""
        return self._path

    @property
    def is_shared(self) -> bool:
        """True: other processes can read the server."""
        return True

    @property
    def dives(self) -> PostgresDiveStore:
        """Dives of this store."""
        return PostgresDiveStore(self._db)

    @property
    def site_lists(self) -> PostgresSiteListStore:
        """Lists of sites of this store."""
        return PostgresSiteListStore(self._db)

    def acquire_lock(self, name: str) -> bool:
        """Lock a scan or list until this process ends; return False if another process holds the lock."""
        return bool(self._db.value("acquire_lock", name=name))

    def close(self) -> None:
        """Close the connection, unless it was passed in."""
        if self._owns_connection:
            self._db.server.close()

    def _save_pages(self, batch: PageBatch, save_rest: Callable[[Session], None]) -> None:
        number = self._db.server.next_batch_number()
        incoming, merges = plan_merge(batch.scan, number, batch.discovered, batch.now)
        outcome = [(number, *escape_row(row)) for row in batch.visits]

        def merge(session: Session) -> None:
            for query, merge_round in merges:
                session.execute(query, batch=number, round=merge_round)
            if outcome:
                session.execute("update_visited_pages", batch=number)
            save_rest(session)

        self._db.transact(merge, batch.scan, len(batch.visits), {"incoming": incoming, "outcome": outcome})
