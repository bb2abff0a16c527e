"""Build the index of a scan in one pass over its URLs, in the order of their keys."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import time
from array import array
from bisect import bisect, bisect_left
from collections import Counter
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from headwater.store.page_lists import is_listed
from headwater.store.scan_index.text_facts import get_word_range, list_extracted_rows
from headwater.store.scan_index.trigrams import CREATE_TABLE_SQL, FILL_STATEMENTS
from headwater.store.sqlite.file import create_private_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from headwater.store.browse_store import BrowseStore
    from headwater.store.records.browse_records import ClusterRecord, PageSummary

Row = TypeVar("Row")

VERSION = 5
_BATCH_SIZE = 5000
_MAX_SPARSENESS = 16
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE entry (rank INTEGER PRIMARY KEY, page INTEGER NOT NULL, folder INTEGER, kind TEXT NOT NULL,
                    state INTEGER NOT NULL, status INTEGER NOT NULL, depth INTEGER NOT NULL,
                    language TEXT NOT NULL, region TEXT NOT NULL,
                    sources INTEGER NOT NULL, priority REAL NOT NULL, lastmod TEXT NOT NULL, reason TEXT NOT NULL,
                    parent INTEGER NOT NULL, words TEXT NOT NULL, near_duplicate TEXT NOT NULL);
CREATE TABLE extracted (name TEXT, rank INTEGER, value TEXT NOT NULL, PRIMARY KEY (name, rank)) WITHOUT ROWID;
CREATE TABLE words (rank INTEGER PRIMARY KEY, key TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE folder (number INTEGER PRIMARY KEY, parent INTEGER, depth INTEGER NOT NULL, name TEXT NOT NULL,
                     path TEXT NOT NULL, first INTEGER NOT NULL, pages INTEGER NOT NULL, own INTEGER NOT NULL);
CREATE TABLE cube (kind TEXT, state INTEGER, status INTEGER, depth INTEGER, language TEXT, region TEXT, sources INTEGER,
                   reason TEXT, words TEXT, near_duplicate TEXT, pages INTEGER);
CREATE TABLE member (cluster INTEGER, rank INTEGER, PRIMARY KEY (cluster, rank)) WITHOUT ROWID;
CREATE TABLE cluster (number INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL,
                      pages INTEGER NOT NULL);
CREATE TABLE by_title (place INTEGER PRIMARY KEY, rank INTEGER NOT NULL);
"""
_INDEXES = """
INSERT INTO by_title (rank) SELECT rank FROM words ORDER BY title = '', title;
CREATE INDEX title_of ON by_title (rank);
CREATE INDEX by_status ON entry (status);
CREATE INDEX by_depth ON entry (depth);
CREATE INDEX by_priority ON entry (priority);
CREATE INDEX by_lastmod ON entry (lastmod);
CREATE INDEX by_sources ON entry (sources);
CREATE INDEX by_parent ON entry (parent);
CREATE INDEX folder_in ON folder (parent, number);
CREATE INDEX folder_at ON folder (path);
"""


def get_index_path(store: str, scan: int) -> Path:
    """Return the path of a scan's index, beside the store."""
    return Path(f"{store}-index{VERSION}-{scan}")


class BuildCancelled(Exception):  # noqa: N818  (not an error)
    """The index is no longer needed."""


def build_scan_index(
    store: BrowseStore, scan: int, path: Path, stamp: str, is_wanted: Callable[[], bool] = lambda: True
) -> None:
    """Build the index; the file gets its name when it is complete. Raises `BuildCancelled` once it is not wanted."""
    started = time.monotonic()
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    create_private_file(str(draft))
    db = sqlite3.connect(draft, isolation_level=None)
    try:
        db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;" + _TABLES)
        db.execute("BEGIN")
        pages, folders = array("q"), _FolderCounter()
        cube: Counter[tuple[Any, ...]] = Counter()
        listed = _add_rows(db, iter(_stop_when_unwanted(is_wanted, store.page_summaries(scan))), pages, folders, cube)
        db.executemany("INSERT INTO folder VALUES (?, ?, ?, ?, ?, ?, ?, ?)", folders.finish())
        db.executemany(
            "INSERT INTO cube VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [(*key, n) for key, n in cube.items()]
        )
        _add_members(
            db,
            _stop_when_unwanted(is_wanted, store.cluster_members(scan)),
            store.numbered_clusters(scan),
            pages,
            listed,
        )
        for statement in (CREATE_TABLE_SQL, *FILL_STATEMENTS, *_INDEXES.strip().split("\n")):
            db.execute(statement)
        about = {
            "listed": listed,
            "rows": len(pages),
            "stamp": stamp,
            "made": time.time(),
            "seconds": time.monotonic() - started,
        }
        db.executemany("INSERT INTO about VALUES (?, ?)", [(name, json.dumps(value)) for name, value in about.items()])
        db.execute("COMMIT")
    except BaseException:
        db.close()
        draft.unlink()
        raise
    db.close()
    _copy_mode(store.path, draft)
    draft.rename(path)


