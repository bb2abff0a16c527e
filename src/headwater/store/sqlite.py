"""A store in one SQLite file: write-ahead log, one transaction a batch, one writer."""

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from headwater.classify import mask_of, names_of
from headwater.errors import StoreError
from headwater.model import NO_DEPTH, Candidate, Child, Evidence, Page
from headwater.store.dives import SqliteDives
from headwater.store.queries import load_migrations, load_queries
from headwater.store.store import ClusterCount, Counts, Event, Scan, Told, Visited

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from headwater.model import Extra, Found
    from headwater.store.store import Classified, Settled

STATES = ("waiting", "fetched", "failed", "deferred", "skipped", "discovered")
"""As numbers in the table. `waiting` and `discovered` are both listed as discovered; only the first will be visited."""

APPLICATION = 0x48445754  # "HDWT", so that a stranger's file is not taken for ours
_QUERIES = load_queries()
_PAGE_COLUMNS = ", ".join(
    f"page.{name}"
    for name in (
        "url kind key fetch_url sources source region title text depth hops state status content_type lastmod language"
        " hreflang priority importance first_seen last_seen reason changefreq skip_scrape element attribute change"
        " inlinks sitemap_priority"
    ).split()
)
"""What stands for `page.*` in the queries, as `_page` reads it; names looked up in every row cost 30 µs a page."""
LISTING_SOURCES = ("sitemap", "sitemap-index")
LINKING_SOURCES = ("seed", "navigation", "footer", "content-link", "header", "redirect")


