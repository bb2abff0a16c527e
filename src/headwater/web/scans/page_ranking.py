"""URLs ranked for a question, kept in memory while a client reads them page by page."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from headwater.relevance.page_ranking import PageScorer
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.model import Page
    from headwater.store.browse_store import BrowseStore
    from headwater.store.records import Scan
    from headwater.store.scan_index.filters import Filter
    from headwater.store.scan_index.index import ScanIndex

MAX_RANKED = 100_000
MAX_CACHED = 4
BATCH = 500

Ranking = list[tuple[int, float]]
"""Numbers of pages with their scores, the best first; those without a match follow in the order of their URLs."""

_Key = tuple[int, float, "Filter", str]


class RankingCache:
    """Keeps the last rankings; each is of one version of a scan's index."""

    def __init__(self) -> None:
        self._cached: OrderedDict[_Key, Ranking] = OrderedDict()

    def get_ranking(self, store: BrowseStore, index: ScanIndex, scan: Scan, wanted: Filter, question: str) -> Ranking:
        """Return all URLs of a filter, ranked; raise Problem if there are too many."""
        key = (scan.number, float(index.metadata["made"]), wanted, question)
        found = self._cached.get(key)
        if found is None:
            check_rankable(index.count(wanted))
            found = self._cached[key] = _rank(store, index, scan, wanted, question)
            while len(self._cached) > MAX_CACHED:
                self._cached.popitem(last=False)
        return found


def check_rankable(count: int) -> None:
    """Raise Problem if a filter matches more URLs than can be ranked."""
    if count > MAX_RANKED:
        problem = f"search ranks at most {MAX_RANKED:,} URLs, and the filter matches {count:,}; add another filter"
        raise Problem(400, problem, "search")


def read_ranked(store: BrowseStore, scan: Scan, ranking: Sequence[tuple[int, float]]) -> Iterator[tuple[int, Page]]:
    """Yield ranked pages with their numbers and scores."""
    for start in range(0, len(ranking), BATCH):
        scores = dict(ranking[start : start + BATCH])
        for number, page in store.pages_by_number(scan.number, list(scores)):
            yield number, page._replace(score=scores[number])


def _rank(store: BrowseStore, index: ScanIndex, scan: Scan, wanted: Filter, question: str) -> Ranking:
    scorer = PageScorer(question)
    for _, page in _read(store, index, scan, wanted):
        scorer.add(page)
    scored = [(number, scorer.score(page)) for number, page in _read(store, index, scan, wanted)]
    return sorted(scored, key=lambda row: -row[1])


def _read(store: BrowseStore, index: ScanIndex, scan: Scan, wanted: Filter) -> Iterator[tuple[int, Page]]:
    for numbers in index.walk(wanted):
        yield from store.pages_by_number(scan.number, numbers)
