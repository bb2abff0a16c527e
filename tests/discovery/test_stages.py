"""The stages over real sockets: thresholds, limits and deadlines of the presets, and evidence for each."""

from __future__ import annotations

import asyncio
import gzip
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from sample.serve import sample_site

import headwater
from headwater.discovery.context import ScanProgress
from headwater.discovery.pipeline import STAGES, find_main_source
from headwater.discovery.stage import Stage, StageReport, run_isolated
from headwater.discovery.stage_names import STAGE_NAMES
from headwater.discovery.stages.crawl import CrawlStage
from headwater.discovery.stages.nav_scrape import NavigationStage
from headwater.discovery.stages.sitemaps import SitemapStage
from headwater.runner.scan_runner import ScanRunner, ScanTask
from headwater.settings import Settings, build_settings, preset
from headwater.store import SqliteStore
from tests.commands import with_growing_limit
from tests.sites.table_site import Answer, index, robots, table_site, urlset

if TYPE_CHECKING:
    from pathlib import Path

    from headwater import Discovery
    from headwater.discovery.context import ScanContext
    from headwater.model import Evidence
    from tests.sites.table_site import TableSite


def run(origin: str, **settings: Any) -> Discovery:
    return headwater.discover(origin, **{"retries": 0, **settings})


def paths(found: Discovery, origin: str, source: str = "") -> set[str]:
    return {page.url.removeprefix(origin) or "/" for page in found.pages if not source or source in page.sources}


def evidence(found: Discovery, kind: str) -> list[Evidence]:
    return [one for one in found.evidence if one.kind == kind]


@pytest.mark.parametrize(
    ("stage", "settings", "progress", "needed"),
    [
        (NavigationStage(), preset("waterfall"), ScanProgress(), True),
        (NavigationStage(), preset("scan"), ScanProgress(), False),
        (SitemapStage(), preset("waterfall"), ScanProgress(), True),
        (SitemapStage(), preset("crawl"), ScanProgress(), False),
        (CrawlStage(), preset("waterfall"), ScanProgress(499), True),
        (CrawlStage(), preset("waterfall"), ScanProgress(500), False),
        (CrawlStage(), preset("scan"), ScanProgress(9), True),
        (CrawlStage(), preset("scan"), ScanProgress(10), False),
        (CrawlStage(), preset("docs"), ScanProgress(100_000), True),
        (CrawlStage(), build_settings({"always_crawl": True}), ScanProgress(100_000), True),
        (CrawlStage(), build_settings({"stages": ["sitemaps"]}), ScanProgress(), False),
    ],
)
def test_which_stages_are_needed(stage: Stage, settings: Settings, progress: ScanProgress, needed: bool) -> None:
    assert stage.is_needed(settings, progress) is needed


def test_sources_of_the_sample_site() -> None:
    with sample_site() as origin:
        found = run(origin)
    by_path = {page.url.removeprefix(origin): page for page in found.pages}
    assert by_path["/about.html"].sources == ("navigation", "sitemap-index")
    assert by_path["/about.html"].importance == 1.0
    assert by_path["/guides/winter.html"].sources == ("sitemap-index",)  # an orphan: no page links to it
    assert by_path["/guides/winter.html"].state == "fetched"
    assert by_path["/guides/winter.html"].depth is None
    assert by_path["/guides/winter.html"].found_on == f"{origin}/sitemap-guides.xml"
    assert "feed" in by_path["/press/kit.html"].sources
    assert "/guides/knots.html" not in by_path  # a sitemap names it, but it is gone
    everything = {page.url.removeprefix(origin): page for page in found.store.pages(found.scan)}
    assert (everything["/guides/knots.html"].status, everything["/guides/knots.html"].list_name) == (404, "broken")
    assert by_path["/imprint.html"].sources == ("footer",)
    assert all(page.clusters for page in by_path.values())
    assert found.source == "sitemap+crawl"
    assert [(stage.name, stage.state) for stage in found.stages] == [
        ("nav", "done"),
        ("sitemaps", "done"),
        ("crawl", "done"),
        ("render", "skipped"),
        ("merge", "done"),
    ]


