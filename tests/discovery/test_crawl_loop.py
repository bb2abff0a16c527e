"""The crawl loop with a fake fetcher and a store in memory: order of visits, limits, redirects, failures."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from headwater.discovery.context import Listener
from headwater.discovery.visits.batching import BatchWriter
from headwater.discovery.visits.crawl_loop import CrawlLoop
from headwater.discovery.visits.crawl_session import CrawlLimits, CrawlSession
from headwater.examination import SiteState
from headwater.fetch.fake_fetcher import FakeFetcher
from headwater.model import DiscoveredUrl, FetchFailure, Response
from headwater.store import MemoryStore
from headwater.urls import Scope, spell_url
from headwater.urls.identity import compute_identity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from headwater.model import Request

SITE = "https://e.com"
Pages = dict[str, "str | Response | FetchFailure"]


class Crawl:
    """A crawl of pages given by path."""

    def __init__(self, pages: Mapping[str, str | Response | FetchFailure], **limits: Any) -> None:
        self.store = MemoryStore()
        self.fetcher = FakeFetcher({SITE + path: page for path, page in pages.items()})
        self.saved: list[int] = []
        self.failures: list[str] = []
        self.limits = CrawlLimits(**{"parallel": 1, **limits})
        self.site = SiteState(Scope([SITE]))
        self.scan = self.store.create_scan([SITE], {}).number
        seed = spell_url(f"{SITE}/", self.site.scope.policy)
        assert seed is not None
        self.seed = DiscoveredUrl(
            compute_identity(seed.key), seed.key, seed.url, seed.fetch_url, "page", 0, 0, "", "seed"
        )
        BatchWriter(self.store, self.scan, None).save((), [self.seed], {})

    def run(self) -> CrawlLoop:
        """Visit all candidates and return the loop."""
        loop = self.make_loop()
        asyncio.run(loop.run())
        return loop

    def make_loop(self, fetcher: Any = None) -> CrawlLoop:
        """Return a loop over the candidates in the store."""
        listener = Listener(on_saved=self.saved.extend, on_failed=lambda failure: self.failures.append(failure.reason))
        session = CrawlSession(self.store, self.scan, [self.seed.identity])
        return CrawlLoop(session, self.limits, self.site, fetcher or self.fetcher, listener=listener)

    @property
    def visits(self) -> list[str]:
        """The requested paths in order."""
        return [request.url.removeprefix(SITE) for request in self.fetcher.requests]

    def states(self) -> dict[str, tuple[str, str | None]]:
        """State and reason of each URL by path."""
        pages = self.store.pages(self.scan)
        return {page.url.removeprefix(SITE): (page.state, page.reason) for page in pages if page.kind == "page"}


def links(*paths: str) -> str:
    return "".join(f'<a href="{path}">{path}</a>' for path in paths)


def redirect(to: str) -> Response:
    return Response(f"{SITE}/", 301, {"location": to})


TREE: Pages = {"/": links("/b", "/a"), "/a": links("/a/1", "/b"), "/b": links("/b/1"), "/a/1": "leaf", "/b/1": "leaf"}


@pytest.mark.parametrize(
    ("pages", "limits", "visits", "limit"),
    [
        pytest.param({"/": "alone"}, {}, ["/"], "", id="one page"),
        pytest.param(TREE, {}, ["/", "/b", "/a", "/b/1", "/a/1"], "", id="breadth first, in document order"),
        pytest.param(TREE, {"max_pages": 3}, ["/", "/b", "/a"], "max_pages", id="max_pages"),
        pytest.param(TREE, {"max_pages": 1, "max_pages_name": "max_urls"}, ["/"], "max_urls", id="max_urls"),
        pytest.param(TREE, {"max_depth": 1}, ["/", "/b", "/a"], "max_depth", id="max_depth"),
        pytest.param(TREE, {"max_pages": 5}, ["/", "/b", "/a", "/b/1", "/a/1"], "max_pages", id="limit just reached"),
        pytest.param(TREE, {"batch_limit": 1}, ["/", "/b", "/a", "/b/1", "/a/1"], "", id="transactions of one URL"),
        pytest.param(
            {"/": links("/1", "/2", "/3"), "/1": "1", "/2": "2", "/3": "3"},
            {"max_urls_per_source": 2},
            ["/", "/1", "/2"],
            "max_urls_per_source",
            id="max_urls_per_source",
        ),
        pytest.param({"/": links("/", "https://other.example/", "/a.pdf")}, {}, ["/"], "", id="only pages of the site"),
    ],
)
def test_visits(pages: Pages, limits: dict[str, Any], visits: list[str], limit: str) -> None:
    crawl = Crawl(pages, **limits)
    loop = crawl.run()
    assert (crawl.visits, loop.limit_reached, loop.visited) == (visits, limit, len(visits))


@pytest.mark.parametrize(
    ("page", "state", "reason"),
    [
        pytest.param("text", "fetched", None, id="page"),
        pytest.param(FetchFailure(SITE, "http-404", status=404), "failed", "http-404", id="missing"),
        pytest.param(FetchFailure(SITE, "timeout-total"), "failed", "timeout-total", id="timeout"),
        pytest.param(FetchFailure(SITE, "robots-unreachable"), "deferred", "robots-unreachable", id="no robots.txt"),
        pytest.param(FetchFailure(SITE, "robots-disallowed"), "skipped", "robots-disallowed", id="disallowed"),
        pytest.param(redirect("/a"), "failed", "redirect-loop", id="redirect to itself"),
        pytest.param(redirect(""), "failed", "bad-redirect", id="redirect without a target"),
        pytest.param(redirect("/b"), "fetched", None, id="redirect to another page"),
    ],
)
def test_state_of_a_page(page: str | Response | FetchFailure, state: str, reason: str | None) -> None:
    crawl = Crawl({"/": links("/a"), "/a": page, "/b": "other"})
    loop = crawl.run()
    assert crawl.states()["/a"] == (state, reason)
    assert loop.failed == (state == "failed")
    assert crawl.failures == ([reason] if state in {"failed", "deferred"} else [])


def test_a_redirect_to_another_spelling_of_a_page_is_followed_at_once() -> None:
    crawl = Crawl({"/": links("/a"), "/a": redirect(f"{SITE}/a/"), "/a/": "text"})
    crawl.run()
    assert crawl.visits == ["/", "/a", "/a/"]
    assert [state for state, _ in crawl.states().values()] == ["fetched", "fetched"]


def test_redirects_end_at_the_limit() -> None:
    pages: Pages = {f"/{number}": redirect(f"{SITE}/{number + 1}") for number in range(20)}
    crawl = Crawl({"/": redirect(f"{SITE}/0"), **pages}, max_redirects=3)
    crawl.run()
    assert (len(crawl.visits), crawl.failures) == (4, ["too-many-redirects"])


def test_every_visit_is_saved_once() -> None:
    crawl = Crawl(TREE, parallel=3, batch_limit=2)
    crawl.run()
    assert len(crawl.saved) == len(set(crawl.saved)) == len(TREE)


def test_an_interrupted_crawl_continues_where_it_stopped() -> None:
    crawl = Crawl(TREE, max_pages=2)
    crawl.run()
    crawl.limits = CrawlLimits(parallel=1)
    loop = crawl.make_loop()
    loop.resume(crawl.store.counts(crawl.scan))
    asyncio.run(loop.run())
    assert crawl.visits == ["/", "/b", "/a", "/b/1", "/a/1"]
    assert (loop.visited, loop.known) == (5, 5)


class HangingFetcher:
    """Fetches the first pages, and never responds to further requests."""

    def __init__(self, inner: FakeFetcher, responses: int) -> None:
        self._inner, self._left = inner, responses
        self.is_hanging = asyncio.Event()

    async def fetch(self, request: Request) -> Response | FetchFailure:
        """Return a page, or hang."""
        if self._left == 0:
            self.is_hanging.set()
            await asyncio.Event().wait()
        self._left -= 1
        return await self._inner.fetch(request)


@pytest.mark.parametrize("grace", [None, 0.0], ids=["cancelled", "aborted"])
def test_a_crawl_that_is_stopped_keeps_its_finished_visits(grace: float | None) -> None:
    crawl = Crawl(TREE)

    async def stop() -> CrawlLoop:
        fetcher = HangingFetcher(crawl.fetcher, 2)
        loop = crawl.make_loop(fetcher)
        running = asyncio.create_task(loop.run())
        await fetcher.is_hanging.wait()
        if grace is None:
            running.cancel()
        else:
            loop.stop("interrupted", grace)
        results: Sequence[object] = await asyncio.gather(running, return_exceptions=True)
        assert isinstance(results[0], asyncio.CancelledError) == (grace is None)
        return loop

    loop = asyncio.run(stop())
    counts = crawl.store.counts(crawl.scan)
    assert (loop.visited, counts.fetched, counts.candidates) == (2, 2, 2)
    assert loop.limit_reached == ("" if grace is None else "interrupted")
