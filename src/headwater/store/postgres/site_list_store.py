"""Lists of sites on a PostgreSQL server."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

from headwater.store.postgres.batches import escape_row, unescape_row
from headwater.store.queries import load_queries
from headwater.store.rows import build_site_key, timestamp
from headwater.store.site_list_store import SiteBuffer, SiteList, StateCount, parse_site_row, strip_www

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from psycopg import Connection

    from headwater.store.postgres.connection import ServerConnection
    from headwater.store.site_list_store import SiteListEntry

_QUERIES = load_queries("postgres", "lists.sql")
_STORE_QUERIES = load_queries("postgres")
_BATCH_SIZE = 500
_WRITE_PROBLEM = "could not be written"


class PostgresSiteListStore:
    """The lists of a store on a server; shares its connection."""

    def __init__(self, server: ServerConnection) -> None:
        self._server = server

    def add(self, sites: Iterable[tuple[str, str]], settings: Mapping[str, object]) -> int | None:
        """A new list, unless it is empty."""
        with closing(SiteBuffer(sites)) as gathered:
            if not gathered:
                return None

            def write(connection: Connection[Any]) -> int:
                with connection.transaction(), connection.cursor() as cursor:
                    row = cursor.execute(_QUERIES["add_list"], (json.dumps(settings), timestamp())).fetchone()
                    number = int(row[0]) if row else 0
                    with cursor.copy(_QUERIES["add_sites"]) as copy:
                        for site in gathered:
                            copy.write_row((number, *site))
                return number

            return self._server.run(write, _WRITE_PROBLEM)

    def next(self, number: int, busy: Iterable[str], now: float) -> SiteListEntry | None:
        """The site that waits longest, of those that may be asked now and are no other spelling of a busy one."""
        row = self._row("next_site", number, now, [*map(strip_www, busy)])
        return None if row is None else parse_site_row(row)

    def next_due(self, number: int) -> float | None:
        """When the next of those that wait may be asked; None if none waits."""
        row = self._row("next_due", number)
        return None if row is None or row[0] is None else float(row[0])

    def has_waiting_site(self, number: int, now: float) -> bool:
        """Whether a site could begin."""
        return self._row("is_any_waiting", number, now) is not None

    def begin(self, site: SiteListEntry, settings: Mapping[str, object]) -> int:
        """A new scan of a site of a list, or the one that was begun before."""
        seeds, host = build_site_key(site.seeds)

        def write(connection: Connection[Any]) -> int:
            with connection.transaction():
                scan = site.scan
                if scan is None:
                    connection.execute(_STORE_QUERIES["add_site"], (seeds, host, timestamp()))
                    values = (json.dumps(list(site.seeds)), json.dumps(settings), timestamp(), seeds)
                    scan = int((connection.execute(_STORE_QUERIES["add_scan"], values).fetchone() or (0,))[0])
                connection.execute(_QUERIES["begin_site"], (scan, site.number))
            return scan

        return self._server.run(write, _WRITE_PROBLEM)

    def requeue_site(self, site: int, due: float) -> None:
        """Its slice is over; the others have their turn first."""
        self._write("hand_back", due, site)

    def end(self, site: int, state: str, pages: int, missing: int, reason: str) -> None:
        """Note how a site ended: how many pages it has, how many could not be had."""
        self._write("end_site", *escape_row((state, pages, missing, reason, site)))

    def sites(self, number: int) -> Iterator[SiteListEntry]:
        """Every site in the order it was named; read in parts, for others write."""
        place = 0
        while rows := self._rows("sites", number, place, _BATCH_SIZE):
            place = rows[-1][0]
            yield from map(parse_site_row, rows)

    def counts(self, number: int) -> dict[str, StateCount]:
        """How many sites are in which state."""
        return {state: StateCount(*rest) for state, *rest in self._rows("counts", number)}

    def last(self, *, unfinished: bool = False) -> SiteList | None:
        """The newest list, or the newest of which something is left."""
        for number, settings, *rest in self._rows("lists"):
            if not unfinished or self._count_unfinished(number)[1]:
                return SiteList(number, json.loads(settings), *rest)
        return None

    def find_list(self, scan: int) -> int | None:
        """The list that a scan belongs to."""
        row = self._row("list_of_scan", scan)
        return None if row is None else int(row[0])

    def find_scan(self, number: int, host: str) -> int | None:
        """The scan of a host, or of its name without `www.`, in a list."""
        values = {"list": number, "host": host, "bare": strip_www(host)}
        row = self._server.run(lambda connection: connection.execute(_QUERIES["scan_of_host"], values).fetchone())
        return None if row is None else int(row[0])

    def requeue_unfinished(self, number: int) -> int:
        """Let wait what was cut off; if nothing was, what a limit or an unreachable site left. Gives their number."""
        cut_off, incomplete = self._count_unfinished(number)
        self._write("wait_cut_off" if cut_off else "wait_incomplete", number)
        return cut_off or incomplete

    def _count_unfinished(self, number: int) -> tuple[int, int]:
        cut_off, incomplete = self._rows("left_over", number)[0]
        return cut_off, incomplete

    def _row(self, query: str, *values: object) -> tuple[Any, ...] | None:
        return next(iter(self._rows(query, *values)), None)

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        rows = self._server.run(lambda connection: connection.execute(_QUERIES[query], values).fetchall())
        return [*map(unescape_row, rows)]

    def _write(self, query: str, *values: object) -> None:
        self._server.run(lambda connection: connection.execute(_QUERIES[query], values), _WRITE_PROBLEM)