def test_navigation_links_have_texts_and_importance() -> None:
    page = (
        "<header><a href=/start>Get   started</a></header><aside><a href=/side>Side</a></aside>"
        "<main><a href=/deep>Deep</a></main>"
    )
    with table_site(lambda _: {"/": page}) as site:
        found = run(site.origin, stages=["nav"])
        assert site.hits == {"/": 1, "/robots.txt": 1}
    assert {page.title: page.importance for page in found.pages} == {"Get started": 1.0, "Side": 1.0}


def test_navigation_by_class_name_where_there_are_no_landmarks() -> None:
    page = "<div class='site-nav'><a href=/a>A</a></div><ul id=menu-main><li><a href=/b>B</a></ul><p><a href=/c>C</a>"
    with table_site(lambda _: {"/": page}) as site:
        found = run(site.origin, stages=["nav"])
        assert paths(found, site.origin) == {"/a", "/b"}


def test_navigation_is_resolved_against_the_base_of_the_page() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        page = '<base href="/docs/"><link rel=sitemap href=all.xml><nav><a href="intro">Intro</a></nav>'
        return {"/": page, "/docs/all.xml": urlset(f"{origin}/docs/listed")}

    with table_site(make) as site:
        found = run(site.origin, stages=["nav", "sitemaps"])
        assert paths(found, site.origin) == {"/docs/intro", "/docs/listed"}


def test_the_root_page_is_requested_once() -> None:
    with table_site(lambda _: {"/": "<nav><a href=/a>A</a></nav>", "/a": "<a href=/>home</a>"}) as site:
        found = run(site.origin)
        assert site.hits["/"] == 1
        assert {(page.url.removeprefix(site.origin), page.status) for page in found.pages} == {("/", 200), ("/a", 200)}


def test_a_sufficient_sitemap_makes_the_crawl_unnecessary() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        return {"/": "<a href=/x>x</a>", "/sitemap.xml": urlset(*(f"{origin}/p{number}" for number in range(500)))}

    with table_site(make) as site:
        found = run(site.origin, preset="waterfall")
        assert "/x" not in paths(found, site.origin)
        assert site.hits["/x"] == 0
        assert found.source == "sitemap"


def test_the_site_is_crawled_by_default_however_many_urls_the_sitemap_lists() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        pages: dict[str, Answer | str] = {f"/p{number}": f"page {number}" for number in range(500)}
        listed = urlset(*(f"{origin}/p{number}" for number in range(520)))
        return pages | {"/": "<a href=/x>x</a>", "/x": "linked only", "/sitemap.xml": listed}

    with table_site(make) as site:
        found = run(site.origin)
        assert paths(found, site.origin) == {"/", "/x", *(f"/p{number}" for number in range(500))}
        broken = [page for page in found.store.pages(found.scan) if page.list_name == "broken"]
        assert len(broken) == 20  # the sitemap lists them, and they are gone


