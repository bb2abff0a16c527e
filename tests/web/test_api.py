"""Scans through the API: lists, filters, exports, events; start, stop and resume."""

from __future__ import annotations

import csv
import html
import io
import json
import urllib.request
import zipfile
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import openpyxl
import pytest
from pyarrow import parquet

from headwater.model import EXPORTED_FIELDS, LIST_NAMES, Evidence, Page
from headwater.settings import build_settings
from headwater.settings.choices import BINARY_FORMATS
from headwater.store import open_store, select_pages
from headwater.web.serving.streaming import EXPORT_TYPES, ExportedDocument, ExportSource, stream_export
from tests.commands import PATIENCE, headwater, running, until
from tests.sites.table_site import Answer, table_site
from tests.web.serving import TOKEN, Server, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.conftest import World


def stored(world: World, scan: int, *lists: str) -> list[Page]:
    """Return the stored pages of these lists, or of the list of pages."""
    store = open_store(world.server.db)
    pages = [page for page in store.pages(scan) if page.kind == "page" and page.list_name in (lists or {"pages"})]
    store.close()
    return pages


def all_pages(world: World, query: str = "") -> list[dict[str, Any]]:
    """Return a whole list, fetched a few rows at a time."""
    rows, cursor = [], ""
    while True:
        part = world.server.request(f"/api/v1/scans/{world.first}/pages?limit=7{query}{cursor}").json
        rows += part["pages"]
        if part["cursor"] is None:
            assert part["total"] == len(rows)
            return rows
        cursor = f"&cursor={part['cursor']}"


def test_a_list_is_complete_and_can_be_sorted(world: World) -> None:
    pages = stored(world, world.first)
    assert [row["url"] for row in all_pages(world)] == [page.url for page in pages]
    by_priority = [row["priority"] for row in all_pages(world, "&sort=-priority")]
    assert by_priority == sorted(by_priority, reverse=True)
    assert len(by_priority) == len(pages)


def test_lists_and_exports_have_the_chosen_fields(world: World) -> None:
    expected = [{"url": page.url, "title": page.title} for page in stored(world, world.first)]
    rows = all_pages(world, "&fields=url,title")
    assert [{"url": row["url"], "title": row["title"]} for row in rows] == expected
    assert {tuple(row) for row in rows} == {("number", "url", "title")}
    assert set(all_pages(world)[0]) == {"number", *EXPORTED_FIELDS}
    export = f"/api/v1/scans/{world.first}/export?fields=title,url&format="
    lines = world.server.request(f"{export}jsonl").body.decode().splitlines()
    assert [json.loads(line) for line in lines] == expected
    assert world.server.request(f"{export}csv").body.decode().splitlines()[0].lstrip("\ufeff") == "title,url"
    refused = world.server.request(f"{export}html")
    assert (refused.status, "html has no fields to choose" in refused.json["detail"]) == (400, True)


def test_lists_and_exports_are_ranked_for_a_question(world: World) -> None:
    store = open_store(world.server.db)
    settings = build_settings({"search": "a first trip"})
    expected = [(page.url, page.score) for page in select_pages(store, lambda: [world.first], settings)]
    store.close()
    assert expected[0][1] != expected[-1][1] == 0
    rows = all_pages(world, "&search=a+first+trip&sort=-depth")
    assert [(row["url"], row["score"]) for row in rows] == expected
    assert set(rows[0]) == {"number", *EXPORTED_FIELDS, "score"}
    export = f"/api/v1/scans/{world.first}/export?search=a+first+trip"
    lines = [json.loads(line) for line in world.server.request(export).body.decode().splitlines()]
    assert [(line["url"], line["score"]) for line in lines] == expected
    text = world.server.request(f"{export}&format=text").body.decode()
    assert text.splitlines() == [url for url, _ in expected]


