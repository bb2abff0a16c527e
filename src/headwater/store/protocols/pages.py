"""The pages of a scan, their links, and how they differ from those of an earlier scan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from headwater.classify import LinkSummary
    from headwater.model import Page
    from headwater.settings.choices import SortOrder
    from headwater.store.links.packed_links import PackedLinks
    from headwater.store.records import Counts, VisitResult


class PageStore(Protocol):
    """Reads pages, and stores results that depend on all pages: link data and duplicates."""

    def pages(self, scan: int, limit: int | None = None, sort: SortOrder = "url") -> Iterator[Page]:
        """Yield every URL of a scan in order; with a limit, the listed pages with the highest priority."""

    def page(self, scan: int, identity: int) -> Page | None:
        """Return one URL of a scan."""

    def previous_visit(self, scan: int, identity: int) -> VisitResult | None:
        """Return the visit of a page by an earlier scan; `links` is None if its links were not stored."""

    def unreached_pages(self, scan: int, previous: int) -> Iterator[Page]:
        """Yield pages that the earlier scan visited and this one does not have."""

    def changes(self, old: int, new: int) -> Iterator[Page]:
        """Yield the pages that differ between two scans with their `change`: new, changed or gone."""

    def unlisted_pages(self, old: int, new: int) -> Iterator[Page]:
        """Yield the pages that the first scan lists and the second does not, for whatever reason."""

    def mark_duplicates(self, scan: int) -> None:
        """Find pages with the same content, and list one of each group."""

    def mark_near_duplicates(self, scan: int) -> int:
        """Find listed pages that have most of their text in common with another one; return their number."""

    def mark_views(self, scan: int) -> None:
        """Find pages that are views of other pages; the other pages are listed instead."""

    @property
    def links(self) -> PackedLinks:
        """Links of all scans."""

    def save_link_data(self, scan: int, summaries: Sequence[LinkSummary]) -> None:
        """Store depth, parent, sources and inlinks of pages, as computed from the links."""

    def add_inlinks(self, scan: int, counts: Mapping[int, int]) -> None:
        """Add to the number of visited pages that link to these pages."""


class StatisticsStore(Protocol):
    """Counts the URLs of a scan."""

    def counts(self, scan: int) -> Counts:
        """Return the progress of a scan."""

    def count_listed(self, scan: int) -> int:
        """Return the number of listed pages."""

    def count_unvisited_by_shape(self, scan: int) -> int:
        """Return the number of pages that --per-shape left unvisited."""

    def list_counts(self, scan: int) -> Mapping[str, int]:
        """Return the number of URLs of kind `page` in each list."""

    def duplicate_counts(self, scan: int) -> Mapping[str, int]:
        """Return the number of duplicates and views by reason, the most frequent first."""

    def status_counts(self, scan: int) -> Mapping[str, int]:
        """Return the number of listed pages by HTTP status, by reason, or as not visited."""

    def source_counts(self, scan: int) -> Mapping[str, int]:
        """Return the number of listed pages that each source names."""

    def orphans_and_gaps(self, scan: int) -> tuple[int, int]:
        """Return the number of listed pages that only sitemaps name, and that only links name."""
