"""Pages of scans, their counts and their classification in SQL."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from headwater.classify import encode_sources, rank_clusters
from headwater.model import Page
from headwater.store.common.database import SqlRole
from headwater.store.duplicates import (
    CanonicalPage,
    CanonicalTarget,
    DuplicatePage,
    find_canonical_duplicates,
    find_duplicates,
)
from headwater.store.links.packed_links import PackedLinks
from headwater.store.page_lists import count_by_list
from headwater.store.records import ClassifierInput, ClusterCount
from headwater.store.rows import (
    REACHABLE_SOURCES,
    SITEMAP_SOURCES,
    build_counts,
    build_link_data_rows,
    count_by_source,
    read_visit,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from headwater.classify import LinkSummary
    from headwater.settings.choices import SortOrder
    from headwater.store.common.database import Session
    from headwater.store.records import Classification, Counts, VisitResult

_BATCH_SIZE = 5000
_BEFORE_ALL = -(1 << 63)


class SqlPages(SqlRole):
    """Reads pages, and stores results that depend on all pages: link data and duplicates."""

    def pages(self, scan: int, limit: int | None = None, sort: SortOrder = "url") -> Iterator[Page]:
        """Yield every URL of a scan in order; with a limit, the listed pages with the highest priority."""
        order = "" if sort == "url" else f"_by_{sort}"
        if limit is None:
            return self._db.stream(Page, f"pages{order}", scan=scan)
        return self._db.stream(Page, f"best_pages{order}", scan=scan, limit=limit)

    def page(self, scan: int, identity: int) -> Page | None:
        """Return one URL of a scan."""
        return self._db.find(Page, "page_by_identity", scan=scan, identity=identity)

    def previous_visit(self, scan: int, identity: int) -> VisitResult | None:
        """Return the visit of a page by an earlier scan; `links` is None if its links were not stored."""
        rows = self._db.rows("previous_visit", scan=scan, identity=identity)
        return read_visit(rows[0]) if rows else None

    def unreached_pages(self, scan: int, previous: int) -> Iterator[Page]:
        """Yield pages that the earlier scan visited and this one does not have."""
        yield from self._db.select(Page, "unreached_pages", old=previous, new=scan)

    def changes(self, old: int, new: int) -> Iterator[Page]:
        """Yield the pages that differ between two scans with their `change`: new, changed or gone."""
        for change in ("new", "changed", "gone"):
            for page in self._db.stream(Page, f"pages_{change}", old=old, new=new):
                yield page._replace(change=change)

    def unlisted_pages(self, old: int, new: int) -> Iterator[Page]:
        """Yield the pages that the first scan lists and the second does not, for whatever reason."""
        return self._db.stream(Page, "pages_unlisted", old=old, new=new)

    @cached_property
    def links(self) -> PackedLinks:
        """Links of all scans."""
        return PackedLinks(self._db)

    def save_link_data(self, scan: int, summaries: Sequence[LinkSummary]) -> None:
        """Store depth, parent, sources and inlinks of pages, as computed from the links."""

        def save(session: Session) -> None:
            for query, rows in build_link_data_rows(scan, summaries):
                session.write_rows(query, rows)

        self._db.transact(save, scan)

    def add_inlinks(self, scan: int, counts: Mapping[int, int]) -> None:
        """Add to the number of visited pages that link to these pages."""
        rows = [{"scan": scan, "identity": page, "count": count} for page, count in counts.items()]
        self._db.transact(lambda session: session.write_rows("add_inlinks", rows), scan)

    def mark_duplicates(self, scan: int) -> None:
        """Find pages with the same content, and list one of each group."""

        def mark(session: Session) -> None:
            session.execute("clear_duplicates", scan=scan)
            save(session, find_duplicates(session.select(DuplicatePage, "same_content", scan=scan)))
            pages = session.select(CanonicalPage, "canonicals", scan=scan)
            save(session, find_canonical_duplicates(pages, lambda *key: find_target(session, *key)))

        def save(session: Session, pairs: Iterable[tuple[int, int]]) -> None:
            rows = [{"scan": scan, "identity": page, "leads_to": target} for page, target in pairs]
            session.execute_many("set_duplicate", rows)

        def find_target(session: Session, identity: int, text_hash: int) -> CanonicalTarget | None:
            return session.find(CanonicalTarget, "find_duplicate", scan=scan, identity=identity, text_hash=text_hash)

        self._db.transact(mark, scan)


class SqlStatistics(SqlRole):
    """Counts the URLs of a scan."""

    def counts(self, scan: int) -> Counts:
        """Return the progress of a scan."""
        return build_counts(self._db.rows("state_counts", scan=scan), self.skipped_counts(scan))

    def skipped_counts(self, scan: int) -> dict[str, int]:
        """Return the number of skipped URLs by reason."""
        return dict(self._db.rows("skipped_counts", scan=scan))

    def count_listed(self, scan: int) -> int:
        """Return the number of listed pages."""
        return int(self._db.value("count_listed", scan=scan))

    def count_unvisited_by_shape(self, scan: int) -> int:
        """Return the number of pages that --per-shape left unvisited."""
        return int(self._db.value("count_unvisited_by_shape", scan=scan))

    def list_counts(self, scan: int) -> Mapping[str, int]:
        """Return the number of URLs of kind `page` in each list."""
        return count_by_list(self._db.rows("list_counts", scan=scan))

    def duplicate_counts(self, scan: int) -> Mapping[str, int]:
        """Return the number of duplicates and views by reason, the most frequent first."""
        return dict(self._db.rows("duplicate_counts", scan=scan))

    def status_counts(self, scan: int) -> Mapping[str, int]:
        """Return the number of listed pages by HTTP status, by reason, or as not visited."""
        return dict(self._db.rows("status_counts", scan=scan))

    def source_counts(self, scan: int) -> Mapping[str, int]:
        """Return the number of listed pages that each source names."""
        return count_by_source(self._db.rows("source_counts", scan=scan))

    def orphans_and_gaps(self, scan: int) -> tuple[int, int]:
        """Return the number of listed pages that only sitemaps name, and that only links name."""
        masks = {"sitemap": encode_sources(SITEMAP_SOURCES), "link": encode_sources(REACHABLE_SOURCES)}
        ((orphans, gaps),) = self._db.rows("orphans_and_gaps", scan=scan, **masks)
        return orphans, gaps


class SqlClassification(SqlRole):
    """Stores priorities, languages and clusters of pages."""

    def classifier_inputs(self, scan: int) -> Iterator[ClassifierInput]:
        """Yield the input of classification for every listed page, in batches: long reads let SQLite's log grow."""
        after = _BEFORE_ALL
        while rows := self._db.select(ClassifierInput, "classifier_inputs", scan=scan, after=after, limit=_BATCH_SIZE):
            yield from rows
            after = rows[-1].identity

    def clear_clusters(self, scan: int) -> None:
        """Remove all pages from their clusters, before they are classified again."""
        self._db.write("clear_clusters", scan=scan)

    def save_classifications(self, scan: int, rows: Sequence[Classification]) -> None:
        """Store the classification of some pages; clusters are added as needed."""
        pages = [
            {"scan": scan, "identity": row.identity, "priority": row.priority, "language": row.language,
             "skip_scrape": row.skip_scrape}
            for row in rows
        ]  # fmt: skip
        clusters = {cluster: None for row in rows for cluster in row.clusters}
        members = [
            {"scan": scan, "name": name, "identity": row.identity} for row in rows for name, _, _ in row.clusters
        ]

        def save(session: Session) -> None:
            session.write_rows("classify_pages", pages)
            session.write_rows(
                "add_clusters",
                [{"scan": scan, "name": name, "kind": kind, "title": title} for name, kind, title in clusters],
            )
            session.write_rows("add_cluster_members", members)

        self._db.transact(save, scan)

    def clusters(self, scan: int) -> list[ClusterCount]:
        """Return all clusters of a scan, the most informative first."""
        return rank_clusters(self._db.select(ClusterCount, "clusters", scan=scan))