def test_a_filter_applies_to_list_facets_and_every_export(world: World) -> None:
    expected = [page.url for page in stored(world, world.first) if "sitemap-index" in page.sources]
    query = "source=sitemap-index&sort=url"
    assert [row["url"] for row in all_pages(world, "&source=sitemap-index")] == expected
    facets = world.server.request(f"/api/v1/scans/{world.first}/facets?source=sitemap-index").json
    assert facets["total"] == len(expected)
    for style, (media, _) in EXPORT_TYPES.items():
        answer = world.server.request(f"/api/v1/scans/{world.first}/export?format={style}&{query}")
        assert answer.headers["content-type"].partition(";")[0] == media.partition(";")[0]
        assert answer.headers["content-disposition"].startswith("attachment")
        if style not in BINARY_FORMATS:
            text = answer.body.decode()
            assert all(url in text for url in expected), style
    sheet = world.server.request(f"/api/v1/scans/{world.first}/export?format=xlsx&{query}").body
    with closing(openpyxl.load_workbook(io.BytesIO(sheet), read_only=True)) as book:
        assert [row[0] for row in book.active.iter_rows(min_row=2, values_only=True)] == expected
    columns = world.server.request(f"/api/v1/scans/{world.first}/export?format=parquet&{query}").body
    assert parquet.read_table(io.BytesIO(columns)).column("url").to_pylist() == expected
    lines = world.server.request(f"/api/v1/scans/{world.first}/export?{query}").body.decode().splitlines()
    assert [json.loads(line)["url"] for line in lines] == expected
    table = world.server.request(f"/api/v1/scans/{world.first}/export?format=csv&{query}").body.decode()
    assert [row["url"] for row in csv.DictReader(io.StringIO(table))] == expected


@pytest.mark.parametrize(
    ("query", "lists"),
    [
        ("list=pages", ("pages",)),
        ("list=redirects", ("redirects",)),
        ("list=duplicates", ("duplicates",)),
        ("list=broken", ("broken",)),
        ("list=files", ("files",)),
        ("list=skipped", ("skipped", "files")),
        ("list=all", LIST_NAMES),
        ("status=404", ("broken",)),
        ("status=301", ("redirects",)),
        ("state=failed", ("broken",)),
        ("state=fetched", ("pages", "redirects", "duplicates")),
        ("state=fetched&list=pages", ("pages",)),
        ("reason=http-404", ("broken",)),
        ("reason=http-404&list=pages", ()),
    ],
)
def test_every_list_can_be_requested(world: World, query: str, lists: tuple[str, ...]) -> None:
    expected = {page.url for page in stored(world, world.first, *lists)} if lists else set()
    rows = all_pages(world, f"&{query}")
    assert {row["url"] for row in rows} == expected
    assert {row["list"] for row in rows} <= set(lists)
    facets = world.server.request(f"/api/v1/scans/{world.first}/facets?{query}").json
    assert facets["total"] == len(expected)
    lines = world.server.request(f"/api/v1/scans/{world.first}/export?format=text&{query}").body.decode().splitlines()
    assert sorted(lines) == sorted(expected)


