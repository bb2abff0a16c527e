"""The crawl over real sockets: every page, exact limits, traps, kills and resumes, and the command `crawl`."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import random
import re
import sqlite3
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from sample.serve import sample_site

from headwater.runner.scan_runner import ScanRunner, ScanTask
from headwater.settings import build_settings
from headwater.store import MemoryStore, SqliteStore
from tests.commands import HEADWATER, PATIENCE, headwater, running, until
from tests.sites.fault_server import fault_server
from tests.sites.graph_site import GraphSite, graph_page, random_graph, serving
from tests.sites.table_site import Answer, table_site

if TYPE_CHECKING:
    from pathlib import Path

    from headwater.model import Page
    from headwater.runner.scan_result import ScanResult


def run_crawl(site: str, **settings: Any) -> tuple[MemoryStore, int, ScanResult]:
    chosen = build_settings({"preset": "crawl", "max_parallel": 16, **settings})
    store = MemoryStore()
    scan = store.create_scan([site], {})
    result = asyncio.run(ScanRunner(ScanTask(store, scan, chosen)).crawl(analyzes_links=True))
    return store, scan.number, result


def paths(pages: list[Page], origin: str) -> set[str]:
    return {page.url.removeprefix(origin) for page in pages}


def test_every_page_of_a_known_graph() -> None:
    graph = random_graph(300)
    with serving(lambda path: graph_page(graph, path)) as site:
        store, scan, _ = run_crawl(site.origin + "/p/0", links="all")
        assert max(site.hits.values()) == 1
    pages = list(store.pages(scan))
    assert paths([page for page in pages if page.state == "fetched"], site.origin) == set(graph)
    assert paths([page for page in pages if page.state == "failed"], site.origin) == {"/missing"}
    expected = {(source, target) for source, targets in graph.items() for target in targets if source != target}
    edges = {(a.removeprefix(site.origin), b.removeprefix(site.origin)) for a, b, *_ in store.links.edges(scan)}
    assert edges == expected


def test_depth_is_the_shortest_path_and_found_on_is_its_smallest_parent() -> None:
    graph = random_graph(200, seed=3)
    depths = {"/p/0": 0}
    queue = ["/p/0"]
    for source in queue:
        for target in graph.get(source, []):
            if target not in depths:
                depths[target] = depths[source] + 1
                queue.append(target)
    with serving(lambda path: graph_page(graph, path)) as site:
        store, scan, _ = run_crawl(site.origin + "/p/0")
    for page in store.pages(scan):
        path = page.url.removeprefix(site.origin)
        assert page.depth == depths[path]
        parents = [
            f"{site.origin}{source}" for source in graph if path in graph[source] and depths[source] == depths[path] - 1
        ]
        assert page.found_on == (min(parents) if path != "/p/0" else None)


@pytest.mark.parametrize("limit", [1, 10, 57])
def test_max_pages_is_exact(limit: int) -> None:
    graph = random_graph(200)
    with serving(lambda path: graph_page(graph, path)) as site:
        _, _, result = run_crawl(site.origin + "/p/0", max_pages=limit, max_parallel=32)
        assert site.page_hits == limit
        assert result.limit == "max_pages"


def test_max_depth_limits_visits_and_not_the_list() -> None:
    graph = {"/a": ["/b"], "/b": ["/c"], "/c": ["/d"], "/d": []}
    with serving(lambda path: graph_page(graph, path)) as site:
        store, scan, result = run_crawl(site.origin + "/a", max_depth=1)
        assert set(site.hits) == {"/robots.txt", "/a", "/b"}
        assert result.limit == "max_depth"
    assert {page.url.removeprefix(site.origin): page.state for page in store.pages(scan)} == {
        "/a": "fetched",
        "/b": "fetched",
        "/c": "discovered",
    }


def trap_page(path: str) -> str | None:
    """A hundred real pages, and four endless traps."""
    bare, _, query = path.partition("?")
    if bare == "/robots.txt":
        return None
    if bare == "/":
        real = "".join(f'<a href="/real/{number}">{number}</a>' for number in range(0, 100, 10))
        traps = ("/calendar?month=1", "/s/a?sid=1", "/shop?f0=1", "/a/b/")
        return real + "".join(f'<a href="{trap}">{trap}</a>' for trap in traps)
    if match := re.fullmatch(r"/real/(\d+)", bare):
        number = int(match[1])
        return f"<p>Real page with words of its own: {'abcdefghij'[number % 10] * (number // 10 + 1)}</p>" + (
            f'<a href="/real/{number + 1}">next</a>' if number % 10 < 9 else ""
        )
    if bare == "/calendar":
        month = int(query.partition("=")[2])
        return f'<h1>Month {month}</h1><a href="/calendar?month={month + 1}">later</a>'
    if bare.startswith("/s/"):
        session = int(query.partition("=")[2])
        return f'<p>Hello</p><a href="/s/a?sid={session * 2}">a</a><a href="/s/b?sid={session * 2 + 1}">b</a>'
    if bare == "/shop":
        chosen = set(query.split("&"))
        more = [f"f{facet}={value}" for facet in range(6) for value in range(5)]
        return "".join(f'<a href="/shop?{"&".join(sorted(chosen | {one}))}">{one}</a>' for one in more)
    if bare.startswith("/a/b/"):
        return '<a href="a/b/">deeper</a>'
    return None


def test_traps_end_and_are_reported() -> None:
    with serving(trap_page) as site:
        store, scan, _ = run_crawl(site.origin + "/")
        requests = site.page_hits
    fetched = paths([page for page in store.pages(scan) if page.state == "fetched"], site.origin)
    assert {f"/real/{number}" for number in range(100)} <= fetched
    assert requests < 1000
    reasons = store.counts(scan).skipped
    assert reasons["trap-exhausted"] > 0
    assert reasons["trap-repetition"] > 0


def test_redirects_are_links_and_slashes_are_not() -> None:
    with sample_site() as origin:
        store, scan, _ = run_crawl(origin)
    rows = {page.url.removeprefix(origin): page for page in store.pages(scan)}
    assert (rows["/old-guides"].status, rows["/guides"].status) == (301, 200)
    assert rows["/guides"].fetch_url == f"{origin}/guides/"


def test_a_seed_that_redirects_extends_the_scope(tmp_path: Path) -> None:
    """As example.com redirects to www.example.com; a resumed scan keeps the scope, and links do not extend it."""
    graph = {"/a": ["/b"], "/b": ["/c"], "/c": []}

    async def moved(exchange: Any) -> None:
        await exchange.answer(b"", "301 Moved", Location=f"{site.origin}/a")

    with serving(lambda path: graph_page(graph, path)) as site, fault_server(start=moved) as old:
        command = ["crawl", old.url("/start"), "--quiet", "--max-pages", "2", "--format", "text"]
        done = headwater(*command, cwd=tmp_path)
        store = SqliteStore(str(tmp_path / "headwater.db"))
        store.finish_scan(1, "interrupted")
        store.close()
        more = headwater("resume", "--max-pages", "9", "--quiet", "--format", "text", cwd=tmp_path)
    assert done.code == 0
    assert more.out.split() == sorted(site.origin + path for path in graph)


def test_only_seeds_extend_the_scope() -> None:
    """A page at depth 0 by `rel=next` redirects to another host: that is a link and does not extend the scope."""

    async def start(exchange: Any) -> None:
        await exchange.answer(b'<a rel=next href="/second">next</a>')

    async def second(exchange: Any) -> None:
        await exchange.answer(b"", "302 Found", Location=f"{stranger.origin}/page")

    with fault_server() as stranger, fault_server(start=start, second=second) as site:
        store, scan, _ = run_crawl(site.url("/start"))
        assert stranger.seen == []
    assert {page.kind for page in store.pages(scan) if page.url.startswith(stranger.origin)} == {"external"}


# Where each page redirects to, the pages that / links to, and those that lead back into their own chain.
CIRCLES: list[tuple[dict[str, str], list[str], set[str]]] = [
    ({"/1": "/1"}, ["/1"], {"/1"}),
    ({"/1": "/2", "/2": "/1"}, ["/1"], {"/2"}),
    ({"/1": "/2", "/2": "/3", "/3": "/1"}, ["/1"], {"/3"}),
    ({"/1": "/2", "/2": "/3", "/3": "/2"}, ["/1"], {"/3"}),
    ({"/1": "/2", "/2": "/3"}, ["/1", "/2"], set()),
    ({"/1": "/3", "/2": "/3"}, ["/1", "/2"], set()),
    ({"/1": "/"}, ["/1"], set()),
]


@pytest.mark.parametrize(("redirects", "links", "circular"), CIRCLES)
def test_redirects_in_a_circle(redirects: dict[str, str], links: list[str], circular: set[str]) -> None:
    pages: dict[str, Answer | str] = {
        "/": "".join(f"<a href={link}>x</a>" for link in links),
        "/3": "the end",
        **{path: Answer(status=302, headers={"Location": target}) for path, target in redirects.items()},
    }
    with table_site(lambda _: pages) as site:
        store, scan, _ = run_crawl(site.origin + "/")
    reasons = {page.url.removeprefix(site.origin): page.reason for page in store.pages(scan) if page.state == "failed"}
    assert reasons == dict.fromkeys(circular, "redirect-loop")


def test_endless_redirects_end() -> None:
    async def onward(exchange: Any) -> None:
        await exchange.answer(b"", "302 Found", Location=f"/onward?{int(exchange.query or 0) + 1}")

    with fault_server(onward=onward) as site:
        store, scan, _ = run_crawl(site.url("/onward"))
        assert len(site.requests_to("/onward")) == 11
    assert [page.reason for page in store.pages(scan) if page.state == "failed"] == ["too-many-redirects"]


def test_nofollow_of_a_page_is_obeyed_unless_ignored() -> None:
    pages = {"/": '<meta name=robots content=nofollow><a href="/hidden">x</a>', "/hidden": "hidden"}
    for choice, count in (("obey", 1), ("ignore", 2)):
        with serving(pages.get) as site:
            store, scan, _ = run_crawl(site.origin + "/", meta_robots=choice)
        assert store.counts(scan).fetched == count


class TestCommand:
    def test_found_urls_are_printed_with_their_pages(self, tmp_path: Path) -> None:
        graph = {"/a": ["/b", "/c"], "/b": ["/a", "/gone"], "/c": []}
        with serving(lambda path: graph_page(graph, path)) as site:
            done = headwater("crawl", "--url", site.origin + "/a", "--max-parallel", "10", cwd=tmp_path)
        o = site.origin
        assert done.code == 0
        assert sorted(done.out.splitlines()) == [f"[{o}/a] -> [{o}/b]", f"[{o}/a] -> [{o}/c]", f"[{o}/b] -> [{o}/gone]"]
        assert f"http-404  {o}/gone" in done.err
        assert (tmp_path / "headwater.db").exists()

    @pytest.mark.parametrize("style", ["json", "jsonl", "csv", "html", "text", "xml", "md"])
    def test_formats(self, tmp_path: Path, style: str) -> None:
        with sample_site() as origin:
            arguments = ["crawl", origin, "--format", style, "--outputPath", "out", "--max-depth", "2"]
            done = headwater(*arguments, cwd=tmp_path)
            again = headwater("export", "--format", style, cwd=tmp_path)
        assert (done.code, done.out, again.code) == (0, "", 0)
        written = (tmp_path / "out").read_bytes().decode()
        assert f"{origin}/guides/first-trip.html" in written
        assert sorted(written.split()) == sorted(again.out.split())
        if style == "json":
            assert {row["state"] for row in json.loads(written)} == {"fetched", "discovered"}
        if style == "csv":
            assert next(csv.DictReader(written.splitlines()))["url"] == f"{origin}/"

    def test_json_lines_come_while_the_crawl_runs(self, tmp_path: Path) -> None:
        go_on = threading.Event()

        def page(path: str) -> str | None:
            if path == "/b":
                go_on.wait(PATIENCE)
            return {"/": '<a href="/b">b</a><a href="/x.pdf">x</a><a href="https://o.org/">o</a>', "/b": "end"}.get(
                path
            )

        with serving(page) as site:
            command = [HEADWATER, "crawl", site.origin, "--format", "jsonl", "--quiet", "--kinds", "all"]
            process = subprocess.Popen(command, cwd=tmp_path, stdout=-1, text=True)
            assert process.stdout
            first = json.loads(process.stdout.readline())
            go_on.set()
            rest = [json.loads(line) for line in process.stdout]
            assert process.wait(PATIENCE) == 0
            process.stdout.close()
        assert (first["url"], first["state"], first["clusters"]) == (f"{site.origin}/", "fetched", None)
        assert [(row["url"], row["kind"]) for row in rest] == [
            (f"{site.origin}/b", "page"),
            (f"{site.origin}/x.pdf", "resource"),
            ("https://o.org/", "external"),
        ]

    def test_skipped_urls_can_be_kept(self, tmp_path: Path) -> None:
        pages = {"/": '<a href="mailto:x@e.com">m</a><a href="http://[">bad</a><a href="/b?x=1">q</a>', "/b?x=1": "x"}
        with serving(pages.get) as site:
            arguments = ["--skip-queries", "--keep-skipped", "--quiet", "--format", "json", "--list", "all"]
            crawled = headwater("crawl", site.origin, *arguments, cwd=tmp_path).out
            found = headwater("discover", site.origin, "--db", "d.db", "--quiet", "--keep-skipped", cwd=tmp_path).out
        rows = json.loads(crawled)
        assert headwater("export", "--format", "json", "--list", "all", cwd=tmp_path).out == crawled
        assert headwater("export", "--format", "text", cwd=tmp_path).out == f"{site.origin}/\n"
        assert found == f"{site.origin}/\n{site.origin}/b?x=1\n"
        assert headwater("export", "--db", "d.db", cwd=tmp_path).out == found
        skipped = {row["url"]: row["reason"] for row in rows if row["state"] == "skipped"}
        assert skipped == {
            "mailto:x@e.com": "not-http",
            "http://[": "invalid-url",
            f"{site.origin}/b?x=1": "query-string",
        }

    def test_kinds(self, tmp_path: Path) -> None:
        with sample_site() as origin:
            headwater("crawl", origin, "--max-depth", "0", "--quiet", cwd=tmp_path)
        assert "https://rivers.example/" in headwater("export", "--kinds", "external", cwd=tmp_path).out
        assert "/files/map.pdf" in headwater("export", "--kinds", "resource", cwd=tmp_path).out

    def test_an_unreachable_site_is_a_failure(self, tmp_path: Path) -> None:
        done = headwater("crawl", "http://127.0.0.1:9/", "--retries", "0", cwd=tmp_path)
        assert done.code == 1
        assert "deferred" in done.err

    def test_deferred_pages_are_retried(self, tmp_path: Path) -> None:
        async def robots(exchange: Any) -> None:
            await exchange.answer(b"", "503 Busy" if not server.failing else "404 Not Found")

        with fault_server(robots=robots) as server:
            first = headwater("crawl", server.url("/page"), "--retries", "0", cwd=tmp_path)
            server.failing["open"] = 1
            second = headwater("resume", "--format", "text", cwd=tmp_path)
        assert (first.code, "1 deferred" in first.err) == (1, True)
        assert (second.code, second.out) == (0, server.url("/page") + "\n")

    def test_secrets_are_not_stored(self, tmp_path: Path) -> None:
        with fault_server() as server:
            seed = server.url("/page").replace("//", "//user:swordfish@")
            done = headwater("crawl", seed, "--header", "Cookie: token=swordfish", cwd=tmp_path)
            assert server.requests_to("/page")[0].headers["authorization"].startswith("Basic ")
            assert server.requests_to("/page")[0].headers["cookie"] == "token=swordfish"
        assert done.code == 0
        assert not [file.name for file in tmp_path.iterdir() if b"swordfish" in file.read_bytes()]
        assert "swordfish" not in done.out + done.err

    def test_usage_errors(self, tmp_path: Path) -> None:
        assert headwater("crawl", cwd=tmp_path).code == 2
        assert headwater("crawl", "mailto:x", cwd=tmp_path).code == 2
        assert headwater("export", cwd=tmp_path).err.startswith("Error: headwater.db does not exist")
        assert "does not exist" in headwater("resume", "--db", str(tmp_path / "new.db")).err
        (tmp_path / "bad.db").write_text("x" * 5000)
        assert "cannot be used as a store" in headwater("crawl", "e.com", "--db", "bad.db", cwd=tmp_path).err

    def test_an_interruption_keeps_the_pages_found(self, tmp_path: Path) -> None:
        def slow(path: str) -> str | None:
            time.sleep(0.3)
            return f'<a href="/{len(path)}{path[1:]}">x</a>'

        with serving(slow) as site:
            with running(tmp_path, "crawl", site.origin, "--max-parallel", "2", cwd=tmp_path) as command:
                until(lambda: site.page_hits > 5)
                assert command.interrupt() == 130
                assert command.err.endswith("Continue with: headwater resume\n\nInterrupted\n")
            store = SqliteStore(str(tmp_path / "headwater.db"))
            scan = store.last_scan(unfinished=True)
            assert scan is not None
            assert scan.state == "interrupted"
            assert store.counts(scan.number).fetched >= 4
            store.close()
        assert not list(tmp_path.glob("*.lock"))


KILLS = int(os.environ.get("HEADWATER_TEST_KILLS", "5"))
"""`make chaos` kills more often."""


def result_rows(path: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(path) as db:
        rows = list(db.execute("SELECT url, key, depth, status FROM page ORDER BY key"))
    db.close()
    return rows


def test_kill_and_resume_loses_and_duplicates_nothing(tmp_path: Path) -> None:
    """After random kills with SIGKILL the rows are those of an uninterrupted run, and few requests are repeated."""
    graph = random_graph(2000, seed=7)
    chance = random.Random(5)

    with serving(lambda path: graph_page(graph, path)) as site:
        arguments = ["crawl", f"{site.origin}/p/0", "--links", "all", "--batch-size", "50"]
        for _ in range(KILLS):
            enough = site.page_hits + chance.randint(1, 80)
            with running(tmp_path, *arguments, "--db", "killed.db", "--quiet", cwd=tmp_path) as crawl:
                until(lambda: site.page_hits >= enough)  # noqa: B023  (called before it changes)
                crawl.kill()
            arguments = ["resume"]
        assert headwater("resume", "--db", "killed.db", "--quiet", cwd=tmp_path).code == 0
        assert max(site.hits[path] for path in graph) <= 1 + KILLS
        _check_integrity(tmp_path / "killed.db", graph, site)
        command = ["crawl", site.origin + "/p/0", "--db", "calm.db", "--links", "all", "--quiet"]
        assert headwater(*command, cwd=tmp_path).code == 0
    assert result_rows(tmp_path / "killed.db") == result_rows(tmp_path / "calm.db")


def _check_integrity(path: Path, graph: dict[str, list[str]], site: GraphSite) -> None:
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*), count(DISTINCT key) FROM page").fetchone() == (
            len(graph) + 1,
            len(graph) + 1,
        )
    db.close()
    store = SqliteStore(str(path))
    edges = {link[:2] for link in store.links.edges(1)}
    store.close()
    expected = {(site.origin + a, site.origin + b) for a, targets in graph.items() for b in targets if a != b}
    assert edges == expected
