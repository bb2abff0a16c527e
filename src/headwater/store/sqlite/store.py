"""A store in one SQLite file: write-ahead log, one transaction a batch, one writer."""

from __future__ import annotations

import json
import math
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from headwater.classify import encode_sources, rank_clusters
from headwater.errors import StoreError
from headwater.model import SOURCES
from headwater.store.duplicates import choose_next_spelling, find_canonical_duplicates, find_duplicates
from headwater.store.links.link_blocks import pack_links, pack_lists
from headwater.store.links.packed_links import PackedLinks
from headwater.store.page_lists import count_by_list
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
    build_page_row,
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
from headwater.store.sqlite.file import open_file
from headwater.store.sqlite.locks import FileLocks
from headwater.store.store import ClusterCount, Event, PreviousVisit

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from headwater.classify import LinkSummary
    from headwater.model import Candidate, DiscoveredUrl, Evidence, LinkBlock, Page
    from headwater.store.sqlite.dive_store import SqliteDiveStore
    from headwater.store.sqlite.site_list_store import SqliteSiteListStore
    from headwater.store.store import Classification, ClassifierInput, Counts, KnownUrl, Scan, VisitResult

_QUERIES = load_queries("sqlite")


_BATCH_SIZE = 1000
_PROGRESS_STEPS = 10_000
"""Steps of SQLite's machine between two looks at the clock, about a millisecond."""


