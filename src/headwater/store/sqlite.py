"""A store in one SQLite file: write-ahead log, one transaction a batch, one writer."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from headwater.errors import StoreError
from headwater.model import Candidate, Page
from headwater.store.queries import load_migrations, load_queries
from headwater.store.store import Counts, Scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from headwater.model import Found
    from headwater.store.store import Settled

STATES = ("waiting", "fetched", "failed", "deferred", "skipped", "discovered")
"""As numbers in the table. `waiting` and `discovered` are both listed as discovered; only the first will be visited."""

APPLICATION = 0x48445754  # "HDWT", so that a stranger's file is not taken for ours
_QUERIES = load_queries()


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
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany(_QUERIES["add_found"], [_row(scan, one, now) for one in everything])
            self._db.executemany(_QUERIES["settle_page"], [_result(scan, settled, now) for settled in batch])
            self._db.executemany(_QUERIES["add_link"], links)
            self._db.executemany(_QUERIES["add_skipped"], [(scan, reason, count) for reason, count in skipped.items()])
            self._db.execute("COMMIT")
        except BaseException as error:
            self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise StoreError(f"{self._path} could not be written: {error}") from None
            raise

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

    def pages(self, scan: int) -> Iterator[Page]:
        """Every URL of the scan, by key."""
        for row in self._db.execute(_QUERIES["pages"], (scan,)):
            yield _page(row)

    def page(self, scan: int, identity: int) -> Page | None:
        """One URL of the scan."""
        row = self._db.execute(_QUERIES["page_by_identity"], (scan, identity)).fetchone()
        return None if row is None else _page(row)

    def edges(self, scan: int) -> Iterator[tuple[str, str, str]]:
        """Every link that was kept."""
        yield from self._db.execute(_QUERIES["links"], (scan,))

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

    def _pragma(self, name: str) -> int:
        return int(self._db.execute(f"PRAGMA {name}").fetchone()[0])

    def _one_scan(self, query: str, values: tuple[object, ...]) -> Scan | None:
        row = self._db.execute(_QUERIES[query], values).fetchone()
        return None if row is None else Scan(row[0], tuple(json.loads(row[1])), json.loads(row[2]), *row[3:])


def _row(scan: int, one: Found, now: str) -> tuple[object, ...]:
    fetch_url = None if one.fetch_url == one.url else one.fetch_url
    return (
        scan, one.identity, one.key, one.url, fetch_url, one.kind, one.depth, one.hops, one.redirects, one.is_suspect,
        one.parent, one.source, one.region, one.text, one.reason, initial_state(one), now,
    )  # fmt: skip


def initial_state(one: Found) -> int:
    """Pages that nothing refused wait; what is refused for a trap is skipped; the rest is listed only."""
    if one.reason and one.kind == "page":
        return STATES.index("skipped")
    return 0 if not one.reason and (one.kind == "page" or one.hops) else STATES.index("discovered")


def _result(scan: int, settled: Settled, now: str) -> tuple[object, ...]:
    return (
        STATES.index(settled.state), settled.status, settled.reason, settled.title, settled.language,
        settled.content_type, settled.canonical, settled.etag, settled.last_modified, now, scan,
        settled.candidate.identity,
    )  # fmt: skip


def _page(row: tuple[Any, ...]) -> Page:
    url, kind, key, fetch_url, source, parent, region, title, text, depth, hops, state, status, content_type = row[:14]
    language, first_seen, last_seen, reason = row[14:]
    name: Any = STATES[state]
    return Page(
        url=url,
        kind=kind,
        key=key,
        fetch_url=fetch_url or url,
        sources=(source,) if source else (),
        found_on=parent,
        region=region,
        title=title or text or None,
        depth=depth,
        hops=hops,
        state="discovered" if name == "waiting" else name,
        status=status,
        content_type=content_type or None,
        language=language or None,
        verified=name == "fetched",
        first_seen=first_seen,
        last_seen=last_seen,
        reason=reason or None,
        text=text or None,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
