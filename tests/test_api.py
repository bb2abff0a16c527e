"""The Python API over real sockets."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from sample.serve import sample_site

import headwater
from headwater import Link
from tests.commands import headwater as run_headwater
from tests.fetch.certificates import Authority
from tests.sites.table_site import Answer, robots, table_site, urlset

if TYPE_CHECKING:
    from pathlib import Path


def test_discover_with_a_file(tmp_path: Path) -> None:
    db = tmp_path / "x.db"
    with sample_site() as origin:
        found = headwater.discover(origin, db=str(db), max_urls=5, links="all")
    assert db.is_file()
    assert len(found.urls) == 5  # those with the highest priority
    assert f"{origin}/" in found.urls
    assert (f"{origin}/", f"{origin}/about.html", "a") in {link[:3] for link in found.links}
    assert found.skipped["other-host"] >= 1
    assert found.statistics["total"] > 5
    assert {"guides", "catalogue"} <= {cluster.title for cluster in found.clusters}


def test_the_first_link_to_each_page_or_none() -> None:
    with sample_site() as origin:
        first = list(headwater.discover(origin, links="first").links)
        assert not list(headwater.discover(origin, links="none").links)
    targets = [link.target for link in first]
    assert len(targets) == len(set(targets)) > 5
    assert (f"{origin}/", f"{origin}/about.html", "a") in {link[:3] for link in first}


def test_credentials_in_a_seed_are_used_and_not_stored(tmp_path: Path) -> None:
    db = tmp_path / "x.db"
    with table_site(lambda _: {"/": "hi"}) as site:
        found = headwater.discover(site.origin.replace("//", "//ann:secret@"), db=str(db), retries=0)
        assert any("authorization" in headers for _, headers, _ in site.requests)
    assert found.urls == [f"{site.origin}/"]
    found.store.close()
    assert not any(b"secret" in file.read_bytes() for file in tmp_path.iterdir())


def test_pages_in_another_order_and_with_chosen_fields() -> None:
    with sample_site() as origin, headwater.discover(origin, fields=("url", "depth"), render="never") as found:
        by_depth = [(page.depth, page.url) for page in found.select(sort="depth")]
        assert [record["url"] for record in found.records(sort="depth")] == [url for _, url in by_depth]
        assert by_depth == sorted(by_depth, key=lambda row: (row[0] is None, row))
        assert {tuple(record) for record in found.records()} == {("url", "depth")}
        assert list(next(found.records("title"))) == ["title"]
        ranked = list(found.records("url", "score", search="first trip"))
        assert [(page.url, page.score) for page in found.search("first trip")] == [
            tuple(row.values()) for row in ranked
        ]
        with pytest.raises(headwater.SettingError, match=r"fields: .* did you mean title"):
            found.records("titel")
        with pytest.raises(headwater.SettingError, match="sort: 'size' is not allowed"):
            found.select(sort="size")  # type: ignore[arg-type]


def test_unknown_settings_raise_an_error() -> None:
    with pytest.raises(headwater.SettingError):
        headwater.discover("https://example.com", max_dept=3)


def test_stream_yields_pages_as_they_are_found() -> None:
    async def first_three(origin: str) -> list[str]:
        urls: list[str] = []
        async for page in headwater.stream(origin):
            urls.append(page.url)
            if len(urls) == 3:
                break
        return urls

    async def everything(origin: str) -> list[str]:
        return [page.url async for page in headwater.stream(origin)]

    with sample_site() as origin:
        assert len(asyncio.run(first_three(origin))) == 3
        streamed = asyncio.run(everything(origin))
        assert len(streamed) == len(set(streamed))
        found = headwater.discover(origin)
        views = {page.url for page in found.store.pages(found.scan) if page.duplicate_of and page.state == "fetched"}
        assert set(streamed) == set(found.urls) | views  # duplicates and views are known only at the end


@pytest.mark.parametrize("db", [False, True])
def test_discover_works_inside_a_running_loop(db: bool, tmp_path: Path) -> None:
    async def cell(origin: str) -> list[str]:
        options = {"db": str(tmp_path / "x.db")} if db else {}
        with headwater.discover(origin, **options) as found:
            return found.urls

    with table_site(lambda _: {"/": "start <a href=/a>a</a>", "/a": "a"}) as site:
        assert asyncio.run(cell(site.origin)) == [f"{site.origin}/", f"{site.origin}/a"]


def test_pages_are_a_sequence() -> None:
    pages: dict[str, Answer | str] = {f"/{n:02}": f"<title>Page <{n}></title>" for n in range(30)}
    with table_site(lambda _: {"/": "".join(f"<a href={path}>x</a>" for path in pages), **pages}) as site:
        found = headwater.discover(site.origin).pages
    assert len(found) == len(list(found)) == 31
    assert found[0].url == f"{site.origin}/"
    assert found[-1] == found[30] == list(found)[30]
    assert found[1:6:2] == list(found)[1:6:2]
    assert found[::-1] == list(found)[::-1]
    assert found[0] in found
    with pytest.raises(IndexError, match="there are 31"):
        found[31]
    with pytest.raises(IndexError):
        found[-32]
    assert repr(found) == f"<Pages: 31, from {site.origin}/>"
    table = found._repr_html_()
    assert table.count("<tr>") == 21
    assert "Page &lt;0&gt;" in table
    assert "and 11 more" in table


def test_public_names_are_listed() -> None:
    assert {"discover", "stream", "extract_links", "__version__"} <= set(dir(headwater))
    assert not {"import_module", "TYPE_CHECKING"} & set(dir(headwater))


def test_discover_urls_names_the_scan_and_limits_its_urls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_FORCE_HTTPS", "false")  # as for the command line
    monkeypatch.setenv("HEADWATER_DB", str(tmp_path / "x.db"))
    links = "".join(f"<a href=/{n}>x</a>" for n in range(30))
    with table_site(lambda _: {"/": links, **{f"/{n}": f"page {n}" for n in range(30)}}) as site:
        headwater.discover_urls(scan_id="scan_123", domain=site.origin, max_urls=5).store.close()
        assert sum(site.hits[f"/{n}"] for n in range(30)) == 4
        headwater.discover(site.origin, db=str(tmp_path / "x.db")).store.close()
    db = ("--db", str(tmp_path / "x.db"))
    assert len(run_headwater("export", *db, "--scan", "scan_123").out.splitlines()) == 31
    assert run_headwater("export", *db, "--scan", "1").out == run_headwater("export", *db, "--scan", "scan_123").out
    assert "holds no scan scan_124" in run_headwater("export", *db, "--scan", "scan_124").err
    assert "holds no scan 1111" in run_headwater("export", *db, "--scan", "1" * 5000).err


def test_stream_yields_pages_that_were_not_requested_at_the_end() -> None:
    async def everything(origin: str) -> list[tuple[str, bool]]:
        found = headwater.stream(origin, stages=("nav", "sitemaps", "crawl"), max_pages=1)
        return [(page.url.removeprefix(origin), page.verified) async for page in found]

    with table_site(lambda _: {"/": "<a href=/a>a</a><a href=/b>b</a>"}) as site:
        assert asyncio.run(everything(site.origin)) == [("/", True), ("/a", False), ("/b", False)]


def test_the_example_of_the_preset_scan(tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    def make(origin: str) -> dict[str, Answer | str]:
        skipped = "".join(f'<a href="{path}">x</a>' for path in ("/admin/x", "/api/v1", "/q?a=1", "/f.pdf", "/#top"))
        return {
            "/": f'<a href="/about/">About</a><a href="/administration">A</a>{skipped}',
            "/about": "<title>About</title>",
            "/about/": "<title>About</title>",
            "/administration": '<a href="/deep">d</a>',
            "/deep": '<a href="/deeper">d</a>',
            "/deeper": "too deep to visit",
            "/robots.txt": robots(f"User-agent: *\nDisallow:\nSitemap: {origin}/sitemap.xml"),
            "/sitemap.xml": urlset(*(f"{origin}/listed{number}" for number in range(4))),
        }

    with table_site(make, authority.server("127.0.0.1")) as site:
        domain = site.origin.removeprefix("https://")
        result = headwater.discover_urls(
            scan_id="scan_123", domain=domain, max_urls=500, ca_file=authority.file, retries=0
        )
        paths = {url.removeprefix(site.origin) or "/" for url in result.urls}
        assert paths == {"/", "/about", "/administration", "/deep", "/deeper", *(f"/listed{n}" for n in range(4))}
        assert result.source == "sitemap+crawl"
        assert all(page.state in {"discovered", "fetched"} for page in result.pages)
        rows = {one.kind: one for one in result.evidence}
        answer = rows["robots_txt"]
        assert (answer.success, answer.status, answer.error) == (True, 200, "")
        assert answer.content["sitemaps_found"] == [f"{site.origin}/sitemap.xml"]
        assert str(answer.content["text"]).startswith("User-agent: *")
        read = next(one for one in result.evidence if one.kind == "sitemap_fetch" and one.success)
        assert (read.url, read.status, read.error) == (f"{site.origin}/sitemap.xml", 200, "")
        assert read.content["urls_found"] == 4
        assert (rows["crawl_stats"].content["depth_reached"], rows["crawl_stats"].content["pages_visited"]) == (2, 4)
        summary = rows["discovery_summary"].content
        assert {
            name: summary[name] for name in ("urls_from_robots", "urls_from_sitemap", "urls_from_crawl", "total")
        } == {
            "urls_from_robots": 1,
            "urls_from_sitemap": 4,
            "urls_from_crawl": 5,
            "total": 9,
        }
        assert result.skipped == {"skipped-path": 2, "query-string": 1, "file-extension": 1}
        assert all(path not in site.hits for path in ("/admin/x", "/api/v1", "/q?a=1", "/deeper"))


HTML = """
<nav><a href="/docs/a">Alpha</a></nav><a href="b">Beta</a><a href="/docs/a#x">again</a>
<a href="https://other.example/x">Other</a><a href="mailto:x@y.z">mail</a><a href="/docs-old">Old</a><img src="/i.png">
"""


def test_extract_links_keeps_everything_without_bases() -> None:
    links = headwater.extract_links(HTML, "https://e.com/docs/page")
    assert [(link.url, link.text, link.region, link.kind) for link in links] == [
        ("https://e.com/docs/a", "Alpha", "nav", "page"),
        ("https://e.com/docs/b", "Beta", "content", "page"),
        ("https://other.example/x", "Other", "content", "page"),
        ("https://e.com/docs-old", "Old", "content", "page"),
        ("https://e.com/i.png", "", "content", "resource"),
    ]


def test_extract_links_in_document_order() -> None:
    page = """<link rel=next href=/0><body><img src=/1><nav><a href=/2>x</a></nav>
      <!--[if IE]><a href=/3></a><![endif]-->
      <iframe src=/4 srcdoc="<a href=/5>x</a><area href=/6>"></iframe><area href=/7><a href=/8 data-url=/9>x</a>
      <form action=/10></form><!--[if IE]><a href=/11></a><![endif]-->"""
    links = headwater.extract_links(page, "https://e.com/")
    assert [link.url for link in links] == [f"https://e.com/{number}" for number in range(12)]


@pytest.mark.parametrize(
    ("arguments", "options", "expected"),
    [
        ((), {}, ["/docs/a", "/docs/b"]),
        ((True,), {}, ["/docs/a", "/docs/b"]),
        ((False,), {}, ["/docs/a", "/docs/b", "/docs-old"]),
        ((), {"strict_path_matching": False}, ["/docs/a", "/docs/b", "/docs-old"]),
    ],
)
def test_extract_links_below_bases(arguments: tuple[bool, ...], options: dict[str, bool], expected: list[str]) -> None:
    links = headwater.extract_links(HTML, "https://e.com/docs/page", "https://e.com/docs", *arguments, **options)
    assert [link.url.removeprefix("https://e.com") for link in links] == expected


def test_extract_links_limits_external_hops() -> None:
    def external(depth: int) -> list[Link]:
        found = headwater.extract_links(
            HTML,
            "https://e.com/docs/page",
            ["https://e.com/docs"],
            follow_external_links=True,
            current_depth=depth,
            max_external_hops=2,
        )
        return [link for link in found if "other" in link.url]

    assert [link.depth for link in external(0)] == [1]
    assert [link.depth for link in external(1)] == [2]
    assert external(2) == []


def test_parse_sitemap() -> None:
    sitemap = headwater.parse_sitemap(b"<urlset><url><loc>https://e.com/a</loc></url></urlset>", "https://e.com/s.xml")
    assert [page.url for page in sitemap.pages] == ["https://e.com/a"]
    index = headwater.parse_sitemap("<sitemapindex><sitemap><loc>https://e.com/s1.xml</loc></sitemap></sitemapindex>")
    assert (index.children, index.pages) == (["https://e.com/s1.xml"], [])


def test_links_in_structured_data_have_no_text() -> None:
    page = '<script type="application/ld+json">{"url": "https://e.com/x", "name": "X"}</script>'
    assert [(link.url, link.text) for link in headwater.extract_links(page, "https://e.com/")] == [
        ("https://e.com/x", "")
    ]
