"""Lists of sites that are scanned side by side: what waits, what is under way, how each ended."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, NamedTuple, Protocol

from headwater.store.queries import load_queries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

_QUERIES = load_queries("sqlite", "lists.sql")


class SiteList(NamedTuple):
    """A list that was given; scans up to `after_scan` were there before it."""

    number: int
    settings: Mapping[str, object]
    after_scan: int
    started: str


class SiteListEntry(NamedTuple):
    """A site of a list: `state` is waiting or running, or how it ended; `turn` how often it made room for others."""

    number: int
    host: str
    seeds: tuple[str, ...]
    scan: int | None
    state: str
    turn: int
    pages: int
    reason: str


class StateCount(NamedTuple):
    """Sites in one state, the pages they have, and how many could not be had."""

    sites: int = 0
    pages: int = 0
    missing: int = 0


class SiteListStore(Protocol):
    """The lists of a store; every method is one transaction."""

    def add(self, sites: Iterable[tuple[str, str]], settings: Mapping[str, object]) -> int | None:
        """A new list of hosts and seeds, read as they come; seeds of one host are one site. None if there are none.

        The store is touched only when all were read without an error.
        """

    def next(self, number: int, busy: Iterable[str], now: float) -> SiteListEntry | None:
        """The site that waits longest, of those that may be asked now and are no other spelling of a busy one."""

    def next_due(self, number: int) -> float | None:
        """When the next of those that wait may be asked; None if none waits."""

    def has_waiting_site(self, number: int, now: float) -> bool:
        """Whether a site could begin."""

    def begin(self, site: SiteListEntry, settings: Mapping[str, object]) -> int:
        """A new scan of a site of a list, or the one that was begun before."""

    def requeue_site(self, site: int, due: float) -> None:
        """Its slice is over; the others have their turn first."""

    def end(self, site: int, state: str, pages: int, missing: int, reason: str) -> None:
        """Note how a site ended: how many pages it has, how many could not be had."""

    def sites(self, number: int) -> Iterator[SiteListEntry]:
        """Every site in the order it was named; read in parts, for others write."""

    def counts(self, number: int) -> dict[str, StateCount]:
        """How many sites are in which state."""

    def last(self, *, unfinished: bool = False) -> SiteList | None:
        """The newest list, or the newest of which something is left."""

    def find_list(self, scan: int) -> int | None:
        """The list that a scan belongs to."""

    def find_scan(self, number: int, host: str) -> int | None:
        """The scan of a host, or of its name without `www.`, in a list."""

    def requeue_unfinished(self, number: int) -> int:
        """Let wait what was cut off; if nothing was, what a limit or an unreachable site left. Gives their number."""


class SiteBuffer:
    """Sites with the seeds of each, in the order they were named: beside the store, on disk where they are many."""

    def __init__(self, sites: Iterable[tuple[str, str]]) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute(_QUERIES["make_room"])
        self._db.execute("BEGIN")
        try:
            self._db.executemany(_QUERIES["read_site"], sites)
        except BaseException:
            self._db.close()
            raise

    def __bool__(self) -> bool:
        return self._db.execute(_QUERIES["is_any_read"]).fetchone() is not None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._db.execute(_QUERIES["read_sites"]))

    def close(self) -> None:
        """Forget them."""
        self._db.close()


def strip_www(host: str) -> str:
    """A host without the `www.` that many have as a second name."""
    return host.removeprefix("www.")


def parse_site_row(row: Sequence[Any]) -> SiteListEntry:
    """A site from its row."""
    number, host, seeds, *rest = row
    return SiteListEntry(number, host, tuple(json.loads(seeds)), *rest)
