"""Visited pages of other sites are listed like own pages: in every format, in Python, in the API and in MCP."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest
from pyarrow import parquet

import headwater
from headwater.mcp.tools import Tools
from headwater.settings import build_settings
from headwater.settings.choices import BINARY_FORMATS, FORMATS
from tests.commands import headwater as run_headwater
from tests.sites.table_site import Answer, table_site
from tests.web.serving import serving

if TYPE_CHECKING:
    from pathlib import Path


def other_site(origin: str) -> dict[str, Answer | str]:
    return {
        "/page": f"<title>Page</title><a href={origin}/second>s</a><a href=/third>t</a>",
        "/moved": Answer(status=301, headers={"Location": "/target"}),
        "/target": "<title>Target</title>target",
        "/second": "<title>Second</title>second",
        "/third": "<title>Third</title>third",
        "/copy": "<title>Copy</title><main>The same text.</main>",
    }


def own_site(other: str) -> dict[str, Answer | str]:
    return {
        "/": f"<title>Home</title><nav><a href={other}/page>p</a><a href={other}/moved>m</a><a href=/a>a</a></nav>",
        "/a": "<title>A</title><a href=/b>b</a>" + f"<a href={other}/gone>g</a><a href={other}/copy>c</a>",
        "/b": "<title>B</title><a href=/c>c</a>" + f"<a href={other}/third>t</a>",
        "/c": "<title>Copy</title><main>The same text.</main>",
    }


def run(origin: str, **settings: Any) -> headwater.Discovery:
    settings = {"retries": 0, "render": "never", "allow_private": ["127.0.0.1"], "max_external_hops": 1, **settings}
    return headwater.discover(f"{origin}/", **settings)


def test_pages_of_other_sites_that_were_visited_are_listed() -> None:
    with table_site(other_site) as other, table_site(lambda _: own_site(other.origin)) as site:
        found = run(site.origin)
        own = {page.url.removeprefix(site.origin): page for page in found.pages if not page.hops}
        others = {page.url.removeprefix(other.origin): page for page in found.pages if page.hops}
        assert set(own) == {"/", "/a", "/b", "/c"}
        assert set(others) == {"/page", "/target", "/third"}  # /second is two links away, /copy repeats /c
        assert (others["/page"].kind, others["/page"].status, others["/page"].hops) == ("page", 200, 1)
        assert (others["/page"].found_on, others["/page"].sources) == (f"{site.origin}/", ("navigation",))
        assert others["/third"].found_on == f"{site.origin}/b"
        assert other.hits["/second"] == 0
        everything = {page.url: page for page in found.store.pages(found.scan)}
        assert everything[f"{other.origin}/moved"].list_name == "redirects"
        assert everything[f"{other.origin}/gone"].list_name == "broken"
        assert everything[f"{other.origin}/copy"].duplicate_of == f"{site.origin}/c"
        second = everything[f"{other.origin}/second"]
        assert (second.kind, second.state, second.reason) == ("external", "discovered", "other-host")


def test_a_later_scan_without_hops_stays_on_the_site(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    with table_site(other_site) as other, table_site(lambda _: own_site(other.origin)) as site:
        run(site.origin, db=db)
        other.hits.clear()
        found = run(site.origin, db=db, max_external_hops=0)
        assert not other.hits
        assert not [page for page in found.pages if page.hops]


def test_every_format_and_interface_lists_the_same_pages(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    with table_site(other_site) as other, table_site(lambda _: own_site(other.origin)) as site:
        with run(site.origin, db=db) as found:
            listed = sorted(page.url for page in found.pages)
            assert sorted(found.urls) == listed
            assert found.store.count_listed(found.scan) == len(listed) == 7
        for name in sorted(set(FORMATS).difference(BINARY_FORMATS)):
            written = run_headwater("export", "--db", db, "--format", name, cwd=tmp_path).out
            if name in {"text", "jsonl"}:
                lines = written.split("\n")[:-1]
                assert sorted(json.loads(line)["url"] if name == "jsonl" else line for line in lines) == listed
            expected = [url for url in listed if name != "xml" or url.startswith(site.origin)]
            assert [url for url in listed if url in written] == expected, name
            assert f"{other.origin}/second" not in written, name
        for name in BINARY_FORMATS:
            run_headwater("export", "--db", db, "-o", f"pages.{name}", cwd=tmp_path)
        (header, *rows) = openpyxl.load_workbook(tmp_path / "pages.xlsx").active.values
        assert sorted(row[header.index("url")] for row in rows) == listed
        assert sorted(parquet.read_table(tmp_path / "pages.parquet")["url"].to_pylist()) == listed
        pages = asyncio.run(Tools(build_settings({"db": db})).list_urls())
        assert sorted(one["url"] for one in pages["urls"]) == listed
        with serving(tmp_path, db=db) as server:
            shown = server.request("/api/v1/scans/1/pages").json
            assert sorted(one["url"] for one in shown["pages"]) == listed


@pytest.mark.parametrize("format_", ["", "jsonl"])
def test_the_command_crawl_lists_them(format_: str, tmp_path: Path) -> None:
    with table_site(other_site) as other, table_site(lambda _: own_site(other.origin)) as site:
        hops = ["--max-external-hops", "1", "--allow-private", "127.0.0.1", "--retries", "0"]
        command = ["crawl", f"{site.origin}/", *hops, *(["--format", format_] if format_ else [])]
        written = run_headwater(*command, cwd=tmp_path).out
        assert (f"[{site.origin}/] -> [{other.origin}/page]" if not format_ else f"{other.origin}/page") in written
        assert f"{other.origin}/second" not in written
