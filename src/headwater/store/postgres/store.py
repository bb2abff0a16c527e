"""A store in PostgreSQL: batches arrive by COPY and are merged in one transaction, which a fence may refuse."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import psycopg

from headwater.classify import encode_sources, rank_clusters
from headwater.errors import StoreError
from headwater.model import SOURCES
from headwater.store.duplicates import choose_next_spelling, find_canonical_duplicates, find_duplicates
from headwater.store.links.link_blocks import pack_links, pack_lists
from headwater.store.links.packed_links import PackedLinks
from headwater.store.page_lists import count_by_list
from headwater.store.postgres.batches import Fence, IdempotentTransaction, escape_row, plan_merge, unescape_row
from headwater.store.postgres.connection import RECONNECT_TIMEOUT, ServerConnection, get_first_line
from headwater.store.postgres.dive_store import PostgresDiveStore
from headwater.store.postgres.site_list_store import PostgresSiteListStore
from headwater.store.queries import load_queries
from headwater.store.rows import (
    LINK_SOURCES,
    PAGE_COLUMNS,
    SCAN_NAME_EVENT,
    SITEMAP_SOURCES,
    build_counts,
    build_evidence_row,
    build_inlinks_row,
    build_link_data_row,
    build_result_rows,
    build_site_key,
    build_sources_row,
    count_by_source,
    get_remaining_quota,
    order_candidates,
    parse_candidate_row,
    parse_classifier_input_row,
    parse_evidence_row,
    parse_known_url_row,
    parse_page_row,
    parse_scan_row,
    timestamp,
)
from headwater.store.store import ClusterCount, Event, PreviousVisit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from psycopg import Connection, Cursor

    from headwater.classify import LinkSummary
    from headwater.model import Candidate, DiscoveredUrl, Evidence, LinkBlock, Page
    from headwater.store.store import Classification, ClassifierInput, Counts, KnownUrl, Scan, VisitResult

Result = TypeVar("Result")

_QUERIES = load_queries("postgres")
_FETCH_SIZE = 5000
_MAX_TEMP_ROWS = 2000
"""Rows that may lie in a temporary table before it is emptied."""

Rows = Sequence[tuple[object, ...]]
NO_ROWS: Mapping[str, Rows] = MappingProxyType({})


class PostgresStore:
    """Keeps scans where many machines reach them; writes are refused once `fence` no longer holds."""

    queries: ClassVar = _QUERIES

    def __init__(
        self,
        url: str | ServerConnection,
        *,
        fence: Fence | None = None,
        path: str = "",
        patience: float = RECONNECT_TIMEOUT,
        transaction_timeout: float | None = None,
    ) -> None:
        self._owns_connection = isinstance(url, str)
        self._server = (
            ServerConnection(url, patience=patience, statement_limit=transaction_timeout)
            if isinstance(url, str)
            else url
        )
        self._fence, self._path = fence, path
        self._links: PackedLinks | None = None

    def begin(self, seeds: Sequence[str], settings: Mapping[str, object]) -> Scan:
        """A new scan."""
        seed, host = build_site_key(seeds)

        def insert(connection: Connection[Any]) -> Scan:
            with connection.transaction():
                connection.execute(_QUERIES["add_site"], (seed, host, timestamp()))
                values = (json.dumps(list(seeds)), json.dumps(settings), timestamp(), seed)
                return parse_scan_row(connection.execute(_QUERIES["add_scan"], values).fetchone() or ())

        return self._server.run(insert, "could not be written")

    def last(self, *, unfinished: bool = False) -> Scan | None:
        """The newest scan, or the newest that is not finished."""
        row = self._row("last_unfinished_scan" if unfinished else "last_scan")
        return None if row is None else parse_scan_row(row)

    def scan(self, number: int) -> Scan | None:
        """A scan by its number."""
        row = self._row("scan_by_number", number)
        return None if row is None else parse_scan_row(row)

    def name_scan(self, scan: int, name: str) -> None:
        """Give a scan a name of the caller's own."""
        self.add_event(scan, SCAN_NAME_EVENT, {"id": name})

    def scan_by_name(self, name: str) -> Scan | None:
        """The newest scan of this name."""
        row = self._row("named_scan", SCAN_NAME_EVENT, json.dumps({"id": name}))
        return None if row is None else parse_scan_row(row)

    def settle(
        self,
        scan: int,
        batch: Sequence[VisitResult],
        found: Sequence[DiscoveredUrl],
        skipped: Mapping[str, int],
        *,
        links: LinkBlock | None = None,
        first_list: int = 0,
    ) -> None:
        """One transaction: after a crash all of it is there, or none."""
        now = timestamp()
        everything = [*found, *(one for settled in batch for one in settled.found)]
        incoming, rounds = plan_merge(scan, everything, now)
        outcomes = [escape_row((*row[:-2], row[-1])) for row in build_result_rows(scan, batch, now, first_list)]
        lists = pack_lists(scan, first_list, batch)
        spellings = [
            {"scan": scan, "identity": page, "new": url, "depth": settled.candidate.depth}
            for settled in batch
            for page, url in settled.spellings
        ]
        cleared = [page for settled in batch for page in settled.cleared]

        def merge(cursor: Cursor[Any], batch: int) -> None:
            for query, number in rounds:
                cursor.execute(_QUERIES[query], (scan, batch, number))
            if outcomes:
                cursor.execute(_QUERIES["settle_pages"], (batch, scan))
            if links is not None:
                cursor.execute(_QUERIES["add_link_block"], pack_links(scan, links))
            if lists is not None:
                cursor.execute(_QUERIES["add_link_list"], lists)
            if spellings:
                cursor.executemany(_QUERIES["add_spelling"], spellings)
            if cleared:
                cursor.execute(_QUERIES["clear_suspicion"], (scan, cleared))
            if skipped:
                cursor.execute(_QUERIES["add_skipped"], (scan, list(skipped), list(skipped.values())))

        self._write(scan, merge, {"incoming": incoming, "outcome": outcomes}, pages=len(batch))

    def waiting(self, scan: int, limit: int, depth: int, after: int = 0) -> list[tuple[int, Candidate]]:
        """Candidates of one depth that are not suspect, in the order they were found."""
        return [parse_candidate_row(row) for row in self._rows("waiting", scan, depth, after, limit)]

    def suspects(self, scan: int, depth: int) -> list[int]:
        """Identities of the suspect candidates of one depth, in the order of their keys."""
        return [identity for (identity,) in self._rows("suspects", scan, depth)]

    def candidates(self, scan: int, identities: Sequence[int]) -> list[Candidate]:
        """The candidates with these identities, in this order."""
        return order_candidates(identities, self.query_pages("candidates", scan, identities))

    def next_depth(self, scan: int, start: int = 0) -> int | None:
        """The smallest depth at which anything waits."""
        row = self._row("next_depth", scan, start)
        return None if row is None or row[0] is None else int(row[0])

    def retry_deferred(self, scan: int) -> None:
        """Let what was deferred wait again."""
        self._execute_write(scan, "retry_deferred", (scan,))

    def release_held(self, scan: int, limit: int | None) -> None:
        """Let pages beyond an earlier limit wait, as far as each source has room under this one."""
        sources = [source for (source,) in self._rows("held_sources", scan)]
        taken = self.source_usage(scan) if sources and limit is not None else {}
        for source in sources:
            self._execute_write(scan, "release_held", (scan, source, get_remaining_quota(limit, taken.get(source, 0))))

    def source_usage(self, scan: int) -> Mapping[str, int]:
        """How many pages of each source count towards the limit."""
        return count_by_source(self._rows("taken_counts", scan))

    def redirected_seeds(self, scan: int) -> list[str]:
        """Where the seeds redirected to."""
        return [url for (url,) in self._rows("moved_seeds", scan)]

    def filter_unknown(self, scan: int, identities: Sequence[int]) -> set[int]:
        """Those that the store has never seen."""
        return set(identities) - {one for (one,) in self._rows("known_identities", scan, list(identities))}

    def known_urls(self, scan: int, identities: Sequence[int]) -> list[KnownUrl]:
        """Return those of these URLs that the store has."""
        return [parse_known_url_row(row) for row in self.query_pages("known_urls", scan, identities)]

    def last_url_number(self) -> int:
        """Return the number of the URL that was added last."""
        row = self._row("newest_url")
        return 0 if row is None else int(row[0])

    def counts(self, scan: int) -> Counts:
        """How far the scan has come."""
        skipped = dict(self._rows("skipped_counts", scan))
        return build_counts(self._rows("state_counts", scan), skipped)

    def pages(self, scan: int, limit: int | None = None) -> Iterator[Page]:
        """Every URL of the scan by key, or the pages that matter most."""
        rows = self._stream("pages", (scan,)) if limit is None else self._stream("best_pages", (scan, limit))
        for row in rows:
            yield parse_page_row(row)

    def page(self, scan: int, identity: int) -> Page | None:
        """One URL of the scan."""
        row = self._row("page_by_identity", scan, identity)
        return None if row is None else parse_page_row(row)

    @property
    def links(self) -> PackedLinks:
        """The links of its scans."""
        if self._links is None:
            self._links = PackedLinks(self)
        return self._links

    def set_ways(self, scan: int, ways: Sequence[LinkSummary]) -> None:
        """Keep what the links say of some pages."""
        rows: dict[str, Rows] = {
            "set_ways": [escape_row(build_link_data_row(scan, way)) for way in ways if way.place is not None],
            "set_sources": [build_sources_row(scan, way) for way in ways if way.place is None],
            "set_inlinks": [build_inlinks_row(scan, way) for way in ways if way.lists],
        }

        def write(cursor: Cursor[Any], _: int) -> None:
            for query, values in rows.items():
                columns = [list(column) for column in zip(*values, strict=True)]
                if columns:
                    cursor.execute(_QUERIES[query], columns)

        self._write(scan, write)

    def query_links(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query about links."""
        return self._rows(query, *values)

    def query_pages(self, query: str, scan: int, identities: Iterable[int]) -> list[tuple[Any, ...]]:
        """The rows of a query about these pages."""
        return self._rows(query, scan, list(identities))

    def previous(self, scan: int) -> int | None:
        """The newest scan of the same seeds before this one."""
        row = self._row("previous_scan", scan)
        return None if row is None else int(row[0])

    def flag_unreliable_sitemaps(self, scan: int, previous: int) -> None:
        """Mark sitemaps whose `lastmod` says changed where most pages are as they were."""

        def mark(cursor: Cursor[Any], _: int) -> None:
            rows = cursor.execute(_QUERIES["dishonest_sitemaps"], {"old": previous, "new": scan}).fetchall()
            for number, content in rows:
                marked = json.dumps({**json.loads(content), "dishonest": True})
                cursor.execute(_QUERIES["set_evidence"], (marked, number))

        self._write(scan, mark)

    def visited(self, scan: int, identity: int) -> PreviousVisit | None:
        """What a scan knows of a page it visited."""
        row = self._row("visited", scan, identity)
        return None if row is None else PreviousVisit(*row)

    def unreached_pages(self, scan: int, previous: int) -> Iterator[Page]:
        """Pages that the earlier scan visited and this one has not heard of."""
        for row in self._rows("unreached", {"old": previous, "new": scan}):
            yield parse_page_row(row)

    def changes(self, old: int, new: int) -> Iterator[Page]:
        """What differs between two scans."""
        for query in ("pages_new", "pages_changed", "pages_gone"):
            for row in self._stream(query, {"old": old, "new": new}):
                yield parse_page_row(row)._replace(change=query.removeprefix("pages_"))

    @property
    def path(self) -> str:
        """A file of this machine that belongs to the work under way, if there is one."""
        return self._path

    @property
    def dives(self) -> PostgresDiveStore:
        """The dives of this store."""
        return PostgresDiveStore(self._server)

    @property
    def lists(self) -> PostgresSiteListStore:
        """The lists of sites of this store."""
        return PostgresSiteListStore(self._server)

    @property
    def is_shared(self) -> bool:
        """Others can look at it."""
        return True

    def is_stop_requested(self, scan: int) -> bool:
        """Whether somebody wants the scan to stop."""
        return self._row("wish", scan) == ("stop",)

    def clear_stop_request(self, scan: int) -> None:
        """What was wished before it ran does not count."""
        self._server.run(lambda connection: connection.execute(_QUERIES["forget_wish"], (scan,)))

    def record_crash(self, scan: int, identity: int, limit: int) -> None:
        """A process died over this page; at the limit it is no longer visited."""
        self._execute_write(scan, "count_death", {"limit": limit, "scan": scan, "identity": identity})

    def add_evidence(self, scan: int, evidence: Evidence) -> int:
        """Keep a piece of evidence."""
        row = escape_row(build_evidence_row(scan, evidence))

        def insert(cursor: Cursor[Any], _: int) -> int:
            return int((cursor.execute(_QUERIES["add_evidence"], row).fetchone() or (0,))[0])

        return self._write(scan, insert)

    def update_evidence(self, number: int, content: Mapping[str, object]) -> None:
        """Replace the content of a piece of evidence."""
        row = self._row("scan_of_evidence", number)
        if row is not None:
            values = (json.dumps(content, default=list), timestamp(), number)
            self._execute_write(int(row[0]), "amend_evidence", values)

    def evidence(self, scan: int, kind: str = "") -> list[Evidence]:
        """The evidence of a scan."""
        return [parse_evidence_row(row) for row in self._rows("evidence", {"scan": scan, "kind": kind})]

    def add_event(self, scan: int, kind: str, data: Mapping[str, object]) -> None:
        """Note something for those who watch."""
        self._execute_write(scan, "add_event", (scan, timestamp(), kind, json.dumps(data, default=list)))

    def events(self, scan: int, after: int = 0, limit: int = 1000) -> list[Event]:
        """What was noted behind a number."""
        rows = self._rows("events", scan, after, limit)
        return [Event(number, at, kind, json.loads(data)) for number, at, kind, data in rows]

    def told(self, scan: int) -> Iterator[ClassifierInput]:
        """Every listed page as classification sees it, some thousand at a time."""
        last = -(1 << 63)
        while rows := self._rows("told", scan, last, _FETCH_SIZE):
            for row in rows:
                yield parse_classifier_input_row(row)
            last = rows[-1][0]

    def add_inlinks(self, scan: int, counts: Mapping[int, int]) -> None:
        """Count links to pages."""
        self._execute_write(scan, "add_inlinks", (scan, list(counts), list(counts.values())))

    def clear_clusters(self, scan: int) -> None:
        """Let no page be in a cluster."""
        self._execute_write(scan, "forget_clusters", (scan,))

    def classify(self, scan: int, rows: Sequence[Classification]) -> None:
        """Clusters are made as they are met."""
        clusters = list({cluster: None for row in rows for cluster in row.clusters})
        classified = [escape_row((row.identity, row.priority, row.language, row.skip_scrape)) for row in rows]
        members = [escape_row((cluster[0], row.identity)) for row in rows for cluster in row.clusters]

        def merge(cursor: Cursor[Any], batch: int) -> None:
            cursor.execute(_QUERIES["classify_pages"], (batch, scan))
            if clusters:
                columns = zip(*(escape_row(cluster) for cluster in clusters), strict=True)
                cursor.execute(_QUERIES["add_clusters"], (scan, *map(list, columns)))
                cursor.execute(_QUERIES["add_members"], {"scan": scan, "batch": batch})

        self._write(scan, merge, {"classified": classified, "member": members})

    def clusters(self, scan: int) -> list[ClusterCount]:
        """Return the clusters of a scan, those that say most about the site first."""
        return rank_clusters(ClusterCount(*row) for row in self._rows("clusters", scan))

    def enqueue_listed(self, scan: int, depth: int | None = None) -> None:
        """Let every page that was only listed wait for a visit; with `depth` those of sitemaps only, at that depth."""
        sources = SITEMAP_SOURCES if depth is not None else SOURCES
        self._execute_write(scan, "visit_listed", {"scan": scan, "sources": encode_sources(sources), "depth": depth})

    def retry_other_spellings(self, scan: int) -> int:
        """Let pages that failed under one spelling wait for a visit under the next."""
        rows = [choose_next_spelling(scan, *row) for row in self._rows("other_spellings", scan)]
        if rows:
            self._write(scan, lambda cursor, _: cursor.executemany(_QUERIES["take_spelling"], rows))
        return len(rows)

    def mark_duplicates(self, scan: int) -> None:
        """Find the pages that are the same as another, and keep one of each group in the list."""

        def mark(cursor: Cursor[Any], _: int) -> None:
            cursor.execute(_QUERIES["forget_duplicates"], (scan,))
            groups = cursor.execute(_QUERIES["same_content"], {"scan": scan}).fetchall()
            cursor.executemany(_QUERIES["set_duplicate"], find_duplicates(scan, groups))
            twins = cursor.execute(_QUERIES["canonicals"], (scan,)).fetchall()
            found = list(
                find_canonical_duplicates(
                    scan, twins, lambda *values: cursor.execute(_QUERIES["twin"], values).fetchone()
                )
            )
            cursor.executemany(_QUERIES["set_duplicate"], found)

        self._write(scan, mark)

    def list_counts(self, scan: int) -> Mapping[str, int]:
        """How many URLs of kind `page` stand in each list."""
        return count_by_list(self._rows("list_counts", scan))

    def status_counts(self, scan: int) -> Mapping[str, int]:
        """How many pages answered what."""
        return dict(self._rows("statuses", scan))

    def orphans_and_gaps(self, scan: int) -> tuple[int, int]:
        """How many pages only sitemaps name, and how many links name but no sitemap."""
        masks = {"listing": encode_sources(SITEMAP_SOURCES), "linking": encode_sources(LINK_SOURCES)}
        row = self._row("orphans_and_gaps", {"scan": scan, **masks})
        return (0, 0) if row is None else (int(row[0]), int(row[1]))

    def listed(self, scan: int) -> int:
        """How many pages are listed."""
        row = self._row("listed", scan)
        return 0 if row is None else int(row[0])

    def sources(self, scan: int) -> Mapping[str, int]:
        """How many pages each source names."""
        return count_by_source(self._rows("source_counts", scan))

    def end(self, scan: int, state: str) -> None:
        """Note how the scan ended."""
        self._execute_write(scan, "end_scan", (state, timestamp(), scan))

    def acquire_lock(self, name: str) -> bool:
        """Keep other processes from working on a scan or list; false if one of them does."""
        return bool((self._row("hold", name) or (False,))[0])

    def close(self) -> None:
        """Let go of the connection, if it is our own."""
        if self._owns_connection:
            self._server.close()

    def _execute_write(self, scan: int, query: str, values: Sequence[object] | Mapping[str, object]) -> None:
        self._write(scan, lambda cursor, _: cursor.execute(_QUERIES[query], values))

    def _write(
        self,
        scan: int,
        work: Callable[[Cursor[Any], int], Result],
        rows: Mapping[str, Rows] = NO_ROWS,
        pages: int = 0,
    ) -> Result:
        """One transaction. What is copied goes first: until the mark is set, no row is locked that others want."""
        attempt = IdempotentTransaction[Result](scan, self._fence, pages)

        def run(connection: Connection[Any]) -> Result:
            return attempt.run(connection, work, lambda cursor: self._copy(cursor, rows))

        return self._server.run(run, "could not be written")

    def _copy(self, cursor: Cursor[Any], tables: Mapping[str, Rows]) -> int:
        """Rows into temporary tables, under a number of their own, which it gives."""
        batch = self._server.next_batch_number()
        for table, rows in tables.items():
            if not rows:
                continue
            if self._server.temp_row_counts[table] > _MAX_TEMP_ROWS:
                cursor.execute(_QUERIES[f"empty_{table}"])
                self._server.temp_row_counts[table] = 0
            with cursor.copy(_QUERIES[f"copy_{table}"]) as copy:
                for row in rows:
                    copy.write_row((batch, *row))
            self._server.temp_row_counts[table] += len(rows)
        return batch

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401  (whatever the query takes)
        given = values[0] if values and isinstance(values[0], dict) else values
        text = self.queries[query].replace("page.*", PAGE_COLUMNS)
        return self._server.run(
            lambda connection: [unescape_row(row) for row in connection.execute(text, given).fetchall()]
        )

    def _row(self, query: str, *values: Any) -> tuple[Any, ...] | None:  # noqa: ANN401  (whatever the query takes)
        return next(iter(self._rows(query, *values)), None)

    def _stream(self, query: str, values: Sequence[object] | Mapping[str, object]) -> Iterator[tuple[Any, ...]]:
        """Rows as they are wanted, over a connection of their own."""
        text = self.queries[query].replace("page.*", PAGE_COLUMNS)
        connection = self._server.open_second_connection()
        try:
            with connection.transaction(), connection.cursor(name="stream") as cursor:
                cursor.itersize = _FETCH_SIZE
                for row in cursor.execute(text, values):
                    yield unescape_row(row)
        except psycopg.Error as error:
            raise StoreError(f"{self._server.display_url} could not be read: {get_first_line(error)}") from None
        finally:
            connection.close()
