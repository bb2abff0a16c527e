"""Looks through the scans of a PostgreSQL server, also while others write to it."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from headwater.store.browse_store import (
    ClusterRecord,
    FleetSite,
    PageDetails,
    PageSummary,
    PageVersion,
    load_linked_pages,
)
from headwater.store.links.packed_links import dedupe_by_page
from headwater.store.page_lists import get_public_state
from headwater.store.postgres.fleet import Fleet
from headwater.store.postgres.store import PostgresStore
from headwater.store.queries import load_queries
from headwater.store.rows import parse_evidence_row, parse_page_row, parse_scan_row
from headwater.store.store import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.model import Evidence, Page
    from headwater.store.browse_store import LinkedPage
    from headwater.store.store import Scan

_MAX_NUMBER = 1 << 62


class PostgresBrowseStore(PostgresStore):
    """A store on a server that can be looked through; a thread that reads opens its own."""

    queries: ClassVar = {**PostgresStore.queries, **load_queries("postgres", "browse.sql")}

    def scans(self, limit: int, before: int | None = None) -> list[Scan]:
        """Scans, the newest first."""
        return [parse_scan_row(row) for row in self._rows("scans", before or _MAX_NUMBER, limit)]

    def scans_with_same_seeds(self, scan: int, limit: int) -> list[Scan]:
        """Scans of the same seeds, the newest first."""
        return [parse_scan_row(row) for row in self._rows("scans_of_seeds", scan, limit)]

    def mark(self, scan: int, state: str) -> None:
        """Note that a scan waits for its turn or runs again."""
        self._execute_direct("mark_scan", state, scan)

    @property
    def fleet(self) -> Fleet:
        """The fleet of this server."""
        return Fleet(self._server)

    def request_stop(self, scan: int) -> None:
        """Let whoever runs a scan know that it is to stop."""
        self._execute_direct("ask_to_stop", scan)

    def fleet_site(self, scan: int) -> FleetSite | None:
        """The site of a fleet that this scan is being worked for."""
        row = self._row("site_of_scan", scan)
        return None if row is None else FleetSite(*row)

    def last_event(self, scan: int, kind: str = "") -> Event | None:
        """The newest event of a scan."""
        row = self._row("last_event", {"scan": scan, "kind": kind})
        return None if row is None else _parse_event_row(row)

    def events_of_kind(self, scan: int, kind: str) -> list[Event]:
        """Every event of one kind."""
        return [_parse_event_row(row) for row in self._rows("events_of_kind", scan, kind)]

    def skipped(self, scan: int) -> dict[str, int]:
        """How many URLs were refused for which reason."""
        return dict(self._rows("skipped_by_reason", scan))

    def page_summaries(self, scan: int) -> Iterator[PageSummary]:
        """Every URL, what is listed first, by key."""
        return map(PageSummary._make, self._stream("outline", (scan,)))

    def cluster_members(self, scan: int) -> Iterator[tuple[int, int]]:
        """Which page is in which cluster."""
        yield from ((cluster, page) for cluster, page in self._stream("members", (scan,)))

    def numbered_clusters(self, scan: int) -> list[ClusterRecord]:
        """The clusters with their numbers."""
        return [ClusterRecord(*row) for row in self._rows("numbered_clusters", scan)]

    def pages_by_number(self, scan: int, numbers: Sequence[int]) -> list[tuple[int, Page]]:
        """These pages, in this order."""
        pages = {row[-1]: parse_page_row(row[:-1]) for row in self._rows("pages_by_number", list(numbers), scan)}
        return [(number, pages[number]) for number in numbers if number in pages]

    def pages_after(self, scan: int, number: int, limit: int) -> list[tuple[int, Page]]:
        """Pages in the order they were found."""
        return [(row[-1], parse_page_row(row[:-1])) for row in self._rows("pages_after", number, scan, limit)]

    def page_details(self, scan: int, number: int) -> PageDetails | None:
        """More of one page."""
        row = self._row("page_details", scan, number)
        return None if row is None else PageDetails(*row)

    def number_of(self, scan: int, identity: int) -> int | None:
        """The number of a page."""
        row = self._row("number_of_page", scan, identity)
        return None if row is None else int(row[0])

    def evidence_by_number(self, scan: int, number: int) -> Evidence | None:
        """One piece of evidence."""
        row = self._row("evidence_by_number", scan, number)
        return None if row is None else parse_evidence_row(row)

    def evidence_after(self, scan: int, kind: str, after: int, limit: int) -> list[Evidence]:
        """Evidence behind a number."""
        wanted = {"scan": scan, "kind": kind, "after": after, "limit": limit}
        return [parse_evidence_row(row) for row in self._rows("evidence_after", wanted)]

    def outlinks(self, scan: int, identity: int, limit: int) -> list[LinkedPage]:
        """Where a page leads to."""
        links = dedupe_by_page(self.links.links_from(scan, identity) or ())
        return load_linked_pages(self, scan, [link for link in links if link.page != identity][:limit])

    def inlinks(self, scan: int, identity: int, limit: int) -> list[LinkedPage]:
        """Which pages lead to a page."""
        return load_linked_pages(self, scan, self.links.links_to(scan, identity, limit))

    def links_between(self, scan: int, numbers: Sequence[int], limit: int) -> list[tuple[int, int]]:
        """Links between these pages."""
        number_of = {identity: number for number, identity in self.query_pages("identities", scan, numbers)}
        pairs = self.links.linked_pairs(scan, list(number_of))
        return [(number_of[source], number_of[target]) for source, target in islice(pairs, limit)]

    def find_parents(self, scan: int, numbers: Sequence[int]) -> dict[int, int]:
        """The page each of these was found on."""
        return dict(self._rows("parents_of", list(numbers), scan))

    def newest(self, scan: int, limit: int) -> list[str]:
        """What a scan that runs has found last."""
        return [url for (url,) in self._rows("newest", scan, limit)]

    def page_history(self, scan: int, identity: int, limit: int) -> list[PageVersion]:
        """A page in this scan and in others of the same seeds."""
        rows = self._rows("history", identity, scan, limit)
        return [PageVersion(*row)._replace(state=get_public_state(row[4])) for row in rows]

    def _execute_direct(self, query: str, *values: object) -> None:
        self._server.run(lambda connection: connection.execute(self.queries[query], values), "could not be written")


def _parse_event_row(row: tuple[Any, ...]) -> Event:
    return Event(row[0], row[1], row[2], json.loads(row[3]))