def test_the_outcome_of_a_page_decides_its_list(tmp_path: Path, db: str) -> None:
    links = "".join(f'<a href="/{name}">{name}</a>' for name in ("a", "old", "copy", "gone", "data", "hidden", "dir/"))

    def make(_: str) -> dict[str, Answer | str]:
        return {
            "/": f'{links}<a href="mailto:x@e.com">mail</a>',
            "/a": Answer("<title>A</title>Alpha", headers={"ETag": '"1"'}),
            "/old": Answer(status=301, headers={"Location": "/a"}),
            "/copy": "<title>A</title>Alpha",
            "/data": Answer(b"\0\1", type="application/octet-stream"),
            "/hidden": '<meta name="robots" content="noindex">Hidden',
            "/dir/": "Folder",
        }

    with serving(tmp_path, db=db) as server, table_site(make) as site:
        for is_second in (False, True):
            number = server.scan(site.origin, settings={"keep_skipped": True, "retries": 0})
            pages = server.request(f"/api/v1/scans/{number}/pages?list=all&limit=100").json["pages"]
            rows = {row["url"].removeprefix(site.origin): row for row in pages}
            assert {path: row["list"] for path, row in rows.items()} == {
                "/": "pages", "/a": "pages", "/dir/": "pages", "/hidden": "pages", "/old": "redirects",
                "/copy": "duplicates", "/gone": "broken", "/data": "files", "mailto:x@e.com": "skipped",
            }  # fmt: skip
            assert {path: row["redirect_to"] for path, row in rows.items() if row["redirect_to"]} == {
                "/old": f"{site.origin}/a"
            }
            assert {path: row["duplicate_of"] for path, row in rows.items() if row["duplicate_of"]} == {
                "/copy": f"{site.origin}/a"
            }
            assert [path for path, row in rows.items() if row["noindex"]] == ["/hidden"]
            assert [path for path, row in rows.items() if row["unchanged"]] == (["/a"] if is_second else [])
            assert (rows["/a"]["status"], rows["/a"]["state"]) == (200, "fetched")
            default = server.request(f"/api/v1/scans/{number}/pages").json["pages"]
            assert {row["url"].removeprefix(site.origin) for row in default} == {"/", "/a", "/dir/", "/hidden"}
            sitemap = server.request(f"/api/v1/scans/{number}/export?format=xml&list=all").body.decode()
            assert sitemap.count("<loc>") == 3
            assert all(f"<loc>{site.origin}{path}</loc>" in sitemap for path in ("/", "/a", "/dir/"))


def test_a_sitemap_of_too_many_urls_is_split() -> None:
    pages = [Page(f"https://e.com/{number}", state="fetched") for number in range(50_001)]
    document = ExportedDocument("xml", "e.com", "https://e.com")
    body = b"".join(stream_export(ExportSource(lambda: pages), document, len(pages)))
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert archive.namelist() == ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]
        assert [archive.read(f"sitemap-{part}.xml").count(b"<loc>") for part in (1, 2)] == [50_000, 1]
        assert b"https://e.com/sitemap-2.xml" in archive.read("sitemap.xml")


def test_an_abandoned_export_stops_and_a_failing_one_raises() -> None:
    def endless() -> Iterator[Page]:
        while True:
            yield Page("https://e.com/" + "x" * 1000)

    chunks = stream_export(ExportSource(endless), ExportedDocument("text", "e.com", "https://e.com"), 1)
    assert next(iter(chunks)).startswith(b"https://e.com/x")
    chunks.close()  # type: ignore[attr-defined]

    def failing() -> Iterator[Page]:
        yield Page("https://e.com/")
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        list(stream_export(ExportSource(failing), ExportedDocument("text", "e.com", "https://e.com"), 1))


def test_a_page_has_its_provenance_links_and_history(world: World) -> None:
    row = world.server.request(f"/api/v1/scans/{world.first}/pages?text=first-trip").json["pages"][0]
    view = world.server.request(f"/api/v1/scans/{world.first}/pages/{row['number']}").json
    assert view["page"] == row
    assert [step["url"].removeprefix(world.origin) for step in view["chain"]][-1] == "/guides/first-trip.html"
    assert view["chain"][0]["how"] in {"seed", "robots.txt"}
    assert any("/guides" in one["url"] for one in view["inlinks"])
    assert view["outlinks"]
    assert [moment["scan"] for moment in view["history"]] == [world.second, world.first]
    assert (view["events"][0]["scan"], view["events"][0]["change"]) == (world.first, "new")
    assert view["evidence"][0]["kind"] in {"sitemap_fetch", "robots_txt"}
    assert view["headers"]["content-type"] == "text/html"


def test_the_provenance_starts_at_the_seed(world: World) -> None:
    row = world.server.request(f"/api/v1/scans/{world.first}/pages?text=solo").json["pages"][0]
    chain = world.server.request(f"/api/v1/scans/{world.first}/pages/{row['number']}").json["chain"]
    assert [step["url"].removeprefix(world.origin) for step in chain] == ["/", "/catalogue/", "/catalogue/solo.html"]
    assert chain[0]["how"] == "seed"