class SqliteStore:
    """Keeps scans in a file that survives the process at any moment."""

    queries: ClassVar = _QUERIES

    def __init__(self, path: str, transaction_timeout: float | None = None) -> None:
        self._path, self._timeout, self._deadline = path, transaction_timeout, math.inf
        self._links: PackedLinks | None = None
        self._locks = FileLocks("" if path == ":memory:" else path)
        self._db = open_file(path)
        if transaction_timeout is not None:
            self._db.set_progress_handler(lambda: time.monotonic() > self._deadline, _PROGRESS_STEPS)

    def begin(self, seeds: Sequence[str], settings: Mapping[str, object]) -> Scan:
        """A new scan."""
        seed, host = build_site_key(seeds)
        with self._transaction():
            self._db.execute(_QUERIES["add_site"], (seed, host, timestamp()))
            cursor = self._db.execute(
                _QUERIES["add_scan"], (json.dumps(list(seeds)), json.dumps(settings), timestamp(), seed)
            )
        scan = self.scan(int(cursor.lastrowid or 0))
        assert scan is not None
        return scan

    def last(self, *, unfinished: bool = False) -> Scan | None:
        """The newest scan, or the newest that is not finished."""
        return self._find_scan("last_unfinished_scan" if unfinished else "last_scan", ())

    def scan(self, number: int) -> Scan | None:
        """A scan by its number."""
        return self._find_scan("scan_by_number", (number,))

    def name_scan(self, scan: int, name: str) -> None:
        """Give a scan a name of the caller's own."""
        self.add_event(scan, SCAN_NAME_EVENT, {"id": name})

    def scan_by_name(self, name: str) -> Scan | None:
        """The newest scan of this name."""
        return self._find_scan("named_scan", (SCAN_NAME_EVENT, json.dumps({"id": name})))

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
        lists = pack_lists(scan, first_list, batch)
        with self._transaction():
            self._db.executemany(
                _QUERIES["add_found"], [build_page_row(scan, one, now) for one in everything if one.metadata is None]
            )
            self._db.executemany(
                _QUERIES["add_listed"],
                [build_page_row(scan, one, now) for one in everything if one.metadata is not None],
            )
            self._db.executemany(_QUERIES["settle_page"], build_result_rows(scan, batch, now, first_list))
            if links is not None:
                self._db.execute(_QUERIES["add_link_block"], pack_links(scan, links))
            if lists is not None:
                self._db.execute(_QUERIES["add_link_list"], lists)
            spellings = [
                (url, scan, page, settled.candidate.depth) for settled in batch for page, url in settled.spellings
            ]
            self._db.executemany(_QUERIES["add_spelling"], spellings)
            cleared = [(scan, page) for settled in batch for page in settled.cleared]
            self._db.executemany(_QUERIES["clear_suspicion"], cleared)
            self._db.executemany(_QUERIES["add_skipped"], [(scan, reason, count) for reason, count in skipped.items()])

    def waiting(self, scan: int, limit: int, depth: int, after: int = 0) -> list[tuple[int, Candidate]]:
        """Candidates of one depth that are not suspect, in the order they were found."""
        return [parse_candidate_row(row) for row in self._db.execute(_QUERIES["waiting"], (scan, depth, after, limit))]

    def suspects(self, scan: int, depth: int) -> list[int]:
        """Identities of the suspect candidates of one depth, in the order of their keys."""
        return [identity for (identity,) in self._db.execute(_QUERIES["suspects"], (scan, depth))]

    def candidates(self, scan: int, identities: Sequence[int]) -> list[Candidate]:
        """The candidates with these identities, in this order."""
        return order_candidates(identities, self.query_pages("candidates", scan, identities))

    def next_depth(self, scan: int, start: int = 0) -> int | None:
        """The smallest depth at which anything waits."""
        depth = self._db.execute(_QUERIES["next_depth"], (scan, start)).fetchone()[0]
        return None if depth is None else int(depth)

    def retry_deferred(self, scan: int) -> None:
        """Let what was deferred wait again."""
        self._db.execute(_QUERIES["retry_deferred"], (scan,))

    def release_held(self, scan: int, limit: int | None) -> None:
        """Let pages beyond an earlier limit wait, as far as each source has room under this one."""
        sources = [source for (source,) in self._db.execute(_QUERIES["held_sources"], (scan,))]
        taken = self.source_usage(scan) if sources and limit is not None else {}
        rooms = [(source, get_remaining_quota(limit, taken.get(source, 0))) for source in sources]
        with self._transaction():
            for source, room in rooms:
                self._db.execute(_QUERIES["release_held"], (scan, source, -1 if room is None else room))

    def source_usage(self, scan: int) -> Mapping[str, int]:
        """How many pages of each source count towards the limit."""
        return count_by_source(self._db.execute(_QUERIES["taken_counts"], (scan,)))

    def redirected_seeds(self, scan: int) -> list[str]:
        """Where the seeds redirected to."""
        return [url for (url,) in self._db.execute(_QUERIES["moved_seeds"], (scan,))]

    def filter_unknown(self, scan: int, identities: Sequence[int]) -> set[int]:
        """Those that the store has never seen."""
        query, ask = _QUERIES["known_identity"], self._db.cursor()
        return {one for one in identities if ask.execute(query, (scan, one)).fetchone() is None}

    def known_urls(self, scan: int, identities: Sequence[int]) -> list[KnownUrl]:
        """Return those of these URLs that the store has."""
        return [parse_known_url_row(row) for row in self.query_pages("known_urls", scan, identities)]

    def last_url_number(self) -> int:
        """Return the number of the URL that was added last."""
        return int(self._db.execute(_QUERIES["newest_url"]).fetchone()[0])

    def counts(self, scan: int) -> Counts:
        """How far the scan has come."""
        skipped = dict(self._db.execute(_QUERIES["skipped_counts"], (scan,)))
        return build_counts(self._db.execute(_QUERIES["state_counts"], (scan,)), skipped)

    def pages(self, scan: int, limit: int | None = None) -> Iterator[Page]:
        """Every URL of the scan by key, or the pages that matter most."""
        rows = self._rows("pages", scan) if limit is None else self._rows("best_pages", scan, limit)
        for row in rows:
            yield parse_page_row(row)

    def page(self, scan: int, identity: int) -> Page | None:
        """One URL of the scan."""
        row = self._rows("page_by_identity", scan, identity).fetchone()
        return None if row is None else parse_page_row(row)

    @property
    def links(self) -> PackedLinks:
        """The links of its scans."""
        if self._links is None:
            self._links = PackedLinks(self)
        return self._links

    def set_ways(self, scan: int, ways: Sequence[LinkSummary]) -> None:
        """Keep what the links say of some pages."""
        with self._transaction():
            self._db.executemany(
                _QUERIES["set_way"], [build_link_data_row(scan, way) for way in ways if way.place is not None]
            )
            self._db.executemany(
                _QUERIES["set_sources"], [build_sources_row(scan, way) for way in ways if way.place is None]
            )
            self._db.executemany(_QUERIES["set_inlinks"], [build_inlinks_row(scan, way) for way in ways if way.lists])

    def query_links(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query about links."""
        return self._db.execute(self.queries[query], values).fetchall()

    def query_pages(self, query: str, scan: int, identities: Iterable[int]) -> list[tuple[Any, ...]]:
        """The rows of a query about these pages."""
        return self.query_links(query, scan, json.dumps(list(identities)))

    def previous(self, scan: int) -> int | None:
        """The newest scan of the same seeds before this one."""
        row = self._db.execute(_QUERIES["previous_scan"], (scan,)).fetchone()
        if row is None:
            return None
        self._db.execute(_QUERIES["index_parents"])  # only those who scan again pay for it
        return int(row[0])

    def flag_unreliable_sitemaps(self, scan: int, previous: int) -> None:
        """Mark sitemaps whose `lastmod` says changed where most pages are as they were."""
        self._db.execute(_QUERIES["distrust_sitemaps"], (previous, scan))

    def visited(self, scan: int, identity: int) -> PreviousVisit | None:
        """What a scan knows of a page it visited."""
        row = self._db.execute(_QUERIES["visited"], (scan, identity)).fetchone()
        return None if row is None else PreviousVisit(*row)

    def unreached_pages(self, scan: int, previous: int) -> Iterator[Page]:
        """Pages that the earlier scan visited and this one has not heard of."""
        for row in self._rows("unreached", previous, scan).fetchall():
            yield parse_page_row(row)

    def changes(self, old: int, new: int) -> Iterator[Page]:
        """What differs between two scans."""
        for query in ("pages_new", "pages_changed", "pages_gone"):
            for row in self._rows(query, old, new):
                yield parse_page_row(row)._replace(change=query.removeprefix("pages_"))

    @property
    def path(self) -> str:
        """The file it is kept in."""
        return "" if self._path == ":memory:" else self._path

    @property
    def is_shared(self) -> bool:
        """Others can look at it, unless it is kept in memory."""
        return bool(self.path)

    def is_stop_requested(self, scan: int) -> bool:
        """Whether somebody wants the scan to stop."""
        return bool(self._db.execute(_QUERIES["wish"], (scan,)).fetchone() == ("stop",))

    def clear_stop_request(self, scan: int) -> None:
        """What was wished before it ran does not count."""
        self._db.execute(_QUERIES["forget_wish"], (scan,))

    @property
    def dives(self) -> SqliteDiveStore:
        """The dives of this store."""
        from headwater.store.sqlite.dive_store import SqliteDiveStore  # noqa: PLC0415  (most commands know no dives)

        return SqliteDiveStore(self._db, self._path)

    @property
    def lists(self) -> SqliteSiteListStore:
        """The lists of sites of this store."""
        from headwater.store.sqlite.site_list_store import SqliteSiteListStore  # noqa: PLC0415  (most commands know no lists)

        return SqliteSiteListStore(self._db, self._path)

    def record_crash(self, scan: int, identity: int, limit: int) -> None:
        """A process died over this page; at the limit it is no longer visited."""
        self._db.execute(_QUERIES["count_death"], (limit, scan, identity))

    def add_evidence(self, scan: int, evidence: Evidence) -> int:
        """Keep a piece of evidence."""
        return int(self._db.execute(_QUERIES["add_evidence"], build_evidence_row(scan, evidence)).lastrowid or 0)

    def update_evidence(self, number: int, content: Mapping[str, object]) -> None:
        """Replace the content of a piece of evidence."""
        self._db.execute(_QUERIES["amend_evidence"], (json.dumps(content, default=list), timestamp(), number))

    def evidence(self, scan: int, kind: str = "") -> list[Evidence]:
        """The evidence of a scan."""
        return [parse_evidence_row(row) for row in self._db.execute(_QUERIES["evidence"], (scan, kind))]

    def add_event(self, scan: int, kind: str, data: Mapping[str, object]) -> None:
        """Note something for those who watch."""
        self._db.execute(_QUERIES["add_event"], (scan, timestamp(), kind, json.dumps(data, default=list)))

    def events(self, scan: int, after: int = 0, limit: int = 1000) -> list[Event]:
        """What was noted behind a number."""
        rows = self._db.execute(_QUERIES["events"], (scan, after, limit))
        return [Event(number, at, kind, json.loads(data)) for number, at, kind, data in rows]

    def told(self, scan: int) -> Iterator[ClassifierInput]:
        """Every listed page as classification sees it; read in parts, for an open read keeps the log from ending."""
        place = 0
        while rows := self._db.execute(_QUERIES["told"], (place, scan, _BATCH_SIZE)).fetchall():
            place = rows[-1][0]
            yield from (parse_classifier_input_row(row[1:]) for row in rows)

    def add_inlinks(self, scan: int, counts: Mapping[int, int]) -> None:
        """Count links to pages."""
        with self._transaction():
            self._db.executemany(_QUERIES["add_inlinks"], [(count, scan, page) for page, count in counts.items()])

    def clear_clusters(self, scan: int) -> None:
        """Let no page be in a cluster."""
        self._db.execute(_QUERIES["forget_clusters"], (scan,))

    def classify(self, scan: int, rows: Sequence[Classification]) -> None:
        """Clusters are made as they are met."""
        clusters = {cluster: None for row in rows for cluster in row.clusters}
        with self._transaction():
            self._db.executemany(
                _QUERIES["classify_page"],
                [(row.priority, row.language, row.skip_scrape, scan, row.identity) for row in rows],
            )
            self._db.executemany(_QUERIES["add_cluster"], [(scan, *cluster) for cluster in clusters])
            self._db.executemany(
                _QUERIES["add_to_cluster"],
                [(scan, cluster[0], row.identity) for row in rows for cluster in row.clusters],
            )

    def clusters(self, scan: int) -> list[ClusterCount]:
        """Return the clusters of a scan, those that say most about the site first."""
        return rank_clusters(ClusterCount(*row) for row in self._db.execute(_QUERIES["clusters"], (scan,)))

    def enqueue_listed(self, scan: int, depth: int | None = None) -> None:
        """Let every page that was only listed wait for a visit; with `depth` those of sitemaps only, at that depth."""
        sources = SITEMAP_SOURCES if depth is not None else SOURCES
        self._db.execute(_QUERIES["visit_listed"], (scan, encode_sources(sources), depth))

    def retry_other_spellings(self, scan: int) -> int:
        """Let pages that failed under one spelling wait for a visit under the next."""
        rows = self._db.execute(_QUERIES["other_spellings"], (scan,)).fetchall()
        with self._transaction():
            self._db.executemany(_QUERIES["take_spelling"], [choose_next_spelling(scan, *row) for row in rows])
        return len(rows)

    def mark_duplicates(self, scan: int) -> None:
        """Find the pages that are the same as another, and keep one of each group in the list."""
        with self._transaction():
            self._db.execute(_QUERIES["forget_duplicates"], (scan,))
            groups = self._db.execute(_QUERIES["same_content"], (scan,)).fetchall()
            self._db.executemany(_QUERIES["set_duplicate"], find_duplicates(scan, groups))
            twins = self._db.execute(_QUERIES["canonicals"], (scan,)).fetchall()
            ask = self._db.cursor()
            self._db.executemany(
                _QUERIES["set_duplicate"],
                find_canonical_duplicates(
                    scan, twins, lambda *values: ask.execute(_QUERIES["twin"], values).fetchone()
                ),
            )

    def list_counts(self, scan: int) -> Mapping[str, int]:
        """How many URLs of kind `page` stand in each list."""
        return count_by_list(self._db.execute(_QUERIES["list_counts"], (scan,)))

    def status_counts(self, scan: int) -> Mapping[str, int]:
        """How many pages answered what."""
        return dict(self._db.execute(_QUERIES["statuses"], (scan,)).fetchall())

    def orphans_and_gaps(self, scan: int) -> tuple[int, int]:
        """How many pages only sitemaps name, and how many links name but no sitemap."""
        masks = (encode_sources(SITEMAP_SOURCES), encode_sources(LINK_SOURCES))
        orphans, gaps = self._db.execute(_QUERIES["orphans_and_gaps"], (scan, *masks)).fetchone()
        return orphans or 0, gaps or 0

    def listed(self, scan: int) -> int:
        """How many pages are listed."""
        return int(self._db.execute(_QUERIES["listed"], (scan,)).fetchone()[0])

    def sources(self, scan: int) -> Mapping[str, int]:
        """How many pages each source names."""
        return count_by_source(self._db.execute(_QUERIES["source_counts"], (scan,)))

    def end(self, scan: int, state: str) -> None:
        """Note how the scan ended."""
        self._db.execute(_QUERIES["end_scan"], (state, timestamp(), scan))

    def acquire_lock(self, name: str) -> bool:
        """Keep other processes from working on a scan or list; false if one of them does."""
        return self._locks.acquire(name)

    def close(self) -> None:
        """Let go of the file."""
        self._locks.release()
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it is kept, or none; what takes longer than it may is none."""
        self._db.execute("BEGIN IMMEDIATE")
        self._deadline = math.inf if self._timeout is None else time.monotonic() + self._timeout
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            is_late, self._deadline = time.monotonic() > self._deadline, math.inf
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if isinstance(error, StoreError) and is_late:
                why = f"it took longer than transaction_timeout, {self._timeout} s"
                raise StoreError(f"{self._path} could not be written: {why}") from None
            raise
        finally:
            self._deadline = math.inf

    def _rows(self, query: str, *values: object) -> sqlite3.Cursor:
        return self._db.execute(_QUERIES[query].replace("page.*", PAGE_COLUMNS), values)

    def _find_scan(self, query: str, values: tuple[object, ...]) -> Scan | None:
        row = self._db.execute(_QUERIES[query], values).fetchone()
        return None if row is None else parse_scan_row(row)
