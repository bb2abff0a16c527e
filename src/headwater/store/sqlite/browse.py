"""Looks through the scans of a SQLite file, also while another process writes to it."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from headwater.store.browse import Details, Moment, NamedCluster, Outline, neighbours_of
from headwater.store.links.packed_links import one_a_page
from headwater.store.page_lists import shown_state
from headwater.store.queries import load_queries
from headwater.store.rows import PAGE_COLUMNS, evidence_of, page_of, scan_of
from headwater.store.sqlite.store import SqliteStore
from headwater.store.store import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.model import Evidence, Page
    from headwater.store.browse import FleetSite, Neighbour
    from headwater.store.postgres.fleet import Fleet
    from headwater.store.store import Scan

_QUERIES = load_queries("sqlite", "browse.sql")
_MOST = 1 << 62


class SqliteBrowse(SqliteStore):
    """A store in one file that can be looked through; a thread that reads opens its own."""

    queries: ClassVar = {**SqliteStore.queries, **_QUERIES}

    def scans(self, limit: int, before: int | None = None) -> list[Scan]:
        """Scans, the newest first."""
        return [scan_of(row) for row in self._db.execute(_QUERIES["scans"], (before or _MOST, limit))]

    def scans_like(self, scan: int, limit: int) -> list[Scan]:
        """Scans of the same seeds, the newest first."""
        return [scan_of(row) for row in self._db.execute(_QUERIES["scans_of_seeds"], (scan, limit))]

    def mark(self, scan: int, state: str) -> None:
        """Note that a scan waits for its turn or runs again."""
        self._db.execute(_QUERIES["mark_scan"], (state, scan))

    @property
    def fleet(self) -> Fleet | None:
        """A file has none."""
        return None

    def ask_to_stop(self, scan: int) -> None:
        """Let whoever runs a scan know that it is to stop."""
        self._db.execute(_QUERIES["ask_to_stop"], (scan,))

    def fleet_site(self, scan: int) -> FleetSite | None:
        """A file has no fleet."""
        return None

    def last_event(self, scan: int, kind: str = "") -> Event | None:
        """The newest event of a scan."""
        row = self._db.execute(_QUERIES["last_event"], (scan, kind)).fetchone()
        return None if row is None else _event(row)

    def events_of_kind(self, scan: int, kind: str) -> list[Event]:
        """Every event of one kind."""
        return [_event(row) for row in self._db.execute(_QUERIES["events_of_kind"], (scan, kind))]

    def skipped(self, scan: int) -> dict[str, int]:
        """How many URLs were refused for which reason."""
        return dict(self._db.execute(_QUERIES["skipped_by_reason"], (scan,)).fetchall())

    def outline(self, scan: int) -> Iterator[Outline]:
        """Every URL, what is listed first, by key."""
        return map(Outline._make, self._db.execute(_QUERIES["outline"], (scan,)))

    def members(self, scan: int) -> Iterator[tuple[int, int]]:
        """Which page is in which cluster."""
        yield from self._db.execute(_QUERIES["members"], (scan,))

    def numbered_clusters(self, scan: int) -> list[NamedCluster]:
        """The clusters with their numbers."""
        return [NamedCluster(*row) for row in self._db.execute(_QUERIES["numbered_clusters"], (scan,))]

    def pages_by_number(self, scan: int, numbers: Sequence[int]) -> list[tuple[int, Page]]:
        """These pages, in this order."""
        query = _QUERIES["pages_by_number"].replace("page.*", PAGE_COLUMNS)
        rows = self._db.execute(query, (scan, json.dumps(list(numbers))))
        pages = {row[-1]: page_of(row[:-1]) for row in rows}
        return [(number, pages[number]) for number in numbers if number in pages]

    def pages_after(self, scan: int, number: int, limit: int) -> list[tuple[int, Page]]:
        """Pages in the order they were found."""
        query = _QUERIES["pages_after"].replace("page.*", PAGE_COLUMNS)
        return [(row[-1], page_of(row[:-1])) for row in self._db.execute(query, (scan, number, limit))]

    def details(self, scan: int, number: int) -> Details | None:
        """More of one page."""
        row = self._db.execute(_QUERIES["page_details"], (scan, number)).fetchone()
        return None if row is None else Details(*row)

    def number_of(self, scan: int, identity: int) -> int | None:
        """The number of a page."""
        row = self._db.execute(_QUERIES["number_of_page"], (scan, identity)).fetchone()
        return None if row is None else int(row[0])

    def evidence_by_number(self, scan: int, number: int) -> Evidence | None:
        """One piece of evidence."""
        row = self._db.execute(_QUERIES["evidence_by_number"], (scan, number)).fetchone()
        return None if row is None else evidence_of(row)

    def evidence_after(self, scan: int, kind: str, after: int, limit: int) -> list[Evidence]:
        """Evidence behind a number."""
        return [evidence_of(row) for row in self._db.execute(_QUERIES["evidence_after"], (scan, kind, after, limit))]

    def outlinks(self, scan: int, identity: int, limit: int) -> list[Neighbour]:
        """Where a page leads to."""
        links = one_a_page(self.links.links_from(scan, identity) or ())
        return neighbours_of(self, scan, [link for link in links if link.page != identity][:limit])

    def inlinks(self, scan: int, identity: int, limit: int) -> list[Neighbour]:
        """Which pages lead to a page."""
        return neighbours_of(self, scan, self.links.links_to(scan, identity, limit))

    def links_among(self, scan: int, numbers: Sequence[int], limit: int) -> list[tuple[int, int]]:
        """Links between these pages."""
        number_of = {identity: number for number, identity in self.page_rows("identities", scan, numbers)}
        pairs = self.links.pairs_among(scan, list(number_of))
        return [(number_of[source], number_of[target]) for source, target in islice(pairs, limit)]

    def parents_of(self, scan: int, numbers: Sequence[int]) -> dict[int, int]:
        """The page each of these was found on."""
        return dict(self._db.execute(_QUERIES["parents_of"], (scan, json.dumps(list(numbers)))).fetchall())

    def newest(self, scan: int, limit: int) -> list[str]:
        """What a scan that runs has found last."""
        return [url for (url,) in self._db.execute(_QUERIES["newest"], (scan, limit))]

    def history(self, scan: int, identity: int, limit: int) -> list[Moment]:
        """A page in this scan and in others of the same seeds."""
        rows = self._db.execute(_QUERIES["history"], (identity, scan, limit))
        return [Moment(*row)._replace(state=shown_state(row[4])) for row in rows]


def _event(row: tuple[Any, ...]) -> Event:
    return Event(row[0], row[1], row[2], json.loads(row[3]))
