"""Lists of web archives: the requests for a host, and the URLs and further requests that the answers lead to."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, urlsplit

import pytest

from headwater.pages.site_indexes import IndexFile, parse_index
from headwater.pages.site_indexes.archives import (
    MAX_COLLECTION_PAGES,
    MAX_COLLECTIONS,
    build_common_crawl_file,
    build_wayback_file,
)

WAYBACK = "https://archive.example/cdx"
COLLECTIONS = "https://crawl.example/collinfo.json"


def query(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))


def read(file: IndexFile, *lines: object) -> tuple[list[str], list[IndexFile]]:
    parsed = parse_index(file, "\n".join(map(json.dumps, lines)).encode())
    return [page.url for page in parsed.pages], list(parsed.files)


def test_the_wayback_machine_is_asked_for_html_pages_of_a_host() -> None:
    file = build_wayback_file(WAYBACK, "e.com:8080")
    asked = query(file.url)
    assert (file.kind, asked["url"], asked["matchType"], asked["output"]) == ("wayback", "e.com:8080", "host", "json")
    assert {"filter=statuscode%3A200", "filter=mimetype%3Atext%2Fhtml"} <= set(file.url.split("&"))


@pytest.mark.parametrize(
    ("rows", "urls", "key"),
    [
        ([["original"], ["http://e.com/a"], ["http://e.com/b?x=1"]], ["http://e.com/a", "http://e.com/b?x=1"], ""),
        ([["original"], ["http://e.com/a"], [], ["com,e)/b 2020"]], ["http://e.com/a"], "com,e)/b 2020"),
        ([["original"], [], ["com,e)/b 2020"]], [], "com,e)/b 2020"),
        ([["original"], 7, ["http://e.com/a"], [8]], ["http://e.com/a"], ""),
        ([["original"]], [], ""),
        ([], [], ""),
        ({"error": "too many requests"}, [], ""),
    ],
)
def test_rows_of_the_wayback_machine(rows: object, urls: list[str], key: str) -> None:
    found, files = read(build_wayback_file(WAYBACK, "e.com"), rows)
    assert found == urls
    assert [query(file.url)["resumeKey"] for file in files] == [key] * bool(key)
    assert all(query(file.url)["url"] == "e.com" for file in files)


def test_the_next_key_replaces_the_last_one() -> None:
    _, (second,) = read(build_wayback_file(WAYBACK, "e.com"), [["original"], [], ["one"]])
    _, (third,) = read(second, [["original"], [], ["two"]])
    assert third.url == second.url.replace("resumeKey=one", "resumeKey=two")


def test_the_newest_crawls_of_common_crawl_are_asked_file_by_file() -> None:
    crawls = [{"id": str(number), "cdx-api": f"https://crawl.example/{number}-index"} for number in range(9)]
    found, files = read(build_common_crawl_file(COLLECTIONS, "e.com"), crawls)
    assert (found, len(files), query(files[0].url)["url"]) == ([], MAX_COLLECTIONS, "e.com/*")
    found, lists = read(files[0], {"pages": 2, "pageSize": 5})
    assert [query(file.url)["page"] for file in lists] == ["0", "1"]
    assert "showNumPages" not in query(lists[0].url)
    found, files = read(lists[0], {"url": "http://e.com/a"}, {"url": "http://e.com/b"}, {"message": "x"}, [1])
    assert (found, files) == (["http://e.com/a", "http://e.com/b"], [])


@pytest.mark.parametrize("size", [{"pages": -1}, {"pages": "2"}, {"message": "No Captures found"}, [], None])
def test_a_crawl_without_a_size_is_not_read(size: object) -> None:
    assert read(IndexFile("commoncrawl-size", f"{COLLECTIONS}?url=e.com"), size) == ([], [])


def test_the_files_of_a_crawl_are_bounded() -> None:
    _, files = read(IndexFile("commoncrawl-size", f"{COLLECTIONS}?url=e.com"), {"pages": 10**12})
    assert len(files) == MAX_COLLECTION_PAGES
