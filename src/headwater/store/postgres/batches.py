"""Transactions that PostgreSQL commits once despite lost connections, and refuses once the lease is lost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Generic, NamedTuple

from headwater.errors import LeaseLostError
from headwater.store.common.database import Result
from headwater.store.postgres.escaping import escape_row
from headwater.store.rows import build_page_row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.model import DiscoveredUrl
    from headwater.store.common.database import Session
    from headwater.store.postgres.session import PostgresSession


class Fence(NamedTuple):
    """A worker's lease on a site: its batches are stored only while the site's epoch is this one."""

    site: int
    epoch: int


class IdempotentTransaction(Generic[Result]):
    """A transaction that is committed exactly once, however often the connection is lost."""

    def __init__(self, scan: int, fence: Fence | None, pages: int) -> None:
        self._scan, self._fence, self._pages = scan, fence, pages
        self._revision = 0
        self._result: list[Result] = []

    def run(self, session: PostgresSession, work: Callable[[Session], Result], prepare: Callable[[], None]) -> Result:
        """Run `work`, unless the last attempt was committed and only its reply was lost."""
        if not self._was_committed(session):
            with session.connection.transaction():
                prepare()
                self._revision = self._bump_revision(session)
                self._result = [work(session)]
        return self._result[0]

    def _was_committed(self, session: PostgresSession) -> bool:
        if not self._revision or not self._result:
            return False
        revision = session.value("revision", scan=self._scan)
        return revision is not None and revision >= self._revision

    def _bump_revision(self, session: PostgresSession) -> int:
        site, epoch = self._fence or (None, None)
        revision = session.value("bump_revision", scan=self._scan, site=site, epoch=epoch, pages=self._pages)
        if revision is None:
            raise LeaseLostError(f"another worker took over site {site}: epoch {epoch} has ended")
        return int(revision)


def plan_merge(
    scan: int, batch: int, discovered: Sequence[DiscoveredUrl], now: str
) -> tuple[list[tuple[object, ...]], list[tuple[str, int]]]:
    """Return rows to copy, and the statements that merge them; several, because one may not change a row twice."""
    seen: Counter[tuple[bool, int]] = Counter()
    rows: list[tuple[object, ...]] = []
    for position, one in enumerate(discovered):
        kind = (one.metadata is not None, one.identity)
        rows.append((batch, position, seen[kind], kind[0], *escape_row(build_page_row(scan, one, now))))
        seen[kind] += 1
    statements: list[tuple[str, int]] = []
    for query, is_listed in (("upsert_page", False), ("upsert_listed_page", True)):
        rounds = max((count for kind, count in seen.items() if kind[0] == is_listed), default=0)
        statements += [(query, number) for number in range(rounds)]
    return rows, statements
