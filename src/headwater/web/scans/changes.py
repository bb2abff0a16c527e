"""What differs between two scans, kept in memory once it was worked out, for those who turn pages."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.web.serving.problems import Problem
from headwater.web.serving.store_readers import stamp_of

if TYPE_CHECKING:
    from headwater.store.browse import Browse
    from headwater.store.store import Scan

KEPT_ROWS = 20_000
KEPT_PAIRS = 4


class Difference(NamedTuple):
    """How many pages are new, changed or gone, and the first of them."""

    counts: dict[str, int]
    rows: list[dict[str, Any]]
    is_capped: bool


class Differences:
    """Works a difference out once; scans that ended do not change."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, str, int, str], Difference] = OrderedDict()

    def between(self, store: Browse, old: Scan, new: Scan) -> Difference:
        """The difference of two scans."""
        key = (old.number, stamp_of(old), new.number, stamp_of(new))
        found = self._kept.get(key)
        if found is None:
            found = _work_out(store, old.number, new.number)
            if "live" not in key:
                self._kept[key] = found
                while len(self._kept) > KEPT_PAIRS:
                    self._kept.popitem(last=False)
        return found


def pair(store: Browse, new: Scan, against: int | None) -> tuple[Scan, Scan]:
    """The two scans to compare: against the one that was named, or the one of the same seeds before."""
    others = [scan for scan in store.scans_like(new.number, 200) if scan.number < new.number]
    number = against or next((scan.number for scan in others if scan.state in {"done", "limited", "incomplete"}), None)
    old = store.scan(number) if number is not None else None
    if old is None:
        raise Problem(404, f"there is no scan {against}" if against else "there is no earlier scan of this site")
    return old, new


def _work_out(store: Browse, old: int, new: int) -> Difference:
    counts: Counter[str] = Counter(new=0, changed=0, gone=0)
    rows: list[dict[str, Any]] = []
    for page in store.changes(old, new):
        counts[str(page.change)] += 1
        if len(rows) < KEPT_ROWS:
            rows.append(
                {
                    "change": page.change,
                    "url": page.url,
                    "title": page.title,
                    "status": page.status,
                    "state": page.state,
                }
            )
    return Difference(dict(counts), rows, sum(counts.values()) > len(rows))
