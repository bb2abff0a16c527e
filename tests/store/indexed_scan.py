"""A varied scan in a store, with its index, for tests of the index."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

from headwater.model import NO_DEPTH, Candidate, DiscoveredUrl, PageFacts, SourceMetadata
from headwater.store import Classification, VisitResult
from headwater.store.factory import open_browse_store
from headwater.store.scan_index.builder import build_scan_index
from headwater.store.scan_index.index import ScanIndex
from headwater.urls.identity import compute_identity
from tests.store.test_postgres import execute

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from headwater.store.browse_store import BrowseStore
    from headwater.store.scan_index.filters import Filter

SITE = "https://e.com"
PATHS = ["/", "/docs", "/docs-old/a", "/docs/a", "/docs/a/b?x=/1/2", "/docs?all=1", "/ä/%20x", "/docs/deep/er/still"]

# Results of visits: state, status, reason, and the list of the page.
OUTCOMES: list[tuple[str, int | None, str, str]] = [
    ("fetched", 200, "", "pages"),
    ("fetched", 200, "", "pages"),
    ("deferred", None, "robots-unreachable", "pages"),
    ("redirected", 301, "", "redirects"),
    ("redirected", 200, "", "redirects"),  # by a meta refresh
    ("duplicate", 200, "", "duplicates"),
    ("failed", 404, "http-404", "broken"),
    ("failed", None, "timeout", "broken"),
    ("skipped", 200, "not-html", "files"),
    ("skipped", None, "robots-disallowed", "skipped"),
]


def make_facts(number: int) -> PageFacts:
    """Return facts about the text of a page; one in five is like others, one in four is not analyzed."""
    if number % 4 == 0:
        return PageFacts()
    value = ["Red", "Blue"] if number % 3 else "Red"
    extracted = {"color": value, "size": str(number % 7)} if number % 5 else {"size": "ÜX"}
    same = 1 if number % 5 == 1 else number * 0x9E3779B97F4A7C15 % (1 << 62)
    return PageFacts(
        word_count=number * 13,
        extracted=json.dumps(extracted),
        simhash=same,
        minhash=random.Random(same).randbytes(128),
    )


def fill(store: BrowseStore, between: Callable[[], object] = lambda: None) -> tuple[int, dict[str, str]]:
    """Store a varied scan; return it and the list of each page. `between` is called when half of it is stored."""
    chance = random.Random(7)
    scan = store.create_scan([f"{SITE}/"], {}).number
    paths = PATHS + [f"/{chance.choice('abc')}/{chance.choice('xyz')}/p{number}" for number in range(250)]
    found, visits, classified = [], [], []
    lists: dict[str, str] = {}
    for number, path in enumerate(paths):
        url = SITE + path
        source = chance.choice(["content-link", "sitemap", "navigation", "feed"])
        kind: Any = chance.choice(["page"] * 8 + ["external", "resource"])
        reason = "file-extension" if kind == "resource" else chance.choice(["", "", "", "trap-repetition"])
        depth = NO_DEPTH if source == "sitemap" else chance.randrange(4)
        extra = SourceMetadata(lastmod=f"2026-0{chance.randrange(1, 9)}-01") if source == "sitemap" else None
        one = DiscoveredUrl(
            identity=compute_identity(url), key=url, url=url, fetch_url=url, kind=kind, depth=depth,
            parent=compute_identity(f"{SITE}/"), parent_url=f"{SITE}/", source=source,
            region=chance.choice(["main", "nav"]), element="" if source == "sitemap" else "a",
            text=chance.choice(["Über", "boat", ""]), reason=reason, is_visited=bool(number % 2), metadata=extra,
        )  # fmt: skip
        found.append(one)
        if kind == "page":
            lists[url] = "skipped" if reason else "pages"
        if kind == "page" and not reason and number % 5:
            state, status, why, lists[url] = chance.choice(OUTCOMES)
            candidate = Candidate(identity=one.identity, key=url, url=url, fetch_url=url, depth=depth)
            title = chance.choice(["", "River", "ÉTÉ", "zebra"])
            leads_to = compute_identity(f"{SITE}/docs") if state in {"redirected", "duplicate"} else None
            visits.append(
                VisitResult(
                    candidate=candidate, state=state, status=status, reason=why, title=title, leads_to=leads_to,
                    facts=make_facts(number),
                )
            )  # fmt: skip
        clusters = [("section:/a", "section", "A")] if path.startswith("/a/") else [("rest", "rest", "Rest")]
        classified.append(
            Classification(
                identity=one.identity,
                priority=round(chance.random(), 2),
                language=chance.choice(["en", "de"]),
                skip_scrape=False,
                clusters=clusters,
            )
        )
    store.save_batch(scan, (), found[:130], {})
    between()
    store.save_batch(scan, visits, found[130:], {})
    store.save_classifications(scan, classified)
    store.mark_near_duplicates(scan)
    store.finish_scan(scan, "done")
    return scan, lists


class IndexedScan:
    """A store, a scan in it, and the index of the scan."""

    def __init__(self, folder: Path, db: str = "", between: Callable[[], object] = lambda: None) -> None:
        self.store = open_browse_store(db or str(folder / "x.db"))
        self.scan, self.lists = fill(self.store, between)
        self.path = folder / "index"
        build_scan_index(self.store, self.scan, self.path, "now")
        self.index = ScanIndex(str(self.path))
        self.pages = list(self.store.pages(self.scan))

    def urls(self, wanted: Filter, sort: str = "url", **more: Any) -> list[str]:
        numbers = [number for part in self.index.walk(wanted, sort, step=17, **more) for number in part]
        return [page.url for _, page in self.store.pages_by_number(self.scan, numbers)]


def spread_numbers(db: str) -> None:
    """Make the numbers of the pages sparse, as when many scans are written at once."""
    if db:
        execute(db, "SELECT setval(pg_get_serial_sequence('page', 'id'), 90000000000)")
