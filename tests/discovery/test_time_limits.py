"""Hosts that hang and endless chains of sitemaps do not block a scan; the evidence says what was not read."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

import headwater
from headwater.discovery.context import ScanTask
from headwater.discovery.deadline import ScanDeadline
from headwater.discovery.pipeline import open_context
from headwater.discovery.reachability import check_reachable
from headwater.discovery.stages import nav_scrape, sitemaps
from headwater.discovery.stages.soft_404 import make_probe_url
from headwater.frontier.timing import circuit_breaker
from headwater.runner.scan_runner import ScanRunner
from headwater.runner.slices import Slice, SliceEndedError
from headwater.settings import Settings
from headwater.store import MemoryStore
from tests.commands import PATIENCE, with_growing_limit
from tests.commands import headwater as command
from tests.sites.fault_server import BEHAVIOURS, fault_server
from tests.sites.table_site import Answer, index, robots, table_site, urlset

if TYPE_CHECKING:
    from pathlib import Path

    from headwater import Discovery
    from headwater.runner.scan_result import StageReport
    from headwater.store import Scan
    from tests.sites.table_site import TableSite


class EndlessIndexes(dict[str, Answer]):
    """Sitemaps that each name two more sitemaps, and `pages` pages."""

    def __init__(self, origin: str, pages: int, delay: float) -> None:
        super().__init__({"/robots.txt": robots(f"Sitemap: {origin}/s/0.xml")})
        self._origin, self._pages, self._delay, self._numbers = origin, pages, delay, count(1)

    def get(self, path: str, default: Any = None) -> Any:
        if not path.startswith("/s/"):
            return super().get(path, default)
        pages = "".join(f"<url><loc>{self._origin}/p{next(self._numbers)}</loc></url>" for _ in range(self._pages))
        children = [f"{self._origin}/s/{next(self._numbers)}.xml" for _ in range(2)]
        text = str(index(*children).body).replace("</sitemapindex>", f"{pages}</sitemapindex>")
        return Answer(text, type="application/xml", delay=self._delay)


def read(site: TableSite, *, pages: int = 0, delay: float = 0.0, **settings: Any) -> Discovery:
    site.answers = EndlessIndexes(site.origin, pages, delay)
    return headwater.discover(site.origin, stages=["sitemaps"], retries=0, max_sitemap_depth=20, **settings)


def unread(found: Discovery) -> dict[str, Any]:
    """Return the evidence about files that were not read."""
    contents = (one.content for one in found.evidence if one.kind == "sitemap_fetch")
    return next((dict(content) for content in contents if content.get("meaning") == "not-read"), {})


def test_indexes_that_name_only_indexes_end() -> None:
    with table_site(lambda _: {}) as site:
        found = read(site, max_sitemap_files=20)
        assert sum(site.hits.values()) == 21  # and robots.txt
        stage, scan = found.stages[1], found.store.last_scan()
        assert (stage.state, stage.limit) == ("done", "max_sitemap_files")
        assert unread(found)["limit"] == "max_sitemap_files"
        assert stage.note.endswith(f"{unread(found)['count']} not read")
        assert scan is not None
        assert scan.state == "limited"


def test_sitemaps_with_new_urls_are_all_read() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        files = {f"/s{number}.xml": urlset(f"{origin}/p{number}") for number in range(30)}
        return {
            "/robots.txt": robots(f"Sitemap: {origin}/i.xml"),
            "/i.xml": index(*(origin + path for path in files)),
            **files,
        }

    with table_site(make) as site:
        found = headwater.discover(site.origin, stages=["sitemaps"], sitemap_places=[], max_sitemap_files=5)
        assert (len(found.urls), found.stages[1].limit, unread(found)) == (30, "", {})


def test_sitemaps_with_few_new_urls_end_by_the_idle_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "MIN_URLS_PER_SECOND", 1000.0)
    with table_site(lambda _: {}) as site:
        found = with_growing_limit(
            lambda limit: read(site, pages=1, delay=0.05, sitemaps_idle_timeout=limit), lambda found: found.urls, 0.3
        )
        stage = found.stages[1]
        assert (stage.state, stage.limit) == ("timed-out", "sitemaps_idle_timeout")
        assert stage.urls == len(found.urls) > 0
        assert unread(found)["limit"] == "sitemaps_idle_timeout"


def test_a_deadline_that_cuts_sitemaps_short_makes_the_scan_incomplete() -> None:
    with table_site(lambda _: {}) as site:
        found = with_growing_limit(lambda limit: read(site, pages=1, delay=0.05, sitemaps_deadline=limit), unread, 0.3)
        scan = found.store.last_scan()
        assert found.stages[1].limit == unread(found)["limit"] == "sitemaps_deadline"
        assert scan is not None
        assert scan.state == "limited"


def test_a_host_whose_sitemaps_fail_is_not_requested_for_all_of_them(tmp_path: Path) -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        failing = [f"{origin}/s{number}.xml" for number in range(50)]
        return {
            "/": "home",
            "/robots.txt": robots(f"Sitemap: {origin}/i.xml"),
            "/i.xml": index(*failing),
            **{f"/s{number}.xml": Answer("", 500) for number in range(50)},
        }

    options = ("--db", str(tmp_path / "x.db"), "--retries", "0", "--render", "never")
    with table_site(make) as site:
        result = command("discover", site.origin, *options, "--max-sitemap-failures", "10", "--strict")
        requested = sum(count for path, count in site.hits.items() if path.startswith("/s") and path[2:3].isdigit())
        assert 10 <= requested < 30  # responses of other files may come in between
        assert f"{50 - requested} not read" in result.err
        assert "INCOMPLETE: --max-sitemap-failures 10 ended the sitemaps" in result.err
        assert "--max-sitemap-failures none" in result.err
        assert result.code == 3
        command("resume", *options[:2], "--max-sitemap-failures", "none")
        assert len(site.hits.keys() & {f"/s{number}.xml" for number in range(50)}) == 50


@pytest.mark.parametrize("behaviour", ["silent", "drip", "no-answer"])
def test_without_an_answer_for_robots_txt_nothing_else_is_requested(behaviour: str) -> None:
    with fault_server(robots=BEHAVIOURS[f"/{behaviour}"]) as server:
        found = headwater.discover(server.origin, retries=0, timeout=0.3, render="never")
        assert {seen.path for seen in server.seen} <= {"/robots.txt"}
        scan = found.store.last_scan()
        assert scan is not None
        assert (scan.state, [(page.state, page.reason) for page in found.pages]) == (
            "incomplete",
            [("deferred", "robots-unreachable")],
        )


def test_pages_of_a_host_that_stops_answering_are_deferred(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circuit_breaker, "MIN_OUTAGE_SECONDS", 0.0)

    def make(_: str) -> dict[str, Answer | str]:
        links = "".join(f'<a href="/p{number}">{number}</a>' for number in range(30))
        return {"/": links, **{f"/p{number}": Answer("", delay=2 * PATIENCE) for number in range(30)}}

    with table_site(make) as site:
        options = {"retries": 0, "max_unanswered": 5, "max_parallel": 2, "render": "never"}
        found = with_growing_limit(
            lambda limit: headwater.discover(site.origin, timeout=limit, **options),
            lambda found: len(found.urls) > 1,
            0.2,
        )
        states = [(page.state, page.reason) for page in found.store.pages(found.scan) if "/p" in page.url]
        failed = sum(state == "failed" and str(reason).startswith("timeout") for state, reason in states)
        assert states.count(("deferred", "host-unresponsive")) == 30 - failed
        assert failed <= 6  # two at a time
        scan = found.store.last_scan()
        assert scan is not None
        assert scan.state == "incomplete"


@pytest.mark.parametrize("hanging", ["/robots.txt", "/", "/sitemap.xml", "a path that does not exist"])
def test_a_scan_ends_in_time_in_every_stage(hanging: str) -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        path = hanging if hanging.startswith("/") else make_probe_url(origin).removeprefix(origin)
        return {"/": "home", path: Answer("", delay=600.0)}

    async def scan(origin: str) -> Discovery:
        found = headwater.adiscover(origin, max_time=0.5, timeout=600.0, idle_timeout=600, render="never")
        return await asyncio.wait_for(found, PATIENCE)

    with table_site(make) as site:
        found = asyncio.run(scan(site.origin))
        assert "max_time" in {report.limit for report in found.stages}


def test_a_stop_request_is_obeyed_before_the_first_stage() -> None:
    async def reach(origin: str) -> bool:
        store = MemoryStore()
        task = ScanTask(store, store.create_scan([origin], {}), Settings(timeout=600.0, idle_timeout=600))
        async with open_context(task, ScanDeadline()) as context:
            asyncio.get_running_loop().call_later(0.1, context.deadline.stop, "interrupted")
            await asyncio.wait_for(check_reachable(context), PATIENCE)
            return context.deadline.is_over

    with fault_server(robots=BEHAVIOURS["/silent"]) as server:
        assert asyncio.run(reach(server.origin))


def test_start_pages_that_hang_do_not_delay_the_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nav_scrape, "MAX_SECONDS", 0.1)
    monkeypatch.setattr(nav_scrape, "MAX_CONCURRENT_PAGES", 1)

    def make(_: str) -> dict[str, Answer | str]:
        return {f"/{name}/": Answer(f'<nav><a href="/{name}/1">1</a></nav>', delay=0.2) for name in "abc"}

    with table_site(make) as site:
        seeds = [f"{site.origin}/{name}/" for name in "abc"]
        found = headwater.discover(seeds, retries=0, render="never")
        assert (found.stages[0].state, found.stages[0].note) == ("timed-out", "out of time, 2 start pages not read")
        assert set(seeds) <= set(found.urls)


def test_a_scan_of_several_hosts_starts_when_one_of_them_responds() -> None:
    async def reach(*origins: str) -> None:
        store = MemoryStore()
        task = ScanTask(store, store.create_scan(origins, {}), Settings(timeout=600.0, idle_timeout=600))
        async with open_context(task, ScanDeadline()) as context:
            await asyncio.wait_for(check_reachable(context), PATIENCE)

    with fault_server(robots=BEHAVIOURS["/silent"]) as hanging, fault_server() as good:
        asyncio.run(reach(hanging.origin, good.origin))


def test_a_probe_for_soft_404s_that_hangs_is_tried_once() -> None:
    def scan(limit: float) -> Discovery:
        site.hits.clear()
        return headwater.discover(site.origin, timeout=limit, render="never")

    with table_site(
        lambda origin: {"/": "home", make_probe_url(origin).removeprefix(origin): Answer("", delay=2 * PATIENCE)}
    ) as site:
        found = with_growing_limit(scan, lambda found: found.urls, 0.2)
        assert (site.hits[make_probe_url(site.origin).removeprefix(site.origin)], found.urls) == (
            1,
            [f"{site.origin}/"],
        )


def resume(store: MemoryStore, scan: Scan) -> tuple[StageReport, ...]:
    settings = Settings(retries=0, render="never", sitemap_places=())
    return asyncio.run(ScanRunner(ScanTask(store, scan, settings)).run()).reports


def test_incomplete_sitemaps_are_read_again_by_resume_and_not_by_the_next_slice() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        return {
            "/": '<a href="/a">a</a>',
            "/a": Answer("page", delay=30.0),
            "/robots.txt": robots("".join(f"Sitemap: {origin}/s{number}.xml\n" for number in range(20))),
            **{f"/s{number}.xml": Answer("", 500) for number in range(20)},
        }

    def count_requests(site: TableSite) -> int:
        return sum(hits for path, hits in site.hits.items() if path.endswith(".xml"))

    with table_site(make) as site:
        store = MemoryStore()
        scan = store.create_scan([site.origin], {})
        asyncio.run(end_when_crawling(store, scan, site))
        before = count_requests(site)
        site.answers["/a"] = Answer("page")
        reports = resume(store, scan)
        assert (count_requests(site), reports[1].limit) == (before, "max_sitemap_failures")
        resume(store, scan)
        assert count_requests(site) > before


async def end_when_crawling(store: MemoryStore, scan: Scan, site: TableSite) -> None:
    settings, first = Settings(retries=0, render="never", sitemap_places=()), Slice(None, 0.0, lambda _: None)
    runner = ScanRunner(ScanTask(store, scan, settings, first.make_listener()))
    work = asyncio.create_task(runner.run_slice(first))
    while not site.hits["/a"]:  # noqa: ASYNC110  (the server is another thread)
        await asyncio.sleep(0.02)
    first.end_crawl()
    with pytest.raises(SliceEndedError):
        await work