def test_indexes_gzip_feeds_text_and_hints() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        packed = gzip.compress(str(urlset(f"{origin}/packed").body).encode())
        feed = f"<rss><channel><item><title>News</title><link>{origin}/news</link></item></channel></rss>"
        return {
            "/": "<link rel=alternate type=application/rss+xml href=/blog.rss><link rel=sitemap href=/hinted.xml>",
            "/robots.txt": robots(f"User-agent: *\nSite-map: {origin}/one.xml\nSitemap: /relative.xml"),
            "/one.xml": index(f"{origin}/two.xml", f"{origin}/packed.xml.gz", f"{origin}/missing.xml"),
            "/two.xml": index(f"{origin}/three.xml"),
            "/three.xml": urlset(f"{origin}/deep", "/relative", "https://elsewhere.example/", f"{origin}/four.xml"),
            "/four.xml": urlset(f"{origin}/misplaced"),
            "/packed.xml.gz": Answer(packed, type="application/gzip"),
            "/relative.xml": urlset(f"{origin}/declared"),
            "/hinted.xml": urlset(f"{origin}/hinted"),
            "/blog.rss": Answer(feed, type="application/rss+xml"),
            "/sitemap.txt": Answer(f"{origin}/from-text\n", type="text/plain"),
        }

    with table_site(make) as site:
        found = run(site.origin, stages=["nav", "sitemaps"])
        listed = {page.url.removeprefix(site.origin): page for page in found.pages}
        assert set(listed) == {"/deep", "/packed", "/declared", "/hinted", "/news", "/from-text", "/misplaced"}
        assert listed["/deep"].sources == ("sitemap-index",)
        assert listed["/declared"].sources == ("sitemap",)
        assert (listed["/news"].sources, listed["/news"].title) == (("feed",), "News")
        assert found.skipped == {"relative-loc": 1, "other-host": 1}
        fetched = {one.url.removeprefix(site.origin): one for one in evidence(found, "sitemap_fetch")}
        assert (fetched["/missing.xml"].status, fetched["/missing.xml"].content["meaning"]) == (404, "absent")
        assert fetched["/three.xml"].parent == fetched["/two.xml"].number
        accept = [headers["accept"] for path, headers, _ in site.requests if path == "/one.xml"]
        assert accept == ["application/xml, text/xml, */*"]


def test_a_sitemap_beyond_the_limit_is_read_up_to_it() -> None:
    """Uncompressed, gzipped and as text: complete entries are listed, and the evidence says too-large."""

    def make(origin: str) -> dict[str, Answer | str]:
        plain = str(urlset(*(f"{origin}/x{number:04}" for number in range(200))).body)
        packed = gzip.compress(plain.replace("/x", "/g").encode())
        lines = "".join(f"{origin}/t{number:04}\n" for number in range(500))
        return {
            "/sitemap.xml": Answer(plain, type="application/xml"),
            "/robots.txt": robots(f"Sitemap: {origin}/s.xml.gz\nSitemap: {origin}/s.txt"),
            "/s.xml.gz": Answer(packed, type="application/gzip"),
            "/s.txt": Answer(lines, type="text/plain"),
        }

    with table_site(make) as site:
        found = run(site.origin, stages=["sitemaps"], max_sitemap_bytes=4096)
        listed = sorted(page.url.removeprefix(site.origin) for page in found.pages)
        for letter, length in (("x", 6), ("g", 6), ("t", 6)):
            ours = [path for path in listed if path[1] == letter]
            assert ours == [f"/{letter}{number:04}" for number in range(len(ours))]
            assert 20 < len(ours) < 200
            assert {len(path) for path in ours} == {length}
        fetched = [one for one in evidence(found, "sitemap_fetch") if one.success]
        assert {one.error for one in fetched} == {"too-large: only the first 4,096 bytes were read"}
        assert len(fetched) == 3


def test_feeds_with_relative_links_and_in_json() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        item = f'{{"url": "{origin}/blog/third"}}'
        return {
            "/": "<link rel=alternate type=application/atom+xml href=/blog/atom>"
            "<link rel=alternate type=application/feed+json href=/blog/feed.json>",
            "/blog/atom": Answer(
                "<feed><entry><link href='first'/></entry><entry><link href='/blog/second'/></entry></feed>",
                type="application/atom+xml",
            ),
            "/blog/feed.json": Answer(
                f'{{"version": "https://jsonfeed.org/version/1.1", "items": [{item}]}}', type="application/feed+json"
            ),
        }

    with table_site(make) as site:
        found = run(site.origin, stages=["nav", "sitemaps"])
        listed = {page.url.removeprefix(site.origin): page.sources for page in found.pages}
        assert listed == dict.fromkeys(["/blog/first", "/blog/second", "/blog/third"], ("feed",))
        assert not found.skipped


def test_navigation_and_links_write_queries_in_the_encoding_of_the_page() -> None:
    body = "<nav><a href='/r?q=été'>x</a></nav><a href='/s?q=été'>x</a>".encode("latin-1")
    pages: dict[str, Answer | str] = {
        "/": Answer(body, type="text/html; charset=iso-8859-1"), "/r?q=%E9t%E9": "r", "/s?q=%E9t%E9": "s"
    }  # fmt: skip
    with table_site(lambda _: pages) as site:
        found = run(site.origin, always_crawl=True)
        fetched = {page.url.removeprefix(site.origin) for page in found.pages if page.state == "fetched"}
    assert fetched == set(pages)


