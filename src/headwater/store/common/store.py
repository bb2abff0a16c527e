"""The store of scans in SQL, composed of its roles; each dialect adds its connection and its way to write batches."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, NamedTuple

from headwater.store.common.external_checks import SqlExternalChecks
from headwater.store.common.frontier import SqlFrontier
from headwater.store.common.pages import SqlClassification, SqlPages, SqlStatistics
from headwater.store.common.scans import SqlEvents, SqlEvidence, SqlScans
from headwater.store.common.views import SqlViews
from headwater.store.links.link_blocks import pack_links, pack_lists
from headwater.store.rows import build_visit_rows, timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from headwater.model import DiscoveredUrl, LinkBlock
    from headwater.store.common.database import Session
    from headwater.store.records import VisitResult


class PageBatch(NamedTuple):
    """Discovered URLs and rows of visits that are stored together."""

    scan: int
    discovered: Sequence[DiscoveredUrl]
    visits: Sequence[tuple[object, ...]]
    now: str


class SqlStore(
    SqlScans,
    SqlEvents,
    SqlEvidence,
    SqlFrontier,
    SqlPages,
    SqlViews,
    SqlExternalChecks,
    SqlStatistics,
    SqlClassification,
):
    """Stores scans over a database of either dialect."""

    def save_batch(
        self,
        scan: int,
        batch: Sequence[VisitResult],
        found: Sequence[DiscoveredUrl],
        skipped: Mapping[str, int],
        *,
        links: LinkBlock | None = None,
        first_list: int = 0,
    ) -> None:
        """Store visits, discovered URLs and the number of skipped URLs by reason, all in one transaction."""
        now = timestamp()
        discovered = [*found, *(one for visit in batch for one in visit.discovered)]
        lists = pack_lists(scan, first_list, batch)
        spellings = [
            {"scan": scan, "identity": page, "new": url, "depth": visit.candidate.depth}
            for visit in batch
            for page, url in visit.spellings
        ]
        cleared = [page for visit in batch for page in visit.cleared_suspects]

        def save_rest(session: Session) -> None:
            if links is not None:
                session.execute("add_link_block", **pack_links(scan, links)._asdict())
            if lists is not None:
                session.execute("add_link_list", **lists._asdict())
            session.execute_many("add_spelling", spellings)
            if cleared:
                session.execute("clear_suspects", scan=scan, identities=cleared)
            session.execute_many(
                "add_skipped", [{"scan": scan, "reason": reason, "count": count} for reason, count in skipped.items()]
            )

        visits = build_visit_rows(scan, batch, now, first_list)
        self._save_pages(PageBatch(scan, discovered, visits, now), save_rest)

    @abstractmethod
    def _save_pages(self, batch: PageBatch, save_rest: Callable[[Session], None]) -> None:
        """Store the pages and then the rest of a batch, all in one transaction."""