class SqliteStore:
    """Keeps scans in a file that survives the process at any moment."""

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._open()
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path} cannot be used as a store: {error}") from None

    def begin(self, seeds: Sequence[str], settings: Mapping[str, object]) -> Scan:
        """A new scan."""
        cursor = self._db.execute(_QUERIES["add_scan"], (json.dumps(list(seeds)), json.dumps(settings), _now()))
        scan = self.scan(int(cursor.lastrowid or 0))
        assert scan is not None
        return scan

    def last(self, *, unfinished: bool = False) -> Scan | None:
        """The newest scan, or the newest that is not finished."""
        return self._one_scan("last_unfinished_scan" if unfinished else "last_scan", ())

    def scan(self, number: int) -> Scan | None:
        """A scan by its number."""
        return self._one_scan("scan_by_number", (number,))

    def settle(self, scan: int, batch: Sequence[Settled], found: Sequence[Found], skipped: Mapping[str, int]) -> None:
        """One transaction: after a crash all of it is there, or none."""
        now = _now()
        everything = [*found, *(one for settled in batch for one in settled.found)]
        links = [
            (scan, settled.candidate.identity, target, element)
            for settled in batch
            for target, element in settled.edges
        ]
        with self._transaction():
            self._db.executemany(
                _QUERIES["add_found"], [_row(scan, one, now) for one in everything if one.extra is None]
            )
            self._db.executemany(
                _QUERIES["add_listed"], [_row(scan, one, now) for one in everything if one.extra is not None]
            )
            self._db.executemany(_QUERIES["settle_page"], [_result(scan, settled, now) for settled in batch])
            self._db.executemany(_QUERIES["add_link"], links)
            self._db.executemany(_QUERIES["add_skipped"], [(scan, reason, count) for reason, count in skipped.items()])

    def waiting(self, scan: int, limit: int, depth: int, after: int = 0) -> list[tuple[int, Candidate]]:
        """Candidates of one depth in the order they were found."""
        rows = self._db.execute(_QUERIES["waiting"], (scan, depth, after, limit))
        return [
            (place, Candidate(identity, key, url, fetch_url or url, at, hops, bool(suspect), redirects))
            for place, identity, key, url, fetch_url, at, hops, suspect, redirects in rows
        ]

    def next_depth(self, scan: int) -> int | None:
        """The smallest depth at which anything waits."""
        depth = self._db.execute(_QUERIES["next_depth"], (scan,)).fetchone()[0]
        return None if depth is None else int(depth)

    def retry_deferred(self, scan: int) -> None:
        """Let what was deferred wait again."""
        self._db.execute(_QUERIES["retry_deferred"], (scan,))

    def moved_seeds(self, scan: int) -> list[str]:
        """Where the seeds redirected to."""
        return [url for (url,) in self._db.execute(_QUERIES["moved_seeds"], (scan,))]

    def unknown(self, scan: int, identities: Sequence[int]) -> set[int]:
        """Those that the store has never seen."""
        query = _QUERIES["known_identity"]
        return {one for one in identities if self._db.execute(query, (scan, one)).fetchone() is None}

    def counts(self, scan: int) -> Counts:
        """How far the scan has come."""
        by_state = {STATES[state]: count for state, count in self._db.execute(_QUERIES["state_counts"], (scan,))}
        skipped = dict(self._db.execute(_QUERIES["skipped_counts"], (scan,)))
        known = sum(by_state.values())
        waiting, fetched, failed, deferred = (by_state.get(name, 0) for name in STATES[:4])
        return Counts(known, waiting, fetched, failed, deferred, skipped)

    def pages(self, scan: int, limit: int | None = None) -> Iterator[Page]:
        """Every URL of the scan by key, or the pages that matter most."""
        rows = self._rows("pages", scan) if limit is None else self._rows("best_pages", scan, limit)
        for row in rows:
            yield _page(row)

    def page(self, scan: int, identity: int) -> Page | None:
        """One URL of the scan."""
        row = self._rows("page_by_identity", scan, identity).fetchone()
        return None if row is None else _page(row)

    def edges(self, scan: int) -> Iterator[tuple[str, str, str]]:
        """Every link that was kept."""
        yield from self._db.execute(_QUERIES["links"], (scan,))

    def previous(self, scan: int) -> int | None:
        """The newest scan of the same seeds before this one."""
        row = self._db.execute(_QUERIES["previous_scan"], (scan,)).fetchone()
        if row is None:
            return None
        self._db.execute(_QUERIES["index_parents"])  # only those who scan again pay for it
        return int(row[0])

    def distrust_sitemaps(self, scan: int, previous: int) -> None:
        """Mark sitemaps whose `lastmod` says changed where most pages are as they were."""
        self._db.execute(_QUERIES["distrust_sitemaps"], (previous, scan))

    def visited(self, scan: int, identity: int) -> Visited | None:
        """What a scan knows of a page it visited."""
        row = self._db.execute(_QUERIES["visited"], (scan, identity)).fetchone()
        return None if row is None else Visited(*row)

    def children(self, scan: int, identity: int) -> list[Child]:
        """Where a page of a scan led to."""
        return [Child(*row) for row in self._db.execute(_QUERIES["children"], (scan, identity))]

    def unreached(self, scan: int, previous: int) -> Iterator[Page]:
        """Pages that the earlier scan visited and this one has not heard of."""
        for row in self._rows("unreached", previous, scan).fetchall():
            yield _page(row)

    def changes(self, old: int, new: int) -> Iterator[Page]:
        """What differs between two scans."""
        for query in ("pages_new", "pages_changed", "pages_gone"):
            for row in self._rows(query, old, new):
                yield _page(row)._replace(change=query.removeprefix("pages_"))

    @property
    def path(self) -> str:
        """The file it is kept in."""
        return "" if self._path == ":memory:" else self._path

    @property
    def dives(self) -> SqliteDives:
        """The dives of this store."""
        return SqliteDives(self._db, self._path)

    def count_death(self, scan: int, identity: int, limit: int) -> None:
        """A process died over this page; at the limit it is no longer visited."""
        self._db.execute(_QUERIES["count_death"], (limit, scan, identity))

    def add_evidence(self, scan: int, evidence: Evidence) -> int:
        """Keep a piece of evidence."""
        content = json.dumps(evidence.content, default=list)
        now = _now()
        row = (
            scan, evidence.kind, evidence.url, evidence.parent, evidence.success, evidence.status, evidence.error,
            content, evidence.started or now, evidence.finished or now,
        )  # fmt: skip
        return int(self._db.execute(_QUERIES["add_evidence"], row).lastrowid or 0)

    def amend_evidence(self, number: int, content: Mapping[str, object]) -> None:
        """Replace the content of a piece of evidence."""
        self._db.execute(_QUERIES["amend_evidence"], (json.dumps(content, default=list), _now(), number))

    def evidence(self, scan: int, kind: str = "") -> list[Evidence]:
        """The evidence of a scan."""
        rows = self._db.execute(_QUERIES["evidence"], (scan, kind))
        return [
            Evidence(name, url, bool(success), status, error, json.loads(content), started, finished, parent, number)
            for name, url, success, status, error, content, started, finished, parent, number in rows
        ]

    def add_event(self, scan: int, kind: str, data: Mapping[str, object]) -> None:
        """Note something for those who watch."""
        self._db.execute(_QUERIES["add_event"], (scan, _now(), kind, json.dumps(data, default=list)))

    def events(self, scan: int, after: int = 0, limit: int = 1000) -> list[Event]:
        """What was noted behind a number."""
        rows = self._db.execute(_QUERIES["events"], (scan, after, limit))
        return [Event(number, at, kind, json.loads(data)) for number, at, kind, data in rows]

    def told(self, scan: int) -> Iterator[Told]:
        """Every listed page as classification sees it."""
        for identity, url, title, language, hreflang, mask, importance, depth, *rest in self._db.execute(
            _QUERIES["told"], (scan,)
        ):
            clicks = depth if depth < NO_DEPTH else None
            yield Told(identity, url, title, language, hreflang, names_of(mask), importance, clicks, *rest)

    def forget_clusters(self, scan: int) -> None:
        """Let no page be in a cluster."""
        self._db.execute(_QUERIES["forget_clusters"], (scan,))

    def classify(self, scan: int, rows: Sequence[Classified]) -> None:
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
        """The clusters of a scan, the largest first."""
        return [ClusterCount(*row) for row in self._db.execute(_QUERIES["clusters"], (scan,))]

    def visit_listed(self, scan: int) -> None:
        """Let every page that a sitemap lists wait for a visit."""
        self._db.execute(_QUERIES["visit_listed"], (scan, mask_of(LISTING_SOURCES)))

    def statuses(self, scan: int) -> Mapping[str, int]:
        """How many pages answered what."""
        return dict(self._db.execute(_QUERIES["statuses"], (scan,)).fetchall())

    def orphans_and_gaps(self, scan: int) -> tuple[int, int]:
        """How many pages only sitemaps name, and how many links name but no sitemap."""
        masks = (mask_of(LISTING_SOURCES), mask_of(LINKING_SOURCES))
        orphans, gaps = self._db.execute(_QUERIES["orphans_and_gaps"], (scan, *masks)).fetchone()
        return orphans or 0, gaps or 0

    def listed(self, scan: int) -> int:
        """How many pages are listed."""
        return int(self._db.execute(_QUERIES["listed"], (scan,)).fetchone()[0])

    def sources(self, scan: int) -> Mapping[str, int]:
        """How many pages each source names."""
        counts: dict[str, int] = {}
        for mask, count in self._db.execute(_QUERIES["source_counts"], (scan,)):
            for name in names_of(mask):
                counts[name] = counts.get(name, 0) + count
        return dict(sorted(counts.items(), key=lambda item: -item[1]))

    def end(self, scan: int, state: str) -> None:
        """Note how the scan ended."""
        self._db.execute(_QUERIES["end_scan"], (state, _now(), scan))

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _open(self) -> None:
        version, application = self._pragma("user_version"), self._pragma("application_id")
        newest = max(load_migrations())
        if application not in {0, APPLICATION} or (application == 0 and self._pragma("schema_version")):
            raise StoreError(f"{self._path} is a database of another program")
        if version > newest:
            raise StoreError(f"{self._path} was made by a newer Headwater (version {version}, this one knows {newest})")
        for setting in (
            "journal_mode = WAL",
            "synchronous = NORMAL",
            "wal_autocheckpoint = 16000",
            "busy_timeout = 10000",
        ):
            self._db.execute(f"PRAGMA {setting}")
        for number, script in load_migrations().items():
            if number > version:
                self._db.executescript(
                    f"BEGIN; {script}; PRAGMA user_version = {number}; PRAGMA application_id = {APPLICATION}; COMMIT;"
                )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it is kept, or none."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise StoreError(f"{self._path} could not be written: {error}") from None
            raise

    def _rows(self, query: str, *values: object) -> sqlite3.Cursor:
        return self._db.execute(_QUERIES[query].replace("page.*", _PAGE_COLUMNS), values)

    def _pragma(self, name: str) -> int:
        return int(self._db.execute(f"PRAGMA {name}").fetchone()[0])

    def _one_scan(self, query: str, values: tuple[object, ...]) -> Scan | None:
        row = self._db.execute(_QUERIES[query], values).fetchone()
        return None if row is None else Scan(row[0], tuple(json.loads(row[1])), json.loads(row[2]), *row[3:])