def test_a_url_is_explained_by_its_page_or_by_a_rule(world: World) -> None:
    def explained(url: str) -> Any:
        return world.server.request(f"/api/v1/scans/{world.first}/explain?url={quote(url)}").json

    assert explained("/about.html")["page"]["state"] == "fetched"
    assert (
        explained("/catalogue")["page"]["url"]
        == explained("/catalogue/")["page"]["url"]
        == f"{world.origin}/catalogue/"
    )
    assert explained("/old-guides")["page"]["redirect_to"] == f"{world.origin}/guides/"
    moved = world.server.request(
        f"/scans/{world.first}/pages/{explained('/old-guides')['page']['number']}"
    ).body.decode()
    assert f'<dt>redirect to</dt><dd class="url">{world.origin}/guides/</dd>' in moved
    assert explained("/guides/knots.html")["page"]["list"] == "broken"
    assert (explained("/files/map.pdf")["allowed"], explained("/files/map.pdf")["reason"]) == (False, "file-extension")
    assert (explained("https://other.example/")["reason"], explained("/nobody-names-this")["page"]) == (
        "other-host",
        None,
    )


def test_every_spelling_of_a_page_has_one_shape(world: World) -> None:
    base = f"/api/v1/scans/{world.first}/explain?url="
    assert [world.server.request(base + url).json["shape"] for url in ("/catalogue", "/catalogue/")] == [
        "/catalogue"
    ] * 2


def test_skipped_tree_sections_graph_clusters_evidence(world: World) -> None:
    base = f"/api/v1/scans/{world.first}"
    reasons = {one["reason"]: one for one in world.server.request(f"{base}/skipped").json["reasons"]}
    assert reasons["file-extension"]["examples"][0]["detail"].startswith(".")
    hosts = world.server.request(f"{base}/tree").json["folders"]
    assert [(folder["name"], folder["pages"]) for folder in hosts] == [(world.origin, len(stored(world, world.first)))]
    inside = world.server.request(f"{base}/tree?path={quote(hosts[0]['path'])}").json
    assert {"guides", "catalogue"} <= {folder["name"] for folder in inside["folders"]}
    guides = world.server.request(f"{base}/tree?path={quote(hosts[0]['path'] + 'guides/')}").json
    assert guides["pages"][0]["url"] == f"{world.origin}/guides/"  # the page at the address of the folder
    shown = {page["url"] for page in guides["pages"]}
    assert f"{world.origin}/guides/winter.html" in shown
    assert f"{world.origin}/guides/knots.html" not in shown  # it is broken
    sections = world.server.request(f"{base}/sections").json["sections"]
    assert sections[0]["pages"] == hosts[0]["pages"]
    graph = world.server.request(f"{base}/graph?limit=10").json
    assert (len(graph["pages"]), graph["is_capped"], bool(graph["links"])) == (10, True, True)
    answer = world.server.request(f"{base}/clusters").json
    clusters = answer["clusters"]
    assert answer["total"] == len(clusters)
    assert world.server.request(f"{base}/clusters?limit=2").json == {"clusters": clusters[:2], "total": len(clusters)}
    assert "Show all" in world.server.request(f"/scans/{world.first}/clusters?limit=2").body.decode()
    assert "Show all" not in world.server.request(f"/scans/{world.first}/clusters").body.decode()
    total = world.server.request(f"{base}/pages?cluster={clusters[0]['number']}&limit=1").json["total"]
    assert total == clusters[0]["pages"]
    kinds = {one["kind"] for one in world.server.request(f"{base}/evidence").json["evidence"]}
    assert {"robots_txt", "sitemap_fetch", "stage", "discovery_summary"} <= kinds
    first = world.server.request(f"{base}/evidence?limit=1").json
    second = world.server.request(f"{base}/evidence?limit=1&cursor={first['cursor']}").json
    assert first["evidence"] != second["evidence"]


