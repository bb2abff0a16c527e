"""Evicting URLs from memory does not change the result of a scan."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from headwater.frontier.memory_budget import MemoryBudget
from headwater.runner.scan_runner import Listener, ProcessLimits, ScanRunner, ScanTask
from headwater.settings import build_settings
from headwater.store import MemoryStore
from headwater.urls.identity import compute_identity
from tests.discovery.test_same_result import differences, served
from tests.sites.graph_site import serving
from tests.sites.table_site import Answer, table_site
from tests.sites.trap_site import TrapSite, trap_hits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.discovery.visits.crawl_loop import CrawlLoop
    from headwater.model import DiscoveredUrl

NO_LIMIT = 10_000_000
SETTINGS: dict[str, object] = {"render": "never", "retries": 0, "max_depth": None, "max_pages": 3000}
FIRST_LINK_COLUMNS = {"found_on", "sources", "text", "title", "element", "attribute", "region", "clusters", "priority"}
"""Columns that depend on the order of responses if only the first link to each URL is stored."""


class Scan:
    """A scan with a limited memory, and its results."""

    def __init__(self, origin: str, limit: int, **settings: object) -> None:
        self.store = MemoryStore()
        self.found: list[str] = []
        self._loops: list[CrawlLoop] = []
        self._budget = MemoryBudget(limit)
        scan = self.store.create_scan([origin], {})
        self._scan = scan.number
        listener = Listener(on_found=self._add_found, on_crawl_started=self._loops.append)
        chosen, limits = build_settings({**SETTINGS, **settings}), ProcessLimits(self._budget)
        asyncio.run(ScanRunner(ScanTask(self.store, scan, chosen, listener, limits)).run())
        assert self._budget.entries == 0, "memory is freed when a crawl ends"

    def _add_found(self, found: Sequence[DiscoveredUrl]) -> None:
        self.found += [f"{one.kind} {one.key}" for one in found]

    def rows(self, *, without: set[str] | frozenset[str] = frozenset()) -> list[dict[str, Any]]:
        """Return the rows of the result without timestamps."""
        rows = (page._asdict() for page in self.store.pages(self._scan))
        left_out = {"first_seen", "last_seen", "response_ms", *without}
        return [{name: value for name, value in row.items() if name not in left_out} for row in rows]

    def links(self) -> dict[str, Any]:
        """Return the links of each page."""
        read = self.store.links.links_from
        return {
            page.key: [
                (link.page, link.place, link.text) for link in read(self._scan, compute_identity(page.key)) or ()
            ]
            for page in self.store.pages(self._scan)
        }

    def counts(self) -> tuple[Any, ...]:
        """Return the counts of the store and of the progress display."""
        last = self._loops[-1]
        return self.store.counts(self._scan), self.store.count_listed(self._scan), last.known, last.visited

    def assert_same(self, expected: Scan) -> None:
        """Compare with another scan of the same site."""
        assert differences(self.rows(), expected.rows()) == {}
        assert self.links() == expected.links()
        assert self.counts() == expected.counts()
        assert sorted(self.found) == sorted(expected.found)


def test_eviction_changes_nothing() -> None:
    with table_site(served(1)) as site:
        expected = Scan(site.origin, NO_LIMIT)
        for limit in (1, 400):
            Scan(site.origin, limit).assert_same(expected)


@pytest.mark.parametrize(("seed", "limit"), [(1, 1), (2, 400)])
def test_eviction_changes_nothing_in_traps(seed: int, limit: int) -> None:
    with serving(TrapSite(seed).answer) as site:
        expected = Scan(site.origin, NO_LIMIT, max_depth=5)
        hits = trap_hits(site.hits)
        site.hits.clear()
        Scan(site.origin, limit, max_depth=5).assert_same(expected)
        assert trap_hits(site.hits) == hits
    assert sum(row["reason"] == "trap-exhausted" for row in expected.rows()) > 100


def test_eviction_changes_nothing_without_stored_links() -> None:
    with serving(TrapSite(4).answer) as site:
        expected, scan = (Scan(site.origin, limit, links="first", max_depth=4) for limit in (NO_LIMIT, 100))
    assert scan.rows(without=FIRST_LINK_COLUMNS) == expected.rows(without=FIRST_LINK_COLUMNS)
    assert (scan.counts(), sorted(scan.found)) == (expected.counts(), sorted(expected.found))


def test_a_spelling_found_after_eviction_is_tried() -> None:
    pages: dict[str, Answer | str] = {
        "/": "<a href=/1>1</a><a href=/gone/>g</a>",
        "/1": "<a href=/2>2</a><a href=/gone>g</a>",
        "/2": "x",
        "/gone": "here",
        "/gone/": Answer(status=404),
    }
    with table_site(lambda _: pages) as site:
        expected = Scan(site.origin, NO_LIMIT)
        assert {row["url"] for row in expected.rows() if row["status"] == 200} >= {f"{site.origin}/gone"}
        Scan(site.origin, 1).assert_same(expected)


def test_concurrent_scans_share_one_memory_budget() -> None:
    """Each of eight scans would need ten times its share."""
    limit, peak = 2000, 0
    budget, store = MemoryBudget(limit), MemoryStore()

    async def scan(origin: str, limits: ProcessLimits) -> int:
        scan, listener = store.create_scan([origin], {}), Listener(on_saved=record_peak)
        await ScanRunner(ScanTask(store, scan, build_settings(SETTINGS), listener, limits)).run()
        return store.count_listed(scan.number)

    def record_peak(_: Sequence[int]) -> None:
        nonlocal peak
        peak = max(peak, budget.entries)

    async def scan_all(origin: str) -> list[int]:
        limits = ProcessLimits(budget)
        return await asyncio.gather(*(scan(origin, limits) for _ in range(8)))

    pages: dict[str, Answer | str] = {
        f"/{number}": "".join(f"<a href=/{number * 3 + one}>{number} to {one}</a>" for one in range(25))
        for number in range(100)
    }
    with table_site(lambda _: pages | {"/": "<a href=/1>1</a>"}) as site:
        listed = asyncio.run(scan_all(site.origin))
    assert len(set(listed)) == 1
    assert limit / 2 < peak < limit * 1.5
