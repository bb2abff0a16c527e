"""`--sort`, `--fields` and `--search` shape the lists that commands write."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from headwater import discover
from tests.commands import headwater
from tests.sites.table_site import Answer, TableSite, table_site, urlset

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def site_pages(origin: str) -> dict[str, Answer | str]:
    return {
        "/": "<title>Home</title><nav><a href=/z-guide>Z</a></nav><a href=/a>A</a>",
        "/z-guide": "<title>How to install it</title>guide<a href=/b>b</a>",
        "/a": "<title>Prices\tand\x1b[31m offers</title>a",
        "/b": "<title>B</title><h1></h1><h1> About  us </h1>b",
        "/sitemap.xml": urlset(f"{origin}/orphan"),
        "/orphan": "<title>Orphan</title>o",
    }


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TableSite, Path]]:
    """Yield a site and the folder with a scan of it."""
    folder = tmp_path_factory.mktemp("lists")
    with table_site(site_pages) as site:
        discover(site.origin, db=str(folder / "headwater.db"), render="never").store.close()
        yield site, folder


def export(stored: tuple[TableSite, Path], *flags: str) -> list[str]:
    site, folder = stored
    result = headwater("export", *flags, cwd=folder)
    assert result.code == 0, result.err
    return result.out.replace(site.origin, "").splitlines()


def test_lists_are_sorted(stored: tuple[TableSite, Path]) -> None:
    assert export(stored) == ["/", "/a", "/b", "/orphan", "/z-guide"]
    assert export(stored, "--sort", "depth") == ["/", "/a", "/z-guide", "/b", "/orphan"]
    rows = [json.loads(line) for line in export(stored, "--sort", "priority", "--format", "jsonl")]
    priorities = [row["priority"] for row in rows]
    assert priorities == sorted(priorities, reverse=True)
    assert rows[0]["url"] == "/"


def test_fields_are_chosen_in_every_format(stored: tuple[TableSite, Path]) -> None:
    flags = ("--fields", "depth,url,title,verified,sources")
    assert export(stored, *flags)[1] == "1\t/a\tPrices and[31m offers\ttrue\tcontent-link"
    header = next(csv.reader(export(stored, *flags, "--format", "csv")))
    assert header == ["depth", "url", "title", "verified", "sources"]
    row = json.loads(export(stored, *flags, "--format", "jsonl")[0])
    assert row == {"depth": 0, "url": "/", "title": "Home", "verified": True, "sources": ["seed"]}
    assert json.loads("\n".join(export(stored, "--fields", "url", "--format", "json")))[0] == {"url": "/"}


def test_a_search_ranks_the_list_and_adds_the_score(stored: tuple[TableSite, Path]) -> None:
    flags = ("--search", "how do I install this?")
    assert export(stored, *flags) == ["/z-guide", "/", "/a", "/b", "/orphan"]
    rows = [json.loads(line) for line in export(stored, *flags, "--format", "jsonl")]
    assert [row["score"] > 0 for row in rows] == [True, False, False, False, False]
    assert export(stored, "--search", "about", "--fields", "url,heading")[0] == "/b\tAbout us"
    assert "score" not in export(stored, "--format", "csv")[0]
    assert export(stored, *flags, "--fields", "score,url")[1] == "0.0\t/"


def test_lists_are_sorted_and_ranked_while_discovering(stored: tuple[TableSite, Path], tmp_path: Path) -> None:
    site, _ = stored
    command = ["--render", "never", "--fields", "url", "--search", "install", "--quiet"]
    found = headwater(site.origin, *command, cwd=tmp_path)
    assert found.out.splitlines()[0] == f"{site.origin}/z-guide"
    crawled = headwater("crawl", site.origin, "--sort", "depth", "--quiet", cwd=tmp_path)
    assert crawled.out.replace(site.origin, "").split() == ["/", "/a", "/z-guide", "/b"]
    ranked = discover(site.origin, search="install", render="never")
    assert ranked.pages[0].url == f"{site.origin}/z-guide"
    assert ranked.search("prices")[0].url == f"{site.origin}/a"


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--fields", "url,titel"], ["expected a list of url, kind,", "did you mean title?"]),
        (["--sort", "priorty"], ["expected one of url, priority, depth", "did you mean priority?"]),
        (["--fields", "url", "--format", "html"], ["html has no fields to choose", "text, csv, json, jsonl"]),
        (["--stream", "--sort", "depth"], ["leave out --stream"]),
    ],
)
def test_mistakes_are_reported_before_the_scan_begins(flags: list[str], words: list[str], tmp_path: Path) -> None:
    with table_site(site_pages) as site:
        result = headwater("discover", site.origin, *flags, cwd=tmp_path)
    assert result.code == 2
    assert all(word in result.err for word in words), result.err
    assert not site.requests
