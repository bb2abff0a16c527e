"""`--extract` and `--analyze`: values and facts about texts, from the command line to exports and the API."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

import headwater
from tests.commands import headwater as run_headwater
from tests.sites.table_site import Answer, table_site
from tests.web.serving import serving

if TYPE_CHECKING:
    from pathlib import Path

TEXT = " ".join(f"word{number}" for number in range(240))
PAGES = {
    "/": "<title>Home</title><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>",
    "/a": f"<title>A</title><p class=price>9</p><main>{TEXT} a</main>",
    "/b": f"<title>B</title><p class=price>10</p><p class=price>12</p><main>{TEXT} b</main>",
    "/c": "<title>C</title><main>Short.</main>",
}


def test_values_are_in_exports_and_filters(tmp_path: Path) -> None:
    (tmp_path / "headwater.toml").write_text('extract = ["price=css:.price", "name=re:<title>(.)</title>"]\n')
    db = str(tmp_path / "x.db")
    with table_site(lambda _: PAGES) as site:
        result = run_headwater(
            site.origin, "--db", db, "--render", "never", "--analyze", "--format", "csv", "--quiet", cwd=tmp_path
        )
        assert result.code == 0, result.err
        rows = {row["url"].removeprefix(site.origin): row for row in csv.DictReader(io.StringIO(result.out))}
        assert {path: (row["price"], row["name"]) for path, row in rows.items()} == {
            "/": ("", ""), "/a": ("9", "A"), "/b": ("10\n12", "B"), "/c": ("", "C")
        }  # fmt: skip
        assert (rows["/a"]["word_count"], rows["/c"]["word_count"], rows["/b"]["similarity"]) == ("241", "1", "1.0")
        assert rows["/b"]["near_duplicate_of"] == f"{site.origin}/a"
    with serving(tmp_path, db=db) as server:
        for query, paths in {
            "extracted=price": ["/a", "/b"],
            "extracted=-price": ["", "/c"],
            "extracted=price%3D12": ["/b"],
            "near_duplicate=yes": ["/b"],
            "words=0-99": ["", "/c"],
        }.items():
            found = server.request(f"/api/v1/scans/1/pages?{query}").json
            assert [row["url"].removeprefix(site.origin).rstrip("/") for row in found["pages"]] == paths, query
        assert found["total"] == 2
        table = server.request("/api/v1/scans/1/export?format=csv&extracted=price%3D12").body.decode()
        (row,) = csv.DictReader(io.StringIO(table))
        assert (row["price"], row["name"]) == ("10\n12", "B")
        assert server.request("/api/v1/scans/1/pages?extracted=a%20b").status == 400


def test_python_returns_values_and_facts() -> None:
    with table_site(lambda _: PAGES) as site:
        found = headwater.discover(site.origin, render="never", sources=(), extract=["price=css:.price"], analyze=True)
    pages = {page.title: page for page in found.pages}
    assert pages["B"].extracted == {"price": ["10", "12"]}
    assert (pages["B"].word_count, pages["C"].extracted) == (241, None)


def test_pages_are_read_again_if_an_earlier_scan_lacks_what_is_wanted(tmp_path: Path) -> None:
    pages = {path: Answer(text, headers={"ETag": f'"{path}"'}) for path, text in PAGES.items()}
    settings: dict[str, Any] = {"db": str(tmp_path / "x.db"), "render": "never", "sources": (), "retries": 0}
    runs: list[dict[str, Any]] = [
        {}, {"analyze": True}, {"analyze": True}, {"extract": ["price=css:.price"]}, {"extract": ["price=css:.price"]},
        {"extract": ["sku=css:.price"]}, {},
    ]  # fmt: skip
    with table_site(lambda _: pages) as site:
        found = [headwater.discover(site.origin, **settings, **more) for more in runs]
        facts = [next((page.word_count, page.extracted) for page in one.pages if page.title == "A") for one in found]
    assert facts == [
        (None, None), (241, None), (241, None), (None, {"price": "9"}), (None, {"price": "9"}), (None, {"sku": "9"}),
        (None, None),
    ]  # fmt: skip
    assert [sum(page.unchanged for page in one.pages) for one in found] == [0, 0, 4, 0, 4, 0, 0]


@pytest.mark.parametrize("command", ["discover", "crawl", "audit"])
def test_a_mistake_is_reported_before_anything_is_stored(command: str, tmp_path: Path) -> None:
    result = run_headwater(command, "https://e.com", "--extract", "price=css:p[", "--db", "x.db", cwd=tmp_path)
    assert result.code == 2
    assert "extract (from --extract): 'price=css:p[' is not allowed" in result.err
    assert not (tmp_path / "x.db").exists()


def test_crawl_finds_near_duplicates_too(tmp_path: Path) -> None:
    with table_site(lambda _: PAGES) as site:
        result = run_headwater(
            "crawl", site.origin, "--db", str(tmp_path / "x.db"), "--analyze", "--format", "json", "--quiet"
        )
    rows = {row["title"]: row for row in json.loads(result.out)}
    assert rows["B"]["near_duplicate_of"] == f"{site.origin}/a"
