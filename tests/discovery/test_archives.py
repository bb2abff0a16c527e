"""Web archives: URLs that they have of a site are listed once a request has shown that they still exist."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.commands import headwater
from tests.sites.table_site import Answer, serve, table_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.sites.table_site import ReceivedRequest, Server, TableSite

PAGES: dict[str, Answer | str] = {
    "/": "<title>Home</title><p>A page without links.</p>",
    "/old": "<title>Old</title><p>How the river was measured in former times.</p>",
    "/kept": "<title>Kept</title><p>A list of the bridges between the two towns.</p>",
    "/image.png": Answer(b"png", type="image/png"),
    "/robots.txt": Answer("User-agent: *\nDisallow: /private/", type="text/plain"),
}
RECORDED = ["/old", "/gone", "/image.png", "/private/x"]


@pytest.fixture
def site() -> Iterator[TableSite]:
    with table_site(lambda _: PAGES) as site:
        yield site


@pytest.fixture
def archive(site: TableSite) -> Iterator[Server]:
    """Both archives: the Wayback Machine answers in two parts, Common Crawl has one crawl."""

    def answer(request: ReceivedRequest) -> Answer | None:
        path, query = urlsplit(request.path).path, parse_qs(urlsplit(request.path).query)
        if path == "/cdx":
            rows = [["original"], *([site.origin + one] for one in RECORDED[:2])]
            if "resumeKey" in query:
                rows = [["original"], *([site.origin + one] for one in RECORDED[2:])]
            else:
                rows += [[], ["key of the rest"]]
            return Answer(json.dumps(rows), type="application/json")
        if path == "/collinfo.json":
            return Answer(json.dumps([{"cdx-api": f"http://{request.headers['host']}/crawl"}]))
        if path == "/crawl" and "showNumPages" in query:
            return Answer('{"pages": 1}')
        return Answer(json.dumps({"url": f"{site.origin}/kept"})) if path == "/crawl" else None

    with serve(answer) as server:
        yield server


def scan(site: TableSite, archive: Server, db: Path, sources: str) -> dict[str, list[str]]:
    """Return the sources of every listed page."""
    result = headwater(
        "discover", site.origin, "--db", str(db), "--format", "jsonl", "--quiet", "--retries", "0",
        "--sources", sources, "--wayback-url", f"{archive.origin}/cdx",
        "--commoncrawl-url", f"{archive.origin}/collinfo.json", "--allow-private", "127.0.0.1",
    )  # fmt: skip
    assert result.code == 0, result.err
    rows = [json.loads(line) for line in result.out.splitlines()]
    return {row["url"].removeprefix(site.origin): row["sources"] for row in rows}


def test_pages_of_archives_are_listed_if_they_still_exist(site: TableSite, archive: Server, tmp_path: Path) -> None:
    found = scan(site, archive, tmp_path / "x.db", "+wayback,+commoncrawl")
    assert found == {"/": ["seed"], "/old": ["wayback"], "/kept": ["commoncrawl"]}
    assert "/private/x" not in site.hits
    asked = len(archive.requests)
    assert scan(site, archive, tmp_path / "x.db", "+wayback,+commoncrawl").keys() == found.keys()
    assert len(archive.requests) == asked  # the lists of the first scan are still recent


def test_archives_are_asked_only_on_request(site: TableSite, archive: Server, tmp_path: Path) -> None:
    assert scan(site, archive, tmp_path / "x.db", "-forms").keys() == {"/"}
    assert archive.requests == []


def test_an_archive_that_fails_costs_few_requests(site: TableSite, tmp_path: Path) -> None:
    with serve(lambda _: Answer("busy", 503)) as archive:
        assert scan(site, archive, tmp_path / "x.db", "+wayback,+commoncrawl").keys() == {"/"}
    assert len(archive.requests) <= 4