@pytest.mark.parametrize(("depth", "expected"), [(5, {"/at5"}), (2, set())])
def test_nested_indexes_are_read_up_to_the_maximum_depth(depth: int, expected: set[str]) -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        chain: dict[str, Answer | str] = {f"/i{n}.xml": index(f"{origin}/i{n + 1}.xml") for n in range(1, 5)}
        return {**chain, "/sitemap.xml": index(f"{origin}/i1.xml"), "/i5.xml": urlset(f"{origin}/at5")}

    with table_site(make) as site:
        found = run(site.origin, stages=["sitemaps"], max_sitemap_depth=depth)
        assert paths(found, site.origin) == expected


@pytest.mark.parametrize("cap", [{"max_sitemap_urls": 25}, {"max_urls_per_source": 25}])
def test_limits_per_source_are_exact(cap: dict[str, int]) -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        urls = [f"{origin}/p{number // 2}" for number in range(100)]  # every page twice
        return {"/sitemap.xml": urlset(*urls), "/sitemap_index.xml": urlset(*urls)}

    with table_site(make) as site:
        found = run(site.origin, stages=["sitemaps"], **cap)
        assert len(found.urls) == 25
        assert found.stages[1].limit == next(iter(cap))


def test_alternates_and_metadata_of_sitemap_entries() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        link = f'<xhtml:link rel="alternate" hreflang="de" href="{origin}/de"/>'
        block = f"<url><loc>{origin}/en</loc><lastmod>2026-01-02</lastmod><priority>0.9</priority>{link}</url>"
        return {"/sitemap.xml": Answer(f"<urlset>{block}</urlset>", type="text/xml")}

    with table_site(make) as site:
        found = run(site.origin, stages=["sitemaps"])
        english, german = sorted(found.pages, key=lambda page: page.url, reverse=True)
        assert (english.lastmod, english.sitemap_priority) == ("2026-01-02", 0.9)
        assert (german.language, german.skip_scrape, english.skip_scrape) == ("de", True, False)


def test_blocked_sitemaps_are_not_reported_as_absent() -> None:
    blocked = dict.fromkeys(("/sitemap.xml", "/sitemap_index.xml"), Answer("no", 403))
    page = "<html><body>Please complete the CAPTCHA</body></html>"
    with table_site(lambda _: {"/": "hi", **blocked, "/sitemaps.xml": page}) as site:
        found = run(site.origin)
        meanings = {one.url: one.content["meaning"] for one in evidence(found, "sitemap_fetch") if one.url}
        assert meanings[f"{site.origin}/sitemap.xml"] == "blocked"
        assert meanings[f"{site.origin}/sitemaps.xml"] == "blocked"
        assert found.stages[1].note.startswith("blocked, not absent: ")
        absent = next(one for one in evidence(found, "sitemap_fetch") if not one.url)
        assert f"{site.origin}/wp-sitemap.xml" in absent.content["absent"]  # type: ignore[operator]


def test_a_sitemap_that_hangs_does_not_delay_the_scan_for_long() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        return {
            "/robots.txt": robots(f"Sitemap: {origin}/slow.xml\nSitemap: {origin}/fast.xml"),
            "/slow.xml": Answer("", delay=600.0),
            "/fast.xml": urlset(f"{origin}/fast"),
        }

    with table_site(make) as site:
        found = with_growing_limit(
            lambda limit: run(site.origin, stages=["sitemaps"], sitemap_timeout=limit), lambda found: found.urls, 0.3
        )
        assert paths(found, site.origin) == {"/fast"}
        slow = next(one for one in evidence(found, "sitemap_fetch") if one.url.endswith("/slow.xml"))
        assert (slow.success, slow.content["meaning"], "timeout" in slow.error) == (False, "failed", True)
        found = with_growing_limit(
            lambda limit: run(site.origin, stages=["sitemaps"], sitemaps_deadline=limit), lambda found: found.urls, 0.5
        )
        assert (paths(found, site.origin), found.stages[1].state) == ({"/fast"}, "timed-out")


