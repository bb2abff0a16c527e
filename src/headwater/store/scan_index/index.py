"""The read-optimized copy of a scan: a file beside the store that answers any filter and sort order at once.

A store is optimized for writing; an index for every column that users sort by would slow every crawl. So the file has
one narrow row for each URL, in the order of their keys. It can be built again at any time, and never changes once it
has its name.
"""

from __future__ import annotations

import json
import sqlite3
import time
from bisect import bisect_left
from collections import Counter
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.classify import encode_sources, rank_clusters
from headwater.errors import StoreError
from headwater.store.scan_index.filters import FACETS, SOURCES, Filter, build_conditions, matches_filter
from headwater.store.scan_index.trigrams import MAX_EXACT_ROWS, MAX_INDEX_MATCHES, SAMPLE_SQL, TrigramSearch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SORTS: Mapping[str, str] = {
    "url": "rank",
    "title": "place",
    "status": "status",
    "depth": "depth",
    "priority": "priority",
    "lastmod": "lastmod",
}
"""Sort orders of lists, and their columns."""

_CACHE_SIZE = 64
_PROGRESS_STEPS = 200_000
"""Steps of SQLite's virtual machine between two checks of the clock, some milliseconds."""

RARE_SOURCE_RATIO = 20
"""A source in fewer than one of this many rows is looked up by an index instead of reading all rows."""


class ClusterSummary(NamedTuple):
    """Cluster with its number and the number of its listed pages."""

    number: int
    name: str
    kind: str
    title: str
    pages: int


class IndexRow(NamedTuple):
    """Rank in the order of keys, and the page with this rank."""

    rank: int
    page: int


class Folder(NamedTuple):
    """Part of the site: everything under a path. `own` counts the pages that are in no folder below it."""

    number: int
    parent: int | None
    depth: int
    name: str
    path: str
    first: int
    pages: int
    own: int


class RowPage(NamedTuple):
    """Some rows, and the cursor of the next ones; None at the end."""

    rows: list[IndexRow]
    cursor: tuple[Any, int] | None


