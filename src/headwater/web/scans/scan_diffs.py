"""What differs between two scans, kept in memory once it was worked out, for those who turn pages."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.web.serving.problems import Problem
from headwater.web.serving.store_readers import make_scan_stamp

if TYPE_CHECKING:
    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Scan

MAX_CACHED_ROWS = 20_000
MAX_CACHED_PAIRS = 4


class ScanDiff(NamedTuple):
    """How many pages are new, changed or gone, and the first of them."""

    counts: dict[str, int]
    rows: list[dict[str, Any]]
    is_capped: bool


class ScanDiffCache:
    """Works a difference out once; scans that ended do not change."""

    def __init__(self) -> None:
        self._cached: OrderedDict[tuple[int, str, int, str], ScanDiff] = OrderedDict()

    def get_diff(self, store: BrowseStore, old: Scan, new: Scan) -> ScanDiff:
        """The difference of two scans."""
        key = (old.number, make_scan_stamp(old), new.number, make_scan_stamp(new))
        found = self._cached.get(key)
        if found is None:
            found = _compute_diff(store, old.number, new.number)
            if "live" not in key:
                self._cached[key] = found
                while len(self._cached) > MAX_CACHED_PAIRS:
                    self._cached.popitem(last=False)
        return found


def find_scan_pair(store: BrowseStore, new: Scan, against: int | None) -> tuple[Scan, Scan]:
    """The two scans to compare: against the one that was named, or the one of the same seeds before."""
    others = [scan for scan in store.scans_with_same_seeds(new.number, 200) if scan.number < new.number]
    number = against or next((scan.number for scan in others if scan.state in {"done", "limited", "incomplete"}), None)
    old = store.scan(number) if number is not None else None
    if old is None:
        raise Problem(404, f"there is no scan {against}" if against else "there is no earlier scan of this site")
    return old, new


def _compute_diff(store: BrowseStore, old: int, new: int) -> ScanDiff:
    counts: Counter[str] = Counter(new=0, changed=0, gone=0)
    rows: list[dict[str, Any]] = []
    for page in store.changes(old, new):
        counts[str(page.change)] += 1
        if len(rows) < MAX_CACHED_ROWS:
            rows.append(
                {
                    "change": page.change,
                    "url": page.url,
                    "title": page.title,
                    "status": page.status,
                    "state": page.state,
                }
            )
    return ScanDiff(dict(counts), rows, sum(counts.values()) > len(rows))
