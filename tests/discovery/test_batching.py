"""Transactions have at most as many URLs as the preset allows; a page and its links stay together if they fit."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from headwater.discovery.visits.batching import split_batches
from headwater.model import Candidate, DiscoveredUrl
from headwater.runner.scan_runner import ScanRunner, ScanTask
from headwater.settings import preset
from headwater.store import SqliteStore, VisitResult
from tests.sites.table_site import Answer, table_site, urlset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from headwater.classify import LinkSummary
    from headwater.model import LinkBlock
    from headwater.store import Classification

LINKS = 230


class MeasuredStore(SqliteStore):
    """A store that records the number of URLs of each transaction."""

    def __init__(self) -> None:
        super().__init__(":memory:")
        self.sizes: dict[str, list[int]] = {"visits": [], "classify": [], "link_data": [], "inlinks": []}

    def save_batch(
        self,
        scan: int,
        batch: Sequence[VisitResult],
        found: Sequence[DiscoveredUrl],
        skipped: Mapping[str, int],
        *,
        links: LinkBlock | None = None,
        first_list: int = 0,
    ) -> None:
        self.sizes["visits"].append(len(found) + sum(1 + len(one.discovered) for one in batch))
        super().save_batch(scan, batch, found, skipped, links=links, first_list=first_list)

    def save_link_data(self, scan: int, summaries: Sequence[LinkSummary]) -> None:
        self.sizes["link_data"].append(len(summaries))
        super().save_link_data(scan, summaries)

    def save_classifications(self, scan: int, rows: Sequence[Classification]) -> None:
        self.sizes["classify"].append(len(rows))
        super().save_classifications(scan, rows)

    def add_inlinks(self, scan: int, counts: Mapping[int, int]) -> None:
        self.sizes["inlinks"].append(len(counts))
        super().add_inlinks(scan, counts)


def linked_site(_: str) -> dict[str, Answer | str]:
    links = "".join(f"<a href=/p{n}>p</a>" for n in range(LINKS))
    pages: dict[str, Answer | str] = {f"/p{n}": f"<title>{n}</title>{n}<a href=/q{n}>q</a>" for n in range(LINKS)}
    return {"/": f"<title>Home</title><nav>{links}</nav>", **pages}


def listed_site(origin: str) -> dict[str, Answer | str]:
    return {"/": "<title>Home</title>", "/sitemap.xml": urlset(*(f"{origin}/p{n}" for n in range(LINKS)))}


@pytest.mark.parametrize(("name", "max_urls"), [("waterfall", 50), ("scan", 100)])
@pytest.mark.parametrize("make", [linked_site, listed_site])
def test_no_transaction_has_more_urls_than_the_preset_says(name: str, max_urls: int, make: type) -> None:
    store = MeasuredStore()
    with table_site(make) as site:
        settings = replace(preset(name), force_https=False, render="never", retries=0)
        scan = store.create_scan([f"{site.origin}/"], {})
        asyncio.run(ScanRunner(ScanTask(store, scan, settings)).run())
    assert store.count_listed(scan.number) >= LINKS
    assert {kind: max(sizes, default=0) <= max_urls for kind, sizes in store.sizes.items()} == {
        "visits": True,
        "classify": True,
        "link_data": True,
        "inlinks": True,
    }
    assert max(store.sizes["visits"]) == max_urls


def page(number: int, found: int) -> VisitResult:
    key = f"https://e.com/{number}"
    links = [
        DiscoveredUrl(1000 * number + n, f"{key}/{n}", f"{key}/{n}", "", "page", 1, number, key, "")
        for n in range(found)
    ]
    return VisitResult(Candidate(number, key, key, key), "fetched", 200, discovered=links)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([], []),
        ([0, 0, 0], [3]),
        ([4, 4], [10]),
        ([4, 5], [5, 6]),
        ([9, 9], [10, 10]),
        ([10], [1, 10]),
        ([25], [10, 6, 10]),
        ([2, 25, 2], [3, 10, 6, 10, 3]),
        ([2, 3, 3], [7, 4]),
    ],
)
def test_splitting_pages_into_batches(found: list[int], expected: list[int]) -> None:
    pages = [page(number, count) for number, count in enumerate(found)]
    batches = list(split_batches(pages, (), 10))
    assert [len(more) + sum(1 + len(one.discovered) for one in settled) for settled, more in batches] == expected
    assert [one.candidate for settled, _ in batches for one in settled] == [one.candidate for one in pages]
    kept = [
        one for settled, more in batches for one in [*more, *(link for done in settled for link in done.discovered)]
    ]
    assert kept == [link for one in pages for link in one.discovered]
    assert [len(more) for _, more in split_batches((), pages[0].discovered if pages else (), 10)] == [
        min(10, found[0] - start) for start in range(0, found[0] if found else 0, 10)
    ]