class ScanIndex:
    """Reads the index of one scan; each thread opens its own."""

    def __init__(
        self, path: str, max_index_matches: int = MAX_INDEX_MATCHES, max_exact_rows: int = MAX_EXACT_ROWS
    ) -> None:
        try:
            self._db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            self.metadata: Mapping[str, Any] = {
                name: json.loads(value) for name, value in self._db.execute("SELECT name, value FROM about")
            }
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path} cannot be read: {error}") from None
        self._listed, self._rows = int(self.metadata["listed"]), int(self.metadata["rows"])
        self._words = TrigramSearch(self._db, int(self.metadata["rows"]), max_index_matches, max_exact_rows)
        self._cube = lru_cache(_CACHE_SIZE)(self._read_cube)

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Raise TimeoutError if queries in the block take longer than this."""
        end = time.monotonic() + seconds
        self._db.set_progress_handler(lambda: time.monotonic() > end, _PROGRESS_STEPS)
        try:
            yield
        except sqlite3.OperationalError as error:
            if "interrupted" in str(error):
                raise TimeoutError from None
            raise
        finally:
            self._db.set_progress_handler(None, 0)

    def slice(
        self,
        wanted: Filter,
        sort: str = "url",
        *,
        descending: bool = False,
        after: tuple[Any, int] | None = None,
        limit: int = 100,
    ) -> RowPage:
        """Return the rows after a cursor, in this order."""
        column = f"entry.{SORTS[sort]}" if sort != "title" else SORTS[sort]
        trigrams = self._words.build_match(wanted.text, is_sorted_by_key=sort == "url")
        conditions, values = self._build_conditions(wanted, trigrams)
        column = "grams.rowid" if trigrams and sort == "url" else column
        compare, direction = ("<", "DESC") if descending else (">", "ASC")
        order = [column] if sort == "url" else [column, "entry.rank"]
        if after is not None:
            conditions.append(f"({', '.join(order)}) {compare} ({', '.join('?' * len(order))})")
            values += after[-len(order) :]
        if sort != "url":  # the sort order decides which index is read, not the range of ranks
            conditions = [condition.replace("entry.rank <=", "+entry.rank <=") for condition in conditions]
        table = _build_tables(wanted, sort, uses_trigrams=bool(trigrams))
        if sort == "title":
            conditions.append("by_title.rank = entry.rank")
        ordered = ", ".join(f"{name} {direction}" for name in order)
        query = f"SELECT {column}, entry.rank, page FROM {table} {_build_where(conditions)} ORDER BY {ordered} LIMIT ?"  # noqa: S608
        rows = self._db.execute(query, [*values, limit + 1]).fetchall()
        more = rows[limit - 1][:2] if len(rows) > limit else None
        return RowPage([IndexRow(rank, page) for _, rank, page in rows[:limit]], more)

    def walk(
        self, wanted: Filter, sort: str = "url", *, descending: bool = False, step: int = 1000
    ) -> Iterator[list[int]]:
        """Yield the numbers of all matching pages in batches."""
        after: tuple[Any, int] | None = None
        while True:
            part = self.slice(wanted, sort, descending=descending, after=after, limit=step)
            yield [row.page for row in part.rows]
            after = part.cursor
            if after is None:
                return

    def count(self, wanted: Filter) -> int:
        """Return the number of matching rows."""
        if wanted == Filter():
            return self._listed
        cluster = self._count_members(wanted.cluster) if wanted.cluster else None
        if cluster is not None and wanted == Filter(cluster=wanted.cluster):
            return cluster
        return sum(row[-1] for row in self._filter_cube(wanted, ""))

    def is_estimated(self, wanted: Filter) -> bool:
        """Return True if counts are estimated from a sample."""
        return self._words.get_sample_step(wanted.text) > 1

    def facets(self, wanted: Filter) -> dict[str, list[tuple[Any, int]]]:
        """Return for each facet the counts of its values, filtered by all other facets."""
        return {name: self._count_facet(wanted, name) for name in FACETS}

    def folders(self, parent: int | None, after: int = 0, limit: int = 200) -> list[Folder]:
        """Return the folders in a folder, or the hosts; folders are numbered in the order of their paths."""
        query = "SELECT * FROM folder WHERE parent IS ? AND number > ? ORDER BY number LIMIT ?"
        return [Folder(*row) for row in self._db.execute(query, (parent, after, limit))]

    def folder(self, path: str) -> Folder | None:
        """Return the folder with this path."""
        row = self._db.execute("SELECT * FROM folder WHERE path = ?", (path,)).fetchone()
        return None if row is None else Folder(*row)

    def pages_in(self, folder: Folder, after: int = 0, limit: int = 200) -> list[tuple[int, int, str]]:
        """Return rank, page and key of the pages of a folder that are in no folder below it."""
        query = (
            "SELECT entry.rank, page, key FROM entry JOIN words USING (rank)"
            " WHERE entry.rank > ? AND entry.rank < ? AND folder = ? ORDER BY entry.rank LIMIT ?"
        )
        place = (max(after, folder.first - 1), folder.first + folder.pages, folder.number, limit)
        return self._db.execute(query, place).fetchall()

    def find_page(self, key: str) -> int | None:
        """Return the listed page with this key."""
        rank = bisect_left(range(self._listed), key, key=lambda place: self._get_key(place + 1)) + 1
        if rank > self._listed or self._get_key(rank) != key:
            return None
        return int(self._db.execute("SELECT page FROM entry WHERE rank = ?", (rank,)).fetchone()[0])

    def sections(self, limit: int) -> list[Folder]:
        """Return the largest folders; the parent of each of them is among them."""
        query = "SELECT * FROM folder ORDER BY pages DESC, depth, number LIMIT ?"
        return [Folder(*row) for row in self._db.execute(query, (limit,))]

    def clusters(self) -> Sequence[ClusterSummary]:
        """Return all clusters, the most informative first."""
        return self._ranked_clusters

    def children(self, identity: int, limit: int) -> list[int]:
        """Return the pages that were first found on this one."""
        query = "SELECT page FROM entry WHERE parent = ? ORDER BY rank LIMIT ?"
        return [page for (page,) in self._db.execute(query, (identity, limit))]

    def top_pages(self, limit: int) -> list[int]:
        """Return the listed pages with the highest priority."""
        query = "SELECT page FROM entry WHERE rank <= ? ORDER BY priority DESC, depth, rank LIMIT ?"
        return [page for (page,) in self._db.execute(query, (self._listed, limit))]

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _count_facet(self, wanted: Filter, name: str) -> list[tuple[Any, int]]:
        counts: dict[Any, int] = {}
        get_values = FACETS[name].get_values
        for row in self._filter_cube(wanted, name):
            for value in get_values(row):
                counts[value] = counts.get(value, 0) + row[-1]
        return sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))

    def _filter_cube(self, wanted: Filter, except_for: str) -> list[tuple[Any, ...]]:
        """Return the rows of the cube that match all facets except one.

        Conditions that are not facets select the cube itself.
        """
        outside = Filter(
            kind="all", cluster=wanted.cluster, text=wanted.text, under=wanted.under, extracted=wanted.extracted
        )
        rows = self._full_cube if outside == Filter(kind="all") else self._cube(outside)
        return [row for row in rows if matches_filter(row, wanted, except_for)]

    @cached_property
    def _ranked_clusters(self) -> list[ClusterSummary]:
        rows = self._db.execute("SELECT number, name, kind, title, pages FROM cluster")
        return rank_clusters(ClusterSummary(*row) for row in rows)

    @cached_property
    def _full_cube(self) -> list[tuple[Any, ...]]:
        return self._db.execute("SELECT * FROM cube").fetchall()

    def _read_cube(self, outside: Filter) -> list[tuple[Any, ...]]:
        trigrams, step = self._words.build_match(outside.text), self._words.get_sample_step(outside.text)
        conditions, values = self._build_conditions(outside, trigrams)
        table, sample = _build_tables(outside, uses_trigrams=bool(trigrams)), ""
        if step > 1:
            sample = SAMPLE_SQL.format(step=step, rows=self.metadata["rows"])
            table = f"sample CROSS JOIN {table.replace('member CROSS JOIN entry', 'entry CROSS JOIN member')}"
            conditions.append("entry.rank = sample.rank")
        columns = "kind, state, status, depth, language, region, sources, reason, entry.words, near_duplicate"
        query = f"{sample} SELECT {columns}, count(*) FROM {table} {_build_where(conditions)} GROUP BY {columns}"  # noqa: S608
        return [(*row[:-1], row[-1] * step) for row in self._db.execute(query, values)]

    def _build_conditions(self, wanted: Filter, trigrams: str = "") -> tuple[list[str], list[Any]]:
        masks = self._find_rare_masks(wanted.source) if wanted.source else ()
        conditions, values = build_conditions(wanted._replace(source="") if masks else wanted, self._listed)
        if masks:
            conditions.append(f"entry.sources IN ({', '.join('?' * len(masks))})")
            values += masks
        if trigrams:
            conditions.append("entry.rank = grams.rowid AND grams MATCH ?")
            values.append(trigrams)
        if wanted.cluster:
            conditions.append("entry.rank = member.rank AND member.cluster = ?")
            values.append(wanted.cluster)
        if wanted.under:
            ranges = [self._find_key_range(wanted.under, 0, self._listed)]
            if wanted.kind != "page" or wanted.effective_list != "pages":
                ranges.append(self._find_key_range(wanted.under, self._listed, self._rows))
            conditions.append(f"({' OR '.join(['entry.rank BETWEEN ? AND ?'] * len(ranges))})")
            values += [place for one in ranges for place in one]
        return conditions, values

    def _find_rare_masks(self, source: str) -> tuple[int, ...]:
        """Return the sets of sources that contain this one, if they are so rare that an index lookup is faster."""
        bit = encode_sources((source,))
        counts: Counter[int] = Counter()
        for row in self._full_cube:
            counts[row[SOURCES]] += row[-1]
        found = [mask for mask in counts if mask & bit]
        return tuple(found) if sum(counts[mask] for mask in found) * RARE_SOURCE_RATIO < self._listed else ()

    def _find_key_range(self, prefix: str, start: int, end: int) -> tuple[int, int]:
        """Return the ranks of the keys with this prefix, among those from `start` to `end`, which are in order."""
        places = range(end)
        first = bisect_left(places, prefix, lo=start, key=lambda place: self._get_key(place + 1))
        last = bisect_left(places, prefix + "\U0010ffff", lo=first, key=lambda place: self._get_key(place + 1))
        return first + 1, last

    def _get_key(self, rank: int) -> str:
        return str(self._db.execute("SELECT key FROM words WHERE rank = ?", (rank,)).fetchone()[0])

    def _count_members(self, cluster: int) -> int:
        row = self._db.execute("SELECT pages FROM cluster WHERE number = ?", (cluster,)).fetchone()
        return int(row[0]) if row else 0


def _build_tables(wanted: Filter, sort: str = "", *, uses_trigrams: bool = False) -> str:
    """Return the joined tables in the order they are read: first the one that gives the order, or few rows."""
    tables = ["by_title", "entry", "member"] if sort == "title" else ["member", "entry"]
    if uses_trigrams:
        tables = ["grams", "entry", *(["by_title"] if sort == "title" else []), "member"]
    if not wanted.cluster:
        tables.remove("member")
    return " CROSS JOIN ".join([*tables, "words"] if wanted.text else tables)


def _build_where(conditions: Sequence[str]) -> str:
    return f"WHERE {' AND '.join(conditions)}" if conditions else ""