def test_changes_between_two_scans(tmp_path: Path, db: str) -> None:
    pages: dict[str, Any] = {"/": '<a href="/a">a</a><a href="/b">b</a>', "/a": "one", "/b": "two"}
    with serving(tmp_path, db=db) as server, table_site(lambda _: pages) as site:
        options = {"settings": {"stages": ["nav", "crawl"], "always_crawl": True, "retries": 0}}
        assert server.request(f"/api/v1/scans/{server.scan(site.origin, **options)}/changes").status == 404
        changed = {"/": '<a href="/a">a</a><a href="/c">c</a>', "/a": "other", "/c": "new"}
        site.answers = {path: Answer(text) for path, text in changed.items()}
        second = server.scan(site.origin, **options)
        found = server.request(f"/api/v1/scans/{second}/changes").json
        assert {(one["change"], one["url"].removeprefix(site.origin)) for one in found["changes"]} == {
            ("new", "/c"), ("changed", "/"), ("changed", "/a"), ("gone", "/b"),
        }  # fmt: skip
        assert found["counts"] == {"new": 1, "changed": 2, "gone": 1}
        few = server.request(f"/api/v1/scans/{second}/changes?limit=3").json
        rest = server.request(f"/api/v1/scans/{second}/changes?limit=3&cursor={few['cursor']}").json
        assert few["changes"] + rest["changes"] == found["changes"]