def test_broken_xml_is_read_up_to_the_error() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        return {"/sitemap.xml": Answer(f"<urlset><url><loc>{origin}/a?x=1&y=2</loc></url><url><loc>{origin}/b", 200)}

    with table_site(make) as site:
        found = run(site.origin, stages=["sitemaps"])
        assert paths(found, site.origin) == {"/a?x=1&y=2"}
        assert evidence(found, "sitemap_fetch")[0].error == "it ends early"


def test_an_unreachable_robots_txt_defers_pages_but_not_sitemaps() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        return {"/robots.txt": robots("", 500), "/": "home", "/sitemap.xml": urlset(f"{origin}/a")}

    with table_site(make) as site:
        found = run(site.origin)
        assert {(page.url.removeprefix(site.origin), page.state) for page in found.pages} == {
            ("/", "deferred"),
            ("/a", "deferred"),
        }
        assert (site.hits["/"], site.hits["/a"]) == (0, 0)
        answer = evidence(found, "robots_txt")[0]
        assert (answer.success, answer.status) == (False, 500)


def test_only_the_origin_with_an_unreachable_robots_txt_is_deferred() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        return {"/": "x", "/sitemap.xml": urlset(f"{origin}/a")}

    with table_site(make) as shut, table_site(make, host="127.0.0.2") as open_:
        shut.answers["/robots.txt"] = robots("", 500)
        found = headwater.discover([shut.origin, open_.origin], retries=0)
        states = {page.url: (page.state, page.list_name) for page in found.store.pages(found.scan)}
        assert states[f"{shut.origin}/a"] == ("deferred", "pages")
        assert states[f"{open_.origin}/a"] == ("failed", "broken")  # its sitemap lists it, but it does not exist


def test_an_unrequested_304_is_tolerated() -> None:
    with table_site(lambda _: {"/": '<a href="/odd">x</a>', "/odd": Answer("", 304)}) as site:
        found = run(site.origin)
        assert paths(found, site.origin) == {"/", "/odd"}


def test_a_start_page_that_redirects_extends_the_scope() -> None:
    with table_site(lambda origin: {"/": "<nav><a href=/a>A</a></nav>", "/a": "a"}, host="127.0.0.2") as other:
        to = Answer("", 301, headers={"Location": f"{other.origin}/"})
        with table_site(lambda _: {"/": to}) as site:
            found = run(site.origin, allow_private=["127.0.0.2"])
            assert f"{other.origin}/a" in found.urls
            moved = evidence(found, "redirect")[0]
            assert (moved.url, moved.content["to"]) == (f"{site.origin}/", f"{other.origin}/")


def test_max_depth_limits_visits_and_not_the_list() -> None:
    chain: dict[str, Answer | str] = {f"/{n}": f"<a href=/{n + 1}>next one</a>" for n in range(1, 9)}
    with table_site(lambda _: {"/": "<a href=/1>1</a>", **chain}) as site:
        found = run(site.origin, preset="waterfall")
        assert paths(found, site.origin) == {"/", "/1", "/2", "/3", "/4"}
        assert (site.hits["/3"], site.hits["/4"]) == (1, 0)
        crawl = next(stage for stage in found.stages if stage.name == "crawl")
        assert crawl.limit == "max_depth"
        assert next(
            one for one in evidence(found, "stage") if one.url == "crawl"
        ).success  # a depth limit is not a failure
        stats = evidence(found, "crawl_stats")[0].content
        assert (stats["depth_reached"], stats["pages_visited"]) == (3, 4)