def _row(scan: int, one: Found, now: str) -> tuple[object, ...]:
    fetch_url = None if one.fetch_url == one.url else one.fetch_url
    return (
        scan, one.identity, one.key, one.url, fetch_url, one.kind, one.depth, one.hops, one.redirects, one.is_suspect,
        one.parent, one.source, one.region, one.text, one.reason, initial_state(one), now, one.element, one.attribute,
        mask_of((one.source,)), *_extra(one.extra),
    )  # fmt: skip


def _extra(extra: Extra | None) -> tuple[object, ...]:
    if extra is None:
        return (None,) * 6
    return (
        extra.evidence, extra.importance, extra.lastmod or None, extra.changefreq or None, extra.priority,
        extra.hreflang or None,
    )  # fmt: skip


def initial_state(one: Found) -> int:
    """Pages that nothing refused wait; what is refused for a trap is skipped; the rest is listed only."""
    if one.reason and one.kind == "page":
        return STATES.index("deferred" if one.reason == "robots-unreachable" else "skipped")
    waits = one.is_visited and not one.reason and (one.kind == "page" or one.hops)
    return 0 if waits else STATES.index("discovered")


def _result(scan: int, settled: Settled, now: str) -> tuple[object, ...]:
    return (
        STATES.index(settled.state), settled.status, settled.reason, settled.title, settled.language,
        settled.content_type, settled.canonical, settled.etag, settled.last_modified, now, settled.content_hash, scan,
        settled.candidate.identity,
    )  # fmt: skip


def _page(row: tuple[Any, ...]) -> Page:
    """A row of `_PAGE_COLUMNS`, and the page it was found on, the file that lists it, its clusters."""
    (
        url, kind, key, fetch_url, mask, source, region, title, text, depth, hops, state, status, content_type, lastmod,
        language, hreflang, rank, importance, first_seen, last_seen, reason, changefreq, skips, element, attribute,
        change, inlinks, sitemap_priority, found_on, listed_in, clusters,
    ) = row  # fmt: skip
    name: Any = STATES[state]
    return Page(
        url,
        kind,
        key,
        fetch_url or url,
        names_of(mask) or ((source,) if source else ()),
        found_on or listed_in,
        region,
        title or text or None,
        depth if depth < NO_DEPTH else None,
        hops,
        "discovered" if name == "waiting" else name,
        status,
        content_type or None,
        lastmod,
        language or hreflang or None,
        tuple(clusters.split("\x1f")) if clusters else None,
        rank,
        importance,
        name == "fetched",
        first_seen,
        last_seen,
        reason or None,
        text or None,
        changefreq,
        bool(skips),
        element or None,
        attribute or None,
        change,
        inlinks,
        sitemap_priority,
        hreflang,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
