"""Differences between two scans, computed once and kept in memory while a client reads them page by page."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from headwater.web.scans.records import ChangeCounts, Changes, PageChange
from headwater.web.serving.cursors import decode_offset, encode_cursor
from headwater.web.serving.problems import Problem
from headwater.web.serving.store_readers import make_scan_stamp

if TYPE_CHECKING:
    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Scan
    from headwater.web.scans.inputs import ComparisonQuery

MAX_CACHED_ROWS = 20_000
MAX_CACHED_PAIRS = 4


class ScanDiff(NamedTuple):
    """Number of new, changed and gone pages, and the first of them."""

    counts: ChangeCounts
    rows: tuple[PageChange, ...]
    is_capped: bool


class ScanDiffCache:
    """Keeps the last differences of finished scans, which do not change."""

    def __init__(self) -> None:
        self._cached: OrderedDict[tuple[int, str, int, str], ScanDiff] = OrderedDict()

    def get_diff(self, store: BrowseStore, old: Scan, new: Scan) -> ScanDiff:
        """Return the difference between two scans."""
        key = (old.number, make_scan_stamp(old), new.number, make_scan_stamp(new))
        found = self._cached.get(key)
        if found is None:
            found = _compute_diff(store, old.number, new.number)
            if "live" not in key:
                self._cached[key] = found
                while len(self._cached) > MAX_CACHED_PAIRS:
                    self._cached.popitem(last=False)
        return found


def list_changes(store: BrowseStore, cache: ScanDiffCache, new: Scan, query: ComparisonQuery, limit: int) -> Changes:
    """Return a part of the changes since an earlier scan."""
    after = max(0, decode_offset(query.cursor) or 0)
    old = find_earlier_scan(store, new, query.against)
    diff = cache.get_diff(store, old, new)
    return Changes(
        old=old.number,
        new=new.number,
        counts=diff.counts,
        is_capped=diff.is_capped,
        changes=diff.rows[after : after + limit],
        cursor=encode_cursor((after + limit,)) if len(diff.rows) > after + limit else None,
    )


def find_earlier_scan(store: BrowseStore, new: Scan, against: int) -> Scan:
    """Return the scan to compare with: the given one, or the last finished one of the same seeds."""
    if against:
        number: int | None = against
    else:
        others = [scan for scan in store.scans_with_same_seeds(new.number, 200) if scan.number < new.number]
        number = next((scan.number for scan in others if scan.state in {"done", "limited", "incomplete"}), None)
    old = store.scan(number) if number is not None else None
    if old is None:
        raise Problem(404, f"There is no scan {against}" if against else "There is no earlier scan of this site")
    return old


def _compute_diff(store: BrowseStore, old: int, new: int) -> ScanDiff:
    counts: Counter[str] = Counter()
    rows: list[PageChange] = []
    for page in store.changes(old, new):
        counts[str(page.change)] += 1
        if len(rows) < MAX_CACHED_ROWS:
            rows.append(
                PageChange(
                    change=str(page.change), url=page.url, title=page.title, status=page.status, state=page.state
                )
            )
    totals = ChangeCounts(new=counts["new"], changed=counts["changed"], gone=counts["gone"])
    return ScanDiff(totals, tuple(rows), sum(counts.values()) > len(rows))