def test_depth_is_counted_from_pages_that_only_a_sitemap_lists() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        pages: dict[str, Answer | str] = {f"/{n}": f"<a href=/{n + 1}>next one</a>" for n in range(1, 9)}
        pages |= {f"/lone{n}": f"<a href=/lone{n + 1}>next alone</a>" for n in range(9)}
        return pages | {"/": "<a href=/1>1</a>", "/sitemap.xml": urlset(f"{origin}/lone0")}

    with table_site(make) as site:
        found = run(site.origin, max_depth=2)
        assert {path for path, hits in site.hits.items() if hits and path in site.answers and path != "/"} == {
            "/1", "/2", "/lone0", "/lone1", "/lone2", "/sitemap.xml",
        }  # fmt: skip
        assert {page.url.removeprefix(site.origin) for page in found.pages if not page.verified} == {"/3", "/lone3"}


def test_numbered_lists_do_not_consume_depth() -> None:
    pages: dict[str, Answer | str] = {
        f"/list?page={n}": f'<a href="/list?page={n + 1}">{n + 1}</a><a href="/item{n}">Item</a>' for n in range(2, 9)
    }
    pages |= {f"/item{n}": f"item {n}" for n in range(2, 9)}
    with table_site(lambda _: {"/list": '<a href="/list?page=2">2</a>', **pages}) as site:
        found = run(f"{site.origin}/list", max_depth=1)
        assert {f"/item{n}" for n in range(2, 9)} <= paths(found, site.origin)


def test_soft_404s_are_detected() -> None:
    class Everything(dict[str, Answer]):
        """Returns the same page, which names the path, for every other path."""

        def get(self, path: str, default: Answer | None = None) -> Answer:  # type: ignore[override]
            if path in self:
                return self[path]
            if path in {"/robots.txt", "/sitemap.xml"}:
                return Answer("", 404)
            return Answer(f"<title>Oops</title><p>We could not find {path}, sorry!</p><a href=/home>Home</a>")

    links = "".join(f'<a href="/{name}">x</a>' for name in ("gone1", "gone2", "real"))
    with table_site(lambda _: {}) as site:
        real = Answer("<p>A real page</p><a href=/home>Home</a>", delay=0.3)  # read when the others are known
        site.answers = Everything({"/": Answer(links), "/real": real, "/home": Answer("<p>The home page</p>")})
        found = run(site.origin)
        assert paths(found, site.origin) == {"/", "/real", "/home"}
        everything = found.store.pages(found.scan)
        states = {page.url.removeprefix(site.origin): (page.state, page.reason) for page in everything}
        assert states["/real"] == ("fetched", None)
        assert states["/gone1"] == states["/gone2"] == ("failed", "soft-404")
        assert states["/home"] == ("fetched", None)  # linked from the real page; links of soft 404s are ignored
        probe = evidence(found, "soft_404")[0]
        assert (probe.success, probe.content["meaning"]) == (False, "missing paths return a page")


def test_docs_starts_at_every_sitemap_url() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        return {
            "/docs/": "<a href=/docs/linked>l</a><a href=/other>o</a>",
            "/docs/linked": "linked",
            "/docs/orphan": "<a href=/docs/behind>b</a>",
            "/docs/behind": "behind",
            "/sitemap.xml": urlset(f"{origin}/docs/orphan", f"{origin}/docs-old/x"),
        }

    with table_site(make) as site:
        found = run(f"{site.origin}/docs/", preset="docs")
        assert paths(found, site.origin) == {"/docs", "/docs/linked", "/docs/orphan", "/docs/behind"}
        initial = headwater.discover_initial_urls(f"{site.origin}/docs/", retries=0)
        assert initial == [f"{site.origin}/docs", f"{site.origin}/docs/orphan"]


def test_every_stage_has_a_title() -> None:
    assert list(STAGE_NAMES) == [stage.name for stage in STAGES]


class _FailingStage(Stage):
    name = "failing"

    def is_needed(self, settings: Settings, progress: ScanProgress) -> bool:
        return True

    async def run(self, context: ScanContext) -> StageReport:
        raise RuntimeError("not today")


async def _isolated() -> StageReport:
    return await run_isolated(_FailingStage(), None)  # type: ignore[arg-type]


