"""Nothing is lost when a scan is resumed after failures, interruptions and lost leases."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from headwater.errors import LeaseLostError
from headwater.runner.scan_runner import ScanRunner, ScanTask
from headwater.runner.slices import Slice, SliceEndedError
from headwater.settings import build_settings
from headwater.store import MemoryStore, SqliteStore
from tests.commands import PATIENCE, headwater
from tests.fetch.certificates import Authority
from tests.sites.table_site import Answer, TableSite, table_site, urlset

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from headwater.store import Store

BUSY = Answer("", 503)
CALM = ("--retries", "0", "--render", "never")


def robots(text: str) -> Answer:
    return Answer(text, type="text/plain")


def small_site(origin: str) -> dict[str, Answer | str]:
    return {
        "/robots.txt": BUSY,
        "/": '<a href="/linked">x</a>',
        "/linked": "linked",
        "/listed": "listed",
        "/named.xml": urlset(f"{origin}/listed"),
    }


@pytest.mark.parametrize("stages", ["nav,sitemaps,crawl", "nav,crawl"])
def test_pages_deferred_without_robots_txt_are_visited_later(stages: str, tmp_path: Path) -> None:
    """The sitemaps that robots.txt names are read then as well."""
    with table_site(small_site) as site:
        first = headwater("discover", site.origin, "--stages", stages, *CALM, cwd=tmp_path)
        assert "Retry with: headwater resume" in first.err, first.err
        site.answers["/robots.txt"] = robots(f"Sitemap: {site.origin}/named.xml")
        second = headwater("resume", cwd=tmp_path)
        assert (site.hits["/"] > 0, site.hits["/linked"]) == (True, 1)
        wanted = {f"{site.origin}/", f"{site.origin}/linked"}
        assert set(second.out.splitlines()) == wanted | ({f"{site.origin}/listed"} if "sitemaps" in stages else set())
        assert second.code == 0
    store = SqliteStore(str(tmp_path / "headwater.db"))
    last = store.last_scan()
    assert last is not None
    assert last.state == "done"
    store.close()


@pytest.mark.parametrize("path", ["/robots.txt", "/"])
def test_unreachable_sites_of_a_list_are_retried(path: str, tmp_path: Path) -> None:
    with table_site(small_site) as site, table_site(lambda _: {"/": "fine"}) as other:
        site.answers["/robots.txt"] = robots("")
        answer = site.answers[path]
        site.answers[path] = BUSY
        first = headwater("discover", site.origin, other.origin, *CALM, cwd=tmp_path)
        assert "1 done" in first.err, first.err
        site.answers[path] = answer
        second = headwater("resume", cwd=tmp_path)
        assert "(2 done)" in second.err, second.err
        assert set(second.out.splitlines()) == {f"{site.origin}/", f"{site.origin}/linked", f"{other.origin}/"}
        assert other.hits["/"] == first.out.count(other.origin)


def scanned(store: Store, origin: str, *, control: Callable[[Slice], object] | None = None, **settings: Any) -> int:
    """Return the number of a scan that ran in slices; `control` receives the first one."""
    given = build_settings({"retries": 0, "render": "never", "stages": ("sitemaps", "crawl"), **settings})
    scan = store.create_scan([origin], {})

    async def run() -> None:
        for turn in range(3):
            one = Slice(None, 5.0, lambda _: None)
            if control is not None and not turn:
                control(one)
            try:
                await ScanRunner(ScanTask(store, scan, given, one.make_listener())).run_slice(one)
                return
            except SliceEndedError:
                continue

    asyncio.run(run())
    return scan.number


def test_a_slice_that_ends_with_the_last_page_leaves_missing_pages_to_the_next() -> None:
    """Pages without links are requested before they count as gone."""
    with table_site(lambda _: {"/": '<a href="/old">x</a>', "/old": "still there"}) as site:
        store = MemoryStore()
        first = scanned(store, f"{site.origin}/")
        site.answers["/"] = Answer("no link", delay=0.8)
        second = scanned(store, f"{site.origin}/", control=lambda one: _end_during_first_page(site, one))
        assert site.hits["/old"] == 2
        assert [change.change for change in store.changes(first, second) if change.url.endswith("/old")] == []


def _end_during_first_page(site: TableSite, one: Slice) -> None:
    """End the slice while the first page is being requested."""

    async def end() -> None:
        before = site.hits["/"]
        while site.hits["/"] == before:  # noqa: ASYNC110  (a thread counts)
            await asyncio.sleep(0.01)
        one.end_crawl()

    _tasks.add(asyncio.get_running_loop().create_task(end()))


_tasks: set[asyncio.Task[None]] = set()


def test_a_lost_lease_ends_the_reading_of_sitemaps() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        return {"/robots.txt": robots(f"Sitemap: {origin}/a.xml"), "/a.xml": urlset(f"{origin}/x")}

    async def run(origin: str) -> None:
        answers = iter([True, True])
        settings = build_settings({"retries": 0, "render": "never", "stages": ("sitemaps",)})
        store = MemoryStore()
        task = ScanTask(store, store.create_scan([origin], {}), settings, may_request=lambda: next(answers, False))
        async with asyncio.timeout(PATIENCE):
            await ScanRunner(task).run_slice(Slice(None, 5.0, lambda _: None))

    with table_site(make) as site, pytest.raises(LeaseLostError):
        asyncio.run(run(f"{site.origin}/"))


def test_a_pause_requested_by_a_redirected_host_is_kept() -> None:
    async def pause(seed: str) -> float:
        given = {"retries": 0, "render": "never", "stages": ("nav", "crawl"), "allow_private": ("127.0.0.2",)}
        store = MemoryStore()
        runner = ScanRunner(ScanTask(store, store.create_scan([seed], {}), build_settings(given)))
        await runner.run_slice(Slice(None, 5.0, lambda _: None))
        return runner.required_pause

    busy = Answer("", 429, headers={"Retry-After": "120"})
    with table_site(lambda _: {"/": '<a href="/p">x</a>', "/p": busy}, host="127.0.0.2") as target:
        moved = Answer("", 301, headers={"Location": f"{target.origin}/"})
        with table_site(lambda _: {"/": moved}) as site:
            assert asyncio.run(pause(f"{site.origin}/")) > 60


def test_headers_are_sent_when_a_preset_forces_https(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    with table_site(lambda _: {"/": "home"}, tls=authority.server("127.0.0.1")) as site:
        seed = site.origin.replace("https:", "http:")
        options = ("--preset", "scan", "--header", "Cookie: a=1", "--ca-file", authority.file)
        result = headwater("discover", seed, *options, *CALM, cwd=tmp_path)
        assert result.code == 0, result.err
        assert {headers.get("cookie") for path, headers, _ in site.requests if path == "/"} == {"a=1"}


@pytest.mark.parametrize("number", ["one site", "two sites", "two processes"])
def test_a_full_disk_is_reported(number: str, tmp_path: Path) -> None:
    """The error is one sentence without a traceback."""
    text = "words and more words " * 5
    pages = {"/": "".join(f'<a href="/a-page-with-a-long-name-{n}">{text}</a>' for n in range(3000))}
    with table_site(lambda _: pages) as site, table_site(lambda _: pages) as other:
        urls = [site.origin] if number == "one site" else [site.origin, other.origin]
        more = ("--processes", "2") if number == "two processes" else ()
        result = headwater("discover", *urls, *CALM, *more, "--max-pages", "30", cwd=tmp_path, largest_file=400_000)
        assert (result.code, "Error: headwater.db could not be used: " in result.err) == (1, True), result.err
        assert "`headwater resume --db headwater.db` continues the scan" in result.err
        assert "Traceback" not in result.err
        assert headwater("resume", "--max-pages", "40", "--format", "text", cwd=tmp_path).code == 0


def test_the_password_of_a_proxy_comes_from_the_environment_again(tmp_path: Path) -> None:
    """The store does not keep it."""
    busy = {f"http://127.0.0.1:1/{path}": BUSY for path in ("", "robots.txt")}
    with table_site(lambda _: busy) as proxy:
        environment = {"HEADWATER_PROXY": proxy.origin.replace("//", "//user:swordfish@")}
        for command in (("crawl", "http://127.0.0.1:1/"), ("resume",)):
            proxy.requests.clear()
            headwater(*command, "--retries", "0", cwd=tmp_path, environment=environment)
            assert [headers.get("proxy-authorization", "")[:6] for _, headers, _ in proxy.requests][:1] == ["Basic "]
