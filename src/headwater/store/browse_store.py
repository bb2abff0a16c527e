"""What those who look through scans ask of a store, besides what those who scan ask of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from headwater.store.page_lists import get_public_state
from headwater.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.model import Evidence, Page
    from headwater.store.links.packed_links import LinkQueries, PageLink
    from headwater.store.postgres.fleet import Fleet
    from headwater.store.store import Event, Scan


class PageSummary(NamedTuple):
    """A page as far as lists are filtered and sorted by it; `state` is its number, `status` 0 where there is none."""

    page: int
    key: str
    url: str
    title: str
    kind: str
    state: int
    status: int
    depth: int
    language: str
    region: str
    sources: int
    priority: float
    lastmod: str
    reason: str
    parent: int


class PageDetails(NamedTuple):
    """What a page's own view tells besides its row: headers that were kept, and where its evidence lies."""

    canonical: str
    etag: str
    last_modified: str
    evidence: int | None
    content_hash: int | None
    parent: int


class LinkedPage(NamedTuple):
    """A page at the other end of a link."""

    page: int
    url: str
    kind: str
    state: str
    title: str
    element: str


class PageVersion(NamedTuple):
    """A page in one of several scans of its site."""

    scan: int
    started: str
    scan_state: str
    page: int
    state: str
    status: int | None
    reason: str
    title: str | None
    content_hash: int | None


class FleetSite(NamedTuple):
    """The site of a fleet that a scan is worked for; `is_held` while a worker has it."""

    number: int
    state: str
    is_held: bool


class ClusterRecord(NamedTuple):
    """A cluster with the number its members are kept under."""

    number: int
    name: str
    kind: str
    title: str


class BrowseStore(Store, Protocol):
    """A store that can be looked through. Pages are named by their numbers, which hold as long as the scan does."""

    def scans(self, limit: int, before: int | None = None) -> list[Scan]:
        """Scans, the newest first."""

    def scans_with_same_seeds(self, scan: int, limit: int) -> list[Scan]:
        """Scans of the same seeds, the newest first."""

    def mark(self, scan: int, state: str) -> None:
        """Note that a scan waits for its turn or runs again."""

    @property
    def fleet(self) -> Fleet | None:
        """The fleet of this store, if it can have one."""

    def request_stop(self, scan: int) -> None:
        """Let whoever runs a scan know that it is to stop."""

    def fleet_site(self, scan: int) -> FleetSite | None:
        """The site of a fleet that this scan is being worked for, if it is."""

    def last_event(self, scan: int, kind: str = "") -> Event | None:
        """The newest event of a scan, of any kind or of one."""

    def events_of_kind(self, scan: int, kind: str) -> list[Event]:
        """Every event of one kind."""

    def skipped(self, scan: int) -> dict[str, int]:
        """How many URLs were refused for which reason, without counting anything else."""

    def page_summaries(self, scan: int) -> Iterator[PageSummary]:
        """Every URL, what is listed first, by key."""

    def cluster_members(self, scan: int) -> Iterator[tuple[int, int]]:
        """Which page is in which cluster, by the cluster's number."""

    def numbered_clusters(self, scan: int) -> list[ClusterRecord]:
        """The clusters with their numbers."""

    def pages_by_number(self, scan: int, numbers: Sequence[int]) -> list[tuple[int, Page]]:
        """These pages, in this order, as far as there are any."""

    def pages_after(self, scan: int, number: int, limit: int) -> list[tuple[int, Page]]:
        """Pages in the order they were found, behind a number; without their clusters."""

    def page_details(self, scan: int, number: int) -> PageDetails | None:
        """More of one page."""

    def number_of(self, scan: int, identity: int) -> int | None:
        """The number of a page."""

    def evidence_by_number(self, scan: int, number: int) -> Evidence | None:
        """One piece of evidence."""

    def evidence_after(self, scan: int, kind: str, after: int, limit: int) -> list[Evidence]:
        """Evidence behind a number, all kinds or one."""

    def outlinks(self, scan: int, identity: int, limit: int) -> list[LinkedPage]:
        """Where a page leads to, as far as links were kept."""

    def inlinks(self, scan: int, identity: int, limit: int) -> list[LinkedPage]:
        """Which pages lead to a page, as far as links were kept and could be read in a moment."""

    def links_between(self, scan: int, numbers: Sequence[int], limit: int) -> list[tuple[int, int]]:
        """Links between these pages, as far as they were kept."""

    def find_parents(self, scan: int, numbers: Sequence[int]) -> dict[int, int]:
        """The page each of these was found on."""

    def newest(self, scan: int, limit: int) -> list[str]:
        """What a scan that runs has found last."""

    def page_history(self, scan: int, identity: int, limit: int) -> list[PageVersion]:
        """A page in this scan and in others of the same seeds, the newest first."""


def load_linked_pages(store: LinkQueries, scan: int, links: Sequence[PageLink]) -> list[LinkedPage]:
    """Return the pages at the other end of links, in their order, as far as the scan has them."""
    rows = {row[0]: row[1:] for row in store.query_pages("neighbours", scan, [link.page for link in links])}
    found = []
    for link in links:
        if link.page in rows:
            number, url, kind, state, title = rows[link.page]
            found.append(LinkedPage(number, url, kind, get_public_state(state), title, link.place.element))
    return found