def events(server: Server, path: str, last: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yield server-sent events as a browser reads them: id, name, data."""
    headers = {"Authorization": f"Bearer {TOKEN}", **({"Last-Event-ID": last} if last else {})}
    request = urllib.request.Request(server.origin + path, headers=headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as stream:
        fields: dict[str, str] = {}
        for raw in stream:
            line = raw.decode().rstrip("\n")
            name, _, value = line.partition(": ")
            if line:
                fields[name] = value
            elif fields.get("event"):
                yield fields.get("id", ""), fields["event"], json.loads(fields["data"])
                fields = {}


def test_events_are_streamed_and_continue_after_the_last_event_id(world: World) -> None:
    path = f"/api/v1/scans/{world.first}/events"
    received = list(events(world.server, path))
    assert received[-1][1] == "end"
    stages = [data["name"] for _, name, data in received if name == "stage" and data["state"] == "done"]
    assert stages == ["nav", "sitemaps", "crawl", "merge"]
    numbers = [int(number) for number, _, _ in received if number]
    assert numbers == sorted(set(numbers))
    again = list(events(world.server, path, last=str(numbers[2])))
    assert [int(number) for number, _, _ in again if number] == numbers[3:]


def test_a_scan_of_the_command_line_can_be_watched(tmp_path: Path) -> None:
    def make(_: str) -> dict[str, str]:
        return {"/": "".join(f'<a href="/{n}">x</a>' for n in range(40)), **{f"/{n}": "hi" for n in range(40)}}

    received: list[tuple[str, Any]] = []
    with serving(tmp_path) as server, table_site(make) as site, ExitStack() as first, ExitStack() as rest:
        rest.enter_context(site.holding("/20", "/21"))
        first.enter_context(site.holding("/10", "/11"))
        command = ("discover", site.origin, "--db", server.db, "--quiet", "--max-parallel", "2", "--always-crawl")
        with running(tmp_path, *command) as scanning:
            until(lambda: server.request("/api/v1/scans").json["scans"])
            for _, name, data in events(server, "/api/v1/scans/1/events"):
                if name == "progress":  # the two pages that block the scan load once this was shown
                    (rest if any(kind == name for kind, _ in received) else first).close()
                received.append((name, data))
            assert scanning.wait() == 0
        visited = [data["visited"] for name, data in received if name == "progress"]
        assert len(visited) > 2
        assert visited == sorted(visited)
        assert visited[-1] == 41
        assert any(name == "newest" and data for name, data in received)
        assert server.request("/api/v1/scans/1/cancel", b"").status == 409


def test_a_scan_in_another_process_is_stopped(world: World, tmp_path: Path) -> None:
    def make(_: str) -> dict[str, str]:
        return {"/": "".join(f'<a href="/{n}">x</a>' for n in range(200)), **{f"/{n}": "hi" for n in range(200)}}

    server = world.server
    with table_site(make) as site:
        command = ("discover", site.origin, "--db", server.db, "--always-crawl", "--delay", "100ms")
        with site.holding("/199"), running(tmp_path, *command) as scanning:
            newest = "/api/v1/scans?limit=1"
            until(lambda: server.request(newest).json["scans"][0]["seeds"] == [site.origin])
            number = server.request(newest).json["scans"][0]["number"]
            until(lambda: server.request(f"/api/v1/scans/{number}").json["visited"])
            assert server.request(f"/api/v1/scans/{number}/cancel", b"").status == 200
            assert scanning.wait() == 130
        assert "stopped by a request from another process" in scanning.err
        assert "Traceback" not in scanning.err
        scan = server.request(f"/api/v1/scans/{number}").json
        assert (scan["state"], scan["is_live"]) == ("interrupted", False)
        assert 1 <= server.request(f"/api/v1/scans/{number}/pages?verified=yes").json["total"] < 200
        assert server.request(f"/api/v1/scans/{number}/cancel", b"").status == 409
        # A stop request ends with the run that it stopped: the resumed scan continues.
        assert server.request(f"/api/v1/scans/{number}/resume", {"settings": {"delay": 0}}).status == 200
        assert server.wait(number) == "done"


def test_pages_are_streamed_as_json_lines(world: World) -> None:
    lines = world.server.request(f"/api/v1/scans/{world.first}/stream").body.decode().splitlines()
    urls = [json.loads(line)["url"] for line in lines]
    assert len(urls) == len(set(urls))
    assert {page.url for page in stored(world, world.first)} <= set(urls)


def test_a_scan_is_stopped_and_resumed(tmp_path: Path, db: str) -> None:
    def make(_: str) -> dict[str, str]:
        return {"/": "".join(f'<a href="/{n}">x</a>' for n in range(30)), **{f"/{n}": "hi" for n in range(30)}}

    with serving(tmp_path, db=db) as server, table_site(make) as site:
        body = {"urls": [site.origin], "preset": "crawl", "settings": {"delay": "100ms", "max_parallel": 1}}
        with site.holding("/29"):
            number = server.request("/api/v1/scans", body).json["scan"]
            until(lambda: (server.request(f"/api/v1/scans/{number}").json["visited"] or 0) >= 3)
            assert server.request(f"/api/v1/scans/{number}/resume", {}).status == 409
            assert server.request(f"/api/v1/scans/{number}/cancel", b"").status == 200
            assert server.wait(number) == "interrupted"
        kept = server.request(f"/api/v1/scans/{number}/pages?verified=yes").json["total"]
        assert 1 <= kept < 31
        assert server.request(f"/api/v1/scans/{number}/resume", {"settings": {"delay": 0}}).status == 200
        assert server.wait(number) == "done"
        assert server.request(f"/api/v1/scans/{number}/pages?verified=yes").json["total"] == 31
        assert max(site.hits[path] for path in site.hits if path != "/robots.txt") <= 2
        with site.holding("/29"):
            again = server.request(f"/api/v1/scans/{number}/again", b"")
            assert again.status == 201
            assert server.request(f"/api/v1/scans/{again.json['scan']}").json["settings"]["delay"] == 0.1
            assert server.request(f"/api/v1/scans/{again.json['scan']}/cancel", b"").status == 200


def test_a_scan_that_fails_says_why_and_can_be_resumed(tmp_path: Path, db: str) -> None:
    def make(_: str) -> dict[str, str]:
        links = "".join(f'<a href="/{n}">x</a>' for n in range(5))
        return {"/": links, **{f"/{n}": f"<title>Page {n}</title>The text of page {n}" for n in range(5)}}

    def add_evidence(content: dict[str, object]) -> None:
        """Change the stored result of the navigation stage, which a resumed scan starts from."""
        with closing(open_store(db)) as store:
            store.add_evidence(number, Evidence("stage", "nav", success=True, content=content))

    with serving(tmp_path, db=db) as server, table_site(make) as site:
        number = server.scan(site.origin, preset="crawl", settings={"stages": ["nav", "crawl"], "max_pages": 1})
        scan, more = f"/api/v1/scans/{number}", {"settings": {"max_pages": None}}
        assert server.request(scan).json["failure"] is None
        add_evidence({"progress": {"<unknown>": 1}})
        assert server.request(f"{scan}/resume", more).status == 200
        failure = until(lambda: server.request(scan).json["failure"])
        assert failure.endswith("Error: Got unexpected field names: ['<unknown>']")
        assert server.wait(number) == "interrupted"
        received = [data["message"] for _, name, data in events(server, f"{scan}/events") if name == "failure"]
        assert received == [failure]
        screen = server.request(f"/scans/{number}").body.decode()
        assert (f'role="alert">{failure}</p>' in html.unescape(screen), "<unknown>" in screen) == (True, False)
        add_evidence({})
        assert server.request(f"{scan}/resume", more).status == 200
        assert server.wait(number) == "done"
        assert server.request(f"{scan}/pages?verified=yes").json["total"] == 6
        assert server.request(scan).json["failure"] is None
        assert 'role="alert"' not in server.request(f"/scans/{number}").body.decode()


def test_scans_keep_their_pages_when_the_server_ends(tmp_path: Path) -> None:
    def make(_: str) -> dict[str, str]:
        return {"/": "".join(f'<a href="/{n}">x</a>' for n in range(30)), **{f"/{n}": "hi" for n in range(30)}}

    with table_site(make) as site:
        with site.holding("/29"), serving(tmp_path) as server:
            body = {"urls": [site.origin], "preset": "crawl", "settings": {"delay": "100ms", "max_parallel": 1}}
            number = server.request("/api/v1/scans", body).json["scan"]
            until(lambda: (server.request(f"/api/v1/scans/{number}").json["visited"] or 0) >= 3)
        store = open_store(server.db)
        scan = store.scan(number)
        assert scan is not None
        assert (scan.state, store.counts(number).fetched > 0) == ("interrupted", True)
        store.close()
        assert headwater("resume", "--db", server.db, "--delay", "0", "--quiet").code == 0


def test_other_methods_are_rejected(server: Server) -> None:
    answer = server.request("/api/v1/scans/1", method="DELETE")
    assert (answer.status, answer.json["status"]) == (405, 405)
    assert "GET" in answer.headers["allow"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/scans/99", 404),
        ("/api/v1/scans/x", 404),
        ("/api/v1/scans/1/pages/999999", 404),
        ("/api/v1/scans/1/pages?status=banana", 400),
        ("/api/v1/scans/1/pages?nonsense=1", 400),
        ("/api/v1/scans/1/pages?list=page", 400),
        ("/api/v1/scans/1/pages?sort=url&sort=title", 400),
        ("/api/v1/scans/1/pages?limit=1000000", 400),
        ("/api/v1/scans/1/pages?fields=url,nonsense", 400),
        ("/api/v1/scans/1/pages?search=knots&cursor=WzEsMV0", 400),
        ("/api/v1/scans/1/pages?cursor=bm9uc2Vuc2U", 400),
        ("/api/v1/scans/1/pages?cursor=W10", 400),
        ("/api/v1/scans/1/pages?sort=lastmod&cursor=WzEsMV0", 400),
        ("/api/v1/scans/1/pages?sort=lastmod&cursor=WyJcdWQ4MDAiLCAxXQ", 400),
        ("/api/v1/scans/1/export?format=../../etc/passwd", 400),
        ("/api/v1/scans/1/tree?path=https://nowhere.example/", 404),
        ("/api/v1/scans/1/explain", 400),
        ("/api/v1/nothing", 404),
        ("/static/../server.py", 404),
        ("/static/%2e%2e/server.py", 404),
    ],
)
def test_invalid_requests_are_problems(server: Server, path: str, status: int) -> None:
    answer = server.request(path)
    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json["status"] == status
