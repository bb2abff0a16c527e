"""Lists of sites in SQL; each dialect writes the sites of a new list in its own way."""

from __future__ import annotations

import json
import sqlite3
from abc import abstractmethod
from contextlib import closing
from typing import TYPE_CHECKING

from headwater.store.common.database import SqlRole
from headwater.store.common.scans import add_scan
from headwater.store.queries import load_queries
from headwater.store.rows import timestamp
from headwater.store.site_list_store import SiteList, SiteListEntry, StateCount, strip_www

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from headwater.store.common.database import Session

_BATCH_SIZE = 500
_BUFFER_QUERIES = load_queries("sqlite", "buffer.sql")


class SqlSiteListStore(SqlRole):
    """Stores lists of sites over a database of either dialect."""

    def add(self, sites: Iterable[tuple[str, str]], settings: Mapping[str, object]) -> int | None:
        """Add a list of (host, seed) and return its number, or None if it is empty; seeds of one host are one site."""
        with closing(SiteBuffer(sites)) as buffer:
            if not buffer:
                return None

            def save(session: Session) -> int:
                number = session.insert("add_list", settings=json.dumps(settings), now=timestamp())
                self._add_sites(session, number, buffer)
                return number

            return self._db.transact(save)

    @abstractmethod
    def _add_sites(self, session: Session, number: int, sites: Iterable[tuple[str, str]]) -> None:
        """Store the sites of a new list, given as host and seeds."""

    def next_site(self, number: int, busy: Iterable[str], now: float) -> SiteListEntry | None:
        """Return the due site that has waited longest and whose host, with or without `www.`, is not busy."""
        return self._db.find(SiteListEntry, "next_site", list=number, now=now, busy=[*map(strip_www, busy)])

    def next_due(self, number: int) -> float | None:
        """Return the time at which the next waiting site is due; None if no site waits."""
        due: float | None = self._db.value("next_due", list=number)
        return due

    def has_waiting_site(self, number: int, now: float) -> bool:
        """Return True if a site waits and is due."""
        return self._db.value("has_waiting_site", list=number, now=now) is not None

    def start_site(self, site: SiteListEntry, settings: Mapping[str, object]) -> int:
        """Mark a site as running and return its scan, which is created if it has none."""

        def start(session: Session) -> int:
            scan = add_scan(session, site.seeds, settings) if site.scan is None else site.scan
            session.execute("start_site", scan=scan, site=site.number)
            return scan

        return self._db.transact(start)

    def requeue_site(self, site: int, due: float) -> None:
        """Put a site behind the others after its slice."""
        self._db.execute("requeue_site", site=site, due=due)

    def finish_site(self, site: int, state: str, pages: int, missing: int, reason: str) -> None:
        """Store the result of a site: its pages, and those that failed to load."""
        self._db.execute("finish_site", site=site, state=state, pages=pages, missing=missing, reason=reason)

    def sites(self, number: int) -> Iterator[SiteListEntry]:
        """Yield every site in the order it was given, in batches: the list is written meanwhile."""
        after = 0
        while part := self._db.select(SiteListEntry, "list_sites", list=number, after=after, limit=_BATCH_SIZE):
            yield from part
            after = part[-1].number

    def counts(self, number: int) -> dict[str, StateCount]:
        """Return the counts of each state."""
        return dict(self._db.select_keyed(StateCount, "state", "list_state_counts", list=number))

    def last_list(self, *, unfinished: bool = False) -> SiteList | None:
        """Return the newest list, or the newest with unfinished sites."""
        lists = self._db.select(SiteList, "lists")
        return next((one for one in lists if not unfinished or self._count_unfinished(one.number)[1]), None)

    def find_list(self, scan: int) -> int | None:
        """Return the list that a scan belongs to."""
        number: int | None = self._db.value("list_of_scan", scan=scan)
        return number

    def find_scan(self, number: int, host: str) -> int | None:
        """Return the scan of a host, or of its name without `www.`, in a list."""
        scan: int | None = self._db.value("scan_of_host", list=number, host=host, bare_host=strip_www(host))
        return scan

    def requeue_unfinished(self, number: int) -> int:
        """Requeue the interrupted sites or, if there are none, the incomplete ones; return how many."""
        interrupted, incomplete = self._count_unfinished(number)
        self._db.execute("requeue_interrupted" if interrupted else "requeue_incomplete", list=number)
        return interrupted or incomplete

    def _count_unfinished(self, number: int) -> tuple[int, int]:
        ((interrupted, incomplete),) = self._db.rows("count_unfinished", list=number)
        return interrupted, incomplete


class SiteBuffer:
    """Sites with the seeds of each, in the order they were given; many of them are kept on disk, beside the store."""

    def __init__(self, sites: Iterable[tuple[str, str]]) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute(_BUFFER_QUERIES["create_buffer"])
        self._db.execute("BEGIN")
        try:
            self._db.executemany(_BUFFER_QUERIES["buffer_site"], sites)
        except BaseException:
            self._db.close()
            raise

    def __bool__(self) -> bool:
        return self._db.execute(_BUFFER_QUERIES["has_buffered_site"]).fetchone() is not None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._db.execute(_BUFFER_QUERIES["buffered_sites"]))

    def close(self) -> None:
        """Delete the temporary database."""
        self._db.close()
