"""Browsing of scans in SQL."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from headwater.model import Evidence, Page
from headwater.store.common.pages import SqlPages
from headwater.store.common.scan_removal import SqlScanRemoval
from headwater.store.history.page_events import StoredObservation
from headwater.store.links.packed_links import dedupe_by_page
from headwater.store.records import Event, Scan
from headwater.store.records.browse_records import (
    ClusterMember,
    ClusterRecord,
    LinkedPage,
    PageDetails,
    PageSummary,
    PageVersion,
)
from headwater.store.rows import SCAN_NAME_EVENT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.store.links.packed_links import PageLink

_MAX_NUMBER = 1 << 62


class SqlBrowse(SqlPages, SqlScanRemoval):
    """Reads the data that screens show, over a database of either dialect."""

    def scans(self, limit: int, before: int | None = None) -> list[Scan]:
        """Return scans, newest first."""
        return self._db.select(Scan, "scans", before=before or _MAX_NUMBER, limit=limit)

    def scans_with_same_seeds(self, scan: int, limit: int) -> list[Scan]:
        """Return the scans of the same seeds, newest first."""
        return self._db.select(Scan, "scans_with_same_seeds", scan=scan, limit=limit)

    def last_scan_of(self, seeds: Sequence[str]) -> Scan | None:
        """Return the newest scan of these seeds."""
        return self._db.find(Scan, "last_scan_of", seeds=json.dumps(list(seeds)))

    def set_scan_state(self, scan: int, state: str) -> None:
        """Store that a scan is queued or running again."""
        self._db.execute("set_scan_state", scan=scan, state=state)

    def request_stop(self, scan: int) -> None:
        """Ask the process that runs a scan to stop it.

        The statement runs outside the scan's transactions, whose revision belongs to the process that runs the scan.
        """
        self._db.execute("request_stop", scan=scan)

    def last_event(self, scan: int, kind: str = "") -> Event | None:
        """Return the newest event of a scan, of any kind or of one."""
        return self._db.find(Event, "last_event", scan=scan, kind=kind)

    def scan_name(self, scan: int) -> str:
        """Return the name that was last given to a scan; empty if it has none."""
        event = self.last_event(scan, SCAN_NAME_EVENT)
        return str(event.data["id"]) if event else ""

    def events_of_kind(self, scan: int, kind: str) -> list[Event]:
        """Return every event of one kind."""
        return self._db.select(Event, "events_of_kind", scan=scan, kind=kind)

    def evidence_by_number(self, scan: int, number: int) -> Evidence | None:
        """Return one piece of evidence."""
        return self._db.find(Evidence, "evidence_by_number", scan=scan, number=number)

    def evidence_after(self, scan: int, kind: str, after: int, limit: int) -> list[Evidence]:
        """Return evidence with higher numbers than `after`, of all kinds or of one."""
        return self._db.select(Evidence, "evidence_after", scan=scan, kind=kind, after=after, limit=limit)

    def page_summaries(self, scan: int) -> Iterator[PageSummary]:
        """Yield every URL by key, listed pages first."""
        return self._db.stream(PageSummary, "page_summaries", scan=scan)

    def pages_by_number(self, scan: int, numbers: Sequence[int]) -> list[tuple[int, Page]]:
        """Return the pages with these numbers, in this order."""
        pages = dict(self._db.select_keyed(Page, "number", "pages_by_number", scan=scan, numbers=list(numbers)))
        return [(number, pages[number]) for number in numbers if number in pages]

    def pages_after(self, scan: int, number: int, limit: int) -> list[tuple[int, Page]]:
        """Return pages with higher numbers, in the order they were found, without their clusters."""
        return self._db.select_keyed(Page, "number", "pages_after", scan=scan, after=number, limit=limit)

    def page_details(self, scan: int, number: int) -> PageDetails | None:
        """Return the fields of a page that only its own screen shows."""
        return self._db.find(PageDetails, "page_details", scan=scan, number=number)

    def find_page_number(self, scan: int, identity: int) -> int | None:
        """Return the number of a page."""
        number: int | None = self._db.value("page_number", scan=scan, identity=identity)
        return number

    def latest_urls(self, scan: int, limit: int) -> list[str]:
        """Return the URLs that a running scan found last."""
        return self._db.column("latest_urls", scan=scan, limit=limit)

    def page_history(self, scan: int, identity: int, limit: int) -> list[PageVersion]:
        """Return a page in this scan and in others of the same seeds, newest first."""
        return self._db.select(PageVersion, "page_history", scan=scan, identity=identity, limit=limit)

    def page_observations(self, scan: int, identity: int, limit: int) -> list[StoredObservation]:
        """Return what each of the newest scans of the same seeds knows about a page, the oldest first."""
        return self._db.select(StoredObservation, "page_observations", scan=scan, identity=identity, limit=limit)

    def cluster_members(self, scan: int) -> Iterator[tuple[int, int]]:
        """Yield the number of a cluster and of a page in it, for every membership."""
        return self._db.stream(ClusterMember, "cluster_members", scan=scan)

    def numbered_clusters(self, scan: int) -> list[ClusterRecord]:
        """Return the clusters with their numbers."""
        return self._db.select(ClusterRecord, "numbered_clusters", scan=scan)

    def outlinks(self, scan: int, identity: int, limit: int) -> list[LinkedPage]:
        """Return the pages that a page links to."""
        links = dedupe_by_page(self.links.links_from(scan, identity) or ())
        return self._load_linked_pages(scan, [link for link in links if link.page != identity][:limit])

    def inlinks(self, scan: int, identity: int, limit: int) -> list[LinkedPage]:
        """Return the pages that link to a page."""
        return self._load_linked_pages(scan, self.links.links_to(scan, identity, limit))

    def links_between(self, scan: int, numbers: Sequence[int], limit: int) -> list[tuple[int, int]]:
        """Return the links between these pages as pairs of numbers."""
        number_of = dict(self._db.rows("identities", scan=scan, numbers=list(numbers)))
        pairs = self.links.linked_pairs(scan, list(number_of))
        return [(number_of[source], number_of[target]) for source, target in islice(pairs, limit)]

    def find_parents(self, scan: int, numbers: Sequence[int]) -> dict[int, int]:
        """Return the number of the page that each of these was found on."""
        return dict(self._db.rows("parents", scan=scan, numbers=list(numbers)))

    def _load_linked_pages(self, scan: int, links: Sequence[PageLink]) -> list[LinkedPage]:
        """Return the pages at the other end of links, in their order, without those that the scan does not know."""
        identities = [link.page for link in links]
        known = dict(self._db.select_keyed(LinkedPage, "identity", "linked_pages", scan=scan, identities=identities))
        return [known[link.page]._replace(element=link.place.element) for link in links if link.page in known]
