"""Lists of sites in a SQLite file."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING

from headwater.store.queries import load_queries
from headwater.store.rows import build_site_key, timestamp
from headwater.store.site_list_store import SiteBuffer, SiteList, StateCount, parse_site_row, strip_www
from headwater.store.sqlite.connection import transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from headwater.store.site_list_store import SiteListEntry

_QUERIES = load_queries("sqlite", "lists.sql")
_STORE_QUERIES = load_queries("sqlite")
_BATCH_SIZE = 500


class SqliteSiteListStore:
    """The lists of a store; shares its connection."""

    def __init__(self, db: sqlite3.Connection, path: str) -> None:
        self._db, self._path = db, path

    def add(self, sites: Iterable[tuple[str, str]], settings: Mapping[str, object]) -> int | None:
        """A new list, unless it is empty."""
        with closing(SiteBuffer(sites)) as gathered:
            if not gathered:
                return None
            with transaction(self._db, self._path):
                number = int(self._db.execute(_QUERIES["add_list"], (json.dumps(settings), timestamp())).lastrowid or 0)
                self._db.executemany(_QUERIES["add_site"], ((number, *site) for site in gathered))
        return number

    def next(self, number: int, busy: Iterable[str], now: float) -> SiteListEntry | None:
        """The site that waits longest, of those that may be asked now and are no other spelling of a busy one."""
        row = self._db.execute(_QUERIES["next_site"], (number, now, json.dumps([*map(strip_www, busy)]))).fetchone()
        return None if row is None else parse_site_row(row)

    def next_due(self, number: int) -> float | None:
        """When the next of those that wait may be asked; None if none waits."""
        due = self._db.execute(_QUERIES["next_due"], (number,)).fetchone()[0]
        return None if due is None else float(due)

    def has_waiting_site(self, number: int, now: float) -> bool:
        """Whether a site could begin."""
        return self._db.execute(_QUERIES["is_any_waiting"], (number, now)).fetchone() is not None

    def begin(self, site: SiteListEntry, settings: Mapping[str, object]) -> int:
        """A new scan of a site of a list, or the one that was begun before."""
        with transaction(self._db, self._path):
            scan = site.scan
            if scan is None:
                seeds, host = build_site_key(site.seeds)
                self._db.execute(_STORE_QUERIES["add_site"], (seeds, host, timestamp()))
                row = (json.dumps(list(site.seeds)), json.dumps(settings), timestamp(), seeds)
                scan = int(self._db.execute(_STORE_QUERIES["add_scan"], row).lastrowid or 0)
            self._db.execute(_QUERIES["begin_site"], (scan, site.number))
        return scan

    def requeue_site(self, site: int, due: float) -> None:
        """Its slice is over; the others have their turn first."""
        self._write("hand_back", (due, site))

    def end(self, site: int, state: str, pages: int, missing: int, reason: str) -> None:
        """Note how a site ended: how many pages it has, how many could not be had."""
        self._write("end_site", (state, pages, missing, reason, site))

    def sites(self, number: int) -> Iterator[SiteListEntry]:
        """Every site in the order it was named; read in parts, for others write."""
        place = 0
        while rows := self._db.execute(_QUERIES["sites"], (number, place, _BATCH_SIZE)).fetchall():
            place = rows[-1][0]
            yield from map(parse_site_row, rows)

    def counts(self, number: int) -> dict[str, StateCount]:
        """How many sites are in which state."""
        return {state: StateCount(*rest) for state, *rest in self._db.execute(_QUERIES["counts"], (number,))}

    def last(self, *, unfinished: bool = False) -> SiteList | None:
        """The newest list, or the newest of which something is left."""
        for number, settings, *rest in self._db.execute(_QUERIES["lists"]).fetchall():
            if not unfinished or self._count_unfinished(number)[1]:
                return SiteList(number, json.loads(settings), *rest)
        return None

    def find_list(self, scan: int) -> int | None:
        """The list that a scan belongs to."""
        row = self._db.execute(_QUERIES["list_of_scan"], (scan,)).fetchone()
        return None if row is None else int(row[0])

    def find_scan(self, number: int, host: str) -> int | None:
        """The scan of a host, or of its name without `www.`, in a list."""
        row = self._db.execute(_QUERIES["scan_of_host"], (number, host, strip_www(host))).fetchone()
        return None if row is None else int(row[0])

    def requeue_unfinished(self, number: int) -> int:
        """Let wait what was cut off; if nothing was, what a limit or an unreachable site left. Gives their number."""
        cut_off, incomplete = self._count_unfinished(number)
        self._write("wait_cut_off" if cut_off else "wait_incomplete", (number,))
        return cut_off or incomplete

    def _count_unfinished(self, number: int) -> tuple[int, int]:
        cut_off, incomplete = self._db.execute(_QUERIES["left_over"], (number,)).fetchone()
        return cut_off or 0, incomplete or 0

    def _write(self, query: str, row: Sequence[object]) -> None:
        with transaction(self._db, self._path):
            self._db.execute(_QUERIES[query], row)
