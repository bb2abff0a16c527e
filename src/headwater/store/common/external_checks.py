"""Checks of URLs of other sites in SQL; a result is shared by all scans of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.store.common.database import SqlRole
from headwater.store.records import ExternalCheck, ExternalUrl
from headwater.store.rows import timestamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.store.common.database import Session


class SqlExternalChecks(SqlRole):
    """Stores the results of checks."""

    def unchecked_external_urls(self, scan: int, since: str) -> list[ExternalUrl]:
        """Return the URLs of other sites that a scan found and that were not checked since a time, by key."""
        return self._db.select(ExternalUrl, "unchecked_external_urls", scan=scan, since=since)

    def save_external_checks(self, scan: int, checks: Sequence[ExternalCheck]) -> None:
        """Store the results of checks in place of earlier ones."""
        now = timestamp()
        rows = [{**check._asdict(), "checked": now} for check in checks]

        def save(session: Session) -> None:
            session.execute_many("save_external_check", rows)

        self._db.transact(save, scan)

    def copy_external_statuses(self, scan: int) -> None:
        """Give the URLs of other sites that a scan found the status of their last check."""
        self._db.write("copy_external_statuses", scan=scan)

    def external_checks(self, scan: int) -> Iterator[ExternalCheck]:
        """Yield the last check of each URL of another site that a scan found."""
        yield from self._db.stream(ExternalCheck, "external_checks", scan=scan)