def _copy_mode(store: str, draft: Path) -> None:
    """Give the index the mode of the store's file; the index of a server's scan stays private."""
    if store:
        draft.chmod(stat.S_IMODE(Path(store).stat().st_mode))


def _stop_when_unwanted(is_wanted: Callable[[], bool], rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows while the index is wanted."""
    for number, row in enumerate(rows):
        if number % _BATCH_SIZE == 0 and not is_wanted():
            raise BuildCancelled
        yield row


def _add_rows(
    db: sqlite3.Connection,
    summaries: Iterator[PageSummary],
    pages: array[int],
    folders: _FolderCounter,
    cube: Counter[tuple[Any, ...]],
) -> int:
    rank = listed = 0
    while part := list(islice(summaries, _BATCH_SIZE)):
        rows, words, extracted = [], [], list[tuple[str, int, str]]()
        for one in part:
            rank += 1
            (
                page, key, url, title, kind, state, status, depth, language, region, sources, priority, lastmod, reason,
                parent, word_count, is_near_duplicate, values,
            ) = one  # fmt: skip
            pages.append(page)
            folder = None
            if kind == "page" and is_listed(state):
                listed = rank
                folder = folders.add(key, rank)
            text_facts = (get_word_range(word_count), "yes" if is_near_duplicate else "no")
            facts = (kind, state, status, depth, language, region, sources, reason, *text_facts)
            cube[facts] += 1
            folded = title.casefold()
            rows.append((rank, page, folder, *facts[:7], priority, lastmod, reason, parent, *text_facts))
            extracted += list_extracted_rows(rank, values) if values else ()
            words.append((rank, key, folded[:80], f"{url.partition('://')[2]} {folded}".casefold()))
        db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        db.executemany("INSERT INTO words VALUES (?, ?, ?, ?)", words)
        db.executemany("INSERT INTO extracted VALUES (?, ?, ?)", extracted)
    return listed


def _add_members(
    db: sqlite3.Connection,
    members: Iterable[tuple[int, int]],
    clusters: Iterable[ClusterRecord],
    pages: array[int],
    listed: int,
) -> None:
    """Add the members of clusters by rank, so that a cluster is read in the order of keys."""
    rank_of = _build_rank_lookup(pages)
    named = {cluster.number: cluster for cluster in clusters}
    for number, group in groupby(members, itemgetter(0)):
        known = (rank_of(page) for _, page in group)
        places = sorted(rank for rank in known if rank)  # 0: a page that was added after the summaries were read
        db.executemany("INSERT INTO member VALUES (?, ?)", [(number, rank) for rank in places])
        db.execute("INSERT INTO cluster VALUES (?, ?, ?, ?, ?)", (*named[number], bisect(places, listed)))


def _build_rank_lookup(pages: array[int]) -> Callable[[int], int]:
    """Return a function from a page to its rank, 0 for unknown pages.

    The numbers of a scan's pages are close together, unless many scans were written at once.
    """
    first, last = min(pages, default=0), max(pages, default=0)
    if last - first < _MAX_SPARSENESS * len(pages):
        ranks = array("q", bytes(8 * (last - first + 1)))
        for rank, page in enumerate(pages, 1):
            ranks[page - first] = rank
        return lambda page: ranks[page - first] if first <= page <= last else 0
    order = array("q", sorted(range(len(pages)), key=pages.__getitem__))
    numbers = array("q", (pages[place] for place in order))

    def look_up(page: int) -> int:
        at = bisect_left(numbers, page)
        return order[at] + 1 if at < len(numbers) and numbers[at] == page else 0

    return look_up


class _FolderCounter:
    """Counts the pages under every path; keys arrive in order, so a folder is complete at the first key outside it."""

    def __init__(self) -> None:
        self._open: list[list[Any]] = []  # number, parent, depth, name, path, first, pages, own
        self._done: list[list[Any]] = []
        self._last = ""
        self._count = 0

    def add(self, key: str, rank: int) -> int:
        """Count a page and return the number of its folder."""
        path = key.partition("?")[0]
        path = path[: path.rfind("/") + 1]
        if path != self._last:
            self._enter(path, rank)
            self._last = path
        innermost = self._open[-1]
        innermost[7] += 1
        return int(innermost[0])

    def finish(self) -> list[list[Any]]:
        """Complete the open folders and return all."""
        while self._open:
            self._leave()
        return self._done

    def _enter(self, path: str, rank: int) -> None:
        while self._open and not path.startswith(self._open[-1][4]):
            self._leave()
        while not self._open or self._open[-1][4] != path:
            inside = self._open[-1][4] if self._open else ""
            end = path.index("/", len(inside) or path.index("//") + 2) + 1
            parent = self._open[-1][0] if self._open else None
            name = path[len(inside) : end - 1]
            self._count += 1
            self._open.append([self._count, parent, len(self._open), name, path[:end], rank, 0, 0])

    def _leave(self) -> None:
        folder = self._open.pop()
        folder[6] += folder[7]
        if self._open:
            self._open[-1][6] += folder[6]
        self._done.append(folder)
