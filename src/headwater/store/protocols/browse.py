"""Browsing: queries that only screens need, not the scan itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.model import Evidence, Page
    from headwater.store.history.page_events import StoredObservation
    from headwater.store.postgres.fleet import Fleet
    from headwater.store.records import Event, Scan
    from headwater.store.records.browse_records import (
        ClusterRecord,
        FleetSite,
        LinkedPage,
        PageDetails,
        PageSummary,
        PageVersion,
    )


class BrowseScans(Protocol):
    """Lists scans, and reads single events and pieces of evidence."""

    def scans(self, limit: int, before: int | None = None) -> list[Scan]:
        """Return scans, newest first."""

    def scans_with_same_seeds(self, scan: int, limit: int) -> list[Scan]:
        """Return the scans of the same seeds, newest first."""

    def last_scan_of(self, seeds: Sequence[str]) -> Scan | None:
        """Return the newest scan of these seeds."""

    def set_scan_state(self, scan: int, state: str) -> None:
        """Store that a scan is queued or running again."""

    def request_stop(self, scan: int) -> None:
        """Ask the process that runs a scan to stop it."""

    @property
    def fleet(self) -> Fleet | None:
        """Fleet of this store; None if it cannot have one."""

    def scan_name(self, scan: int) -> str:
        """Return the name that was last given to a scan; empty if it has none."""

    def fleet_site(self, scan: int) -> FleetSite | None:
        """Return the fleet site that a scan belongs to, while it is being worked on."""

    def last_event(self, scan: int, kind: str = "") -> Event | None:
        """Return the newest event of a scan, of any kind or of one."""

    def events_of_kind(self, scan: int, kind: str) -> list[Event]:
        """Return every event of one kind."""

    def skipped_counts(self, scan: int) -> dict[str, int]:
        """Return the number of skipped URLs by reason."""

    def evidence_by_number(self, scan: int, number: int) -> Evidence | None:
        """Return one piece of evidence."""

    def evidence_after(self, scan: int, kind: str, after: int, limit: int) -> list[Evidence]:
        """Return evidence with higher numbers than `after`, of all kinds or of one."""


class ScanRemoval(Protocol):
    """Deletes scans, and gives their space back."""

    def delete_scan(self, scan: int) -> None:
        """Delete a scan in one transaction; a scan that a dive was made from is kept, because the dive names it."""

    def reclaim_space(self) -> int:
        """Give the space of deleted scans back to the system, and return the number of bytes."""


class BrowsePages(Protocol):
    """Reads pages by their numbers, which do not change while the scan exists."""

    def page_summaries(self, scan: int) -> Iterator[PageSummary]:
        """Yield every URL by key, listed pages first."""

    def pages_by_number(self, scan: int, numbers: Sequence[int]) -> list[tuple[int, Page]]:
        """Return the pages with these numbers, in this order."""

    def pages_after(self, scan: int, number: int, limit: int) -> list[tuple[int, Page]]:
        """Return pages with higher numbers, in the order they were found, without their clusters."""

    def page_details(self, scan: int, number: int) -> PageDetails | None:
        """Return the fields of a page that only its own screen shows."""

    def find_page_number(self, scan: int, identity: int) -> int | None:
        """Return the number of a page."""

    def latest_urls(self, scan: int, limit: int) -> list[str]:
        """Return the URLs that a running scan found last."""

    def page_history(self, scan: int, identity: int, limit: int) -> list[PageVersion]:
        """Return a page in this scan and in others of the same seeds, newest first."""

    def page_observations(self, scan: int, identity: int, limit: int) -> list[StoredObservation]:
        """Return what each of the newest scans of the same seeds knows about a page, the oldest first."""

    def cluster_members(self, scan: int) -> Iterator[tuple[int, int]]:
        """Yield the number of a cluster and of a page in it, for every membership."""

    def numbered_clusters(self, scan: int) -> list[ClusterRecord]:
        """Return the clusters with their numbers."""


class BrowseLinks(Protocol):
    """Follows the stored links of single pages."""

    def outlinks(self, scan: int, identity: int, limit: int) -> list[LinkedPage]:
        """Return the pages that a page links to."""

    def inlinks(self, scan: int, identity: int, limit: int) -> list[LinkedPage]:
        """Return the pages that link to a page."""

    def links_between(self, scan: int, numbers: Sequence[int], limit: int) -> list[tuple[int, int]]:
        """Return the links between these pages as pairs of numbers."""

    def find_parents(self, scan: int, numbers: Sequence[int]) -> dict[int, int]:
        """Return the number of the page that each of these was found on."""