def test_a_stage_that_fails_returns_a_report() -> None:
    import asyncio

    report = asyncio.run(_isolated())
    assert (report.state, report.note) == ("failed", "RuntimeError: not today")


@pytest.mark.parametrize(
    ("progress", "crawled", "source"),
    [
        (ScanProgress(20, 0, 0), 0, "sitemap"),
        (ScanProgress(0, 3, 9), 12, "crawl"),
        (ScanProgress(5, 3, 9), 12, "sitemap+crawl"),
        (ScanProgress(0, 3, 0), 0, "navigation"),
        (ScanProgress(), 0, "none"),
    ],
)
def test_main_source(progress: ScanProgress, crawled: int, source: str) -> None:
    assert find_main_source(progress, crawled) == source


def _twenty(_: str) -> dict[str, Answer | str]:
    pages: dict[str, Answer | str] = {"/": "".join(f"<a href=/{n}>x</a>" for n in range(20))}
    pages |= {f"/{n}": f"<a href=/{n + 1}>next</a><a href=/deep/{n}>x</a>" for n in range(20)}
    return pages | {f"/deep/{n}": f"deep {n}" for n in range(20)}


def test_the_limit_per_source_applies_to_the_crawl() -> None:
    with table_site(_twenty) as site:
        found = run(site.origin, max_urls_per_source=7, sitemap_places=())
        assert len(found.urls) == 8  # seven that the crawl found, and the seed
        assert found.skipped["max-urls-per-source"] > 10
        crawl = next(stage for stage in found.stages if stage.name == "crawl")
        assert crawl.limit == "max_urls_per_source"
        assert sum(site.hits[f"/{n}"] for n in range(20)) == 7


def test_each_source_has_its_own_limit() -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        def links(name: str) -> str:
            return "".join(f"<a href=/{name}{n}>x</a>" for n in range(9))

        pages: dict[str, Answer | str] = {f"/{name}{n}": f"{name} {n}" for name in "abc" for n in range(9)}
        listed = urlset(*(f"{origin}/c{n}" for n in range(9)))
        return pages | {"/": f"<main>{links('a')}</main><footer>{links('b')}</footer>", "/sitemap.xml": listed}

    with table_site(make) as site:
        found = run(site.origin, max_urls_per_source=4)
        names = Counter(page.url[len(site.origin) + 1 :][:1] for page in found.pages)
    assert names == {"": 1, "a": 4, "b": 4, "c": 4}


@pytest.mark.parametrize("links", ["first", "all"])
def test_inlinks_are_counted(links: str) -> None:
    with table_site(_twenty) as site:
        found = run(site.origin, links=links)
        inlinks = {page.url.removeprefix(site.origin): page.inlinks for page in found.pages}
    assert (inlinks["/7"], inlinks["/0"], inlinks["/deep/3"]) == (2, 1, 1)


def test_a_resumed_scan_restores_the_results_of_the_navigation_stage(tmp_path: Path) -> None:
    """Interrupted before the sitemaps: the start page names a sitemap on the host it redirects to."""
    with table_site(_moved_to) as target, table_site(lambda _: {"/": Answer("", 301, headers=_to(target))}) as old:
        db = str(tmp_path / "x.db")
        run(old.origin, db=db, stages="nav", allow_private="127.0.0.1")
        store = SqliteStore(db)
        scan = store.last_scan()
        assert scan is not None
        settings = build_settings({**scan.settings, "stages": ["nav", "sitemaps"], "allow_private": ["127.0.0.1"]})
        asyncio.run(ScanRunner(ScanTask(store, scan, settings)).run())
        urls = [page.url for page in store.pages(scan.number) if page.kind == "page"]
        store.close()
        assert f"{target.origin}/only-listed" in urls
        assert target.hits["/"] == 1


def _to(site: TableSite) -> dict[str, str]:
    return {"Location": f"{site.origin}/"}


def _moved_to(origin: str) -> dict[str, Answer | str]:
    return {
        "/": "<link rel=sitemap href=/hidden/map.xml><nav><a href=/a>A</a></nav>",
        "/hidden/map.xml": urlset(f"{origin}/only-listed"),
    }
