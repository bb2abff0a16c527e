"""Keep the changes that a scan saw as one of its events, for feeds and notifications."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.model import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Scan

MAX_LOGGED = 1_000
"""Changes of one scan that are kept; all of them are counted."""

_EVENT = "site-changes"
_MAX_SCANS = 1_000


class ChangeLog(NamedTuple):
    """The number of changes of each kind that a scan saw, and the first of them."""

    counts: dict[str, int]
    pages: tuple[Page, ...]

    @property
    def is_truncated(self) -> bool:
        """True if there were more changes than are kept."""
        return sum(self.counts.values()) > len(self.pages)


def save_changes(store: BrowseStore, scan: Scan, pages: Sequence[Page]) -> ChangeLog:
    """Store the changes of a scan, in place of earlier ones, and return them."""
    log = ChangeLog(dict(Counter(str(page.change) for page in pages)), tuple(pages[:MAX_LOGGED]))
    rows = [(page.change, page.url, page.title, page.leads_to, page.last_seen) for page in log.pages]
    store.add_event(scan.number, _EVENT, {"counts": log.counts, "changes": rows})
    return log


def read_changes(store: BrowseStore, scan: int) -> ChangeLog | None:
    """Return the stored changes of a scan; None if it was not compared with another."""
    event = store.last_event(scan, _EVENT)
    if event is None:
        return None
    data: Any = event.data
    return ChangeLog(data["counts"], tuple(_make_page(*row) for row in data["changes"]))


def find_baseline(store: BrowseStore, scan: int) -> int | None:
    """Return the scan to compare with: the last one whose changes were stored, else the previous one.

    So changes that a scan saw are not lost if its process ended before it stored them.
    """
    earlier = (one.number for one in store.scans_with_same_seeds(scan, _MAX_SCANS) if one.number < scan)
    logged = next((number for number in earlier if store.last_event(number, _EVENT) is not None), None)
    return store.previous_scan(scan) if logged is None else logged


def read_recent_changes(store: BrowseStore, scan: int, limit: int) -> Iterator[Page]:
    """Yield the changes of this scan and of earlier scans of the same site, the newest first."""
    left = limit
    for one in store.scans_with_same_seeds(scan, _MAX_SCANS):
        log = read_changes(store, one.number) if one.number <= scan and left > 0 else None
        if log is not None:
            yield from log.pages[:left]
            left -= len(log.pages)


def _make_page(change: str, url: str, title: str | None, leads_to: str | None, time: str | None) -> Page:
    return Page(url, title=title, change=change, leads_to=leads_to, last_seen=time)
