"""Lists of sites that are scanned in parallel: waiting and running sites, and the results of the others."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (named tuples are built from it)
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class SiteList(NamedTuple):
    """List of sites; scans up to `after_scan` are older than the list."""

    number: int
    settings: Mapping[str, object]
    after_scan: int
    started: str


class SiteListEntry(NamedTuple):
    """Site of a list: `state` is waiting, running or its result, `turn` the number of slices it has had."""

    number: int
    host: str
    seeds: tuple[str, ...]
    scan: int | None
    state: str
    turn: int
    pages: int
    reason: str


class StateCount(NamedTuple):
    """Number of sites in one state, of their pages, and of their pages that failed to load."""

    sites: int = 0
    pages: int = 0
    missing: int = 0


class SiteListStore(Protocol):
    """Stores lists of sites; every method is one transaction."""

    def add(self, sites: Iterable[tuple[str, str]], settings: Mapping[str, object]) -> int | None:
        """Add a list of (host, seed) and return its number, or None if it is empty; seeds of one host are one site.

        The store is not changed until all sites were read without an error.
        """

    def next_site(self, number: int, busy: Iterable[str], now: float) -> SiteListEntry | None:
        """Return the due site that has waited longest and whose host, with or without `www.`, is not busy."""

    def next_due(self, number: int) -> float | None:
        """Return the time at which the next waiting site is due; None if no site waits."""

    def has_waiting_site(self, number: int, now: float) -> bool:
        """Return True if a site waits and is due."""

    def start_site(self, site: SiteListEntry, settings: Mapping[str, object]) -> int:
        """Mark a site as running and return its scan, which is created if it has none."""

    def requeue_site(self, site: int, due: float) -> None:
        """Put a site behind the others after its slice."""

    def finish_site(self, site: int, state: str, pages: int, missing: int, reason: str) -> None:
        """Store the result of a site: its pages, and those that failed to load."""

    def sites(self, number: int) -> Iterator[SiteListEntry]:
        """Yield every site in the order it was given."""

    def counts(self, number: int) -> dict[str, StateCount]:
        """Return the counts of each state."""

    def last_list(self, *, unfinished: bool = False) -> SiteList | None:
        """Return the newest list, or the newest with unfinished sites."""

    def find_list(self, scan: int) -> int | None:
        """Return the list that a scan belongs to."""

    def find_scan(self, number: int, host: str) -> int | None:
        """Return the scan of a host, or of its name without `www.`, in a list."""

    def requeue_unfinished(self, number: int) -> int:
        """Requeue the interrupted sites or, if there are none, the incomplete ones; return how many."""


def strip_www(host: str) -> str:
    """Return a host without a leading `www.`."""
    return host.removeprefix("www.")
