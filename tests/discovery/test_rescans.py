"""Repeated scans of a site: conditional requests, new, changed and gone pages, and the provenance of URLs."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from headwater.store import open_store
from tests.commands import headwater
from tests.sites.table_site import Answer, index, robots, table_site, urlset

if TYPE_CHECKING:
    from pathlib import Path

    from tests.sites.table_site import TableSite

COUNT = 60


def page(number: int, links: str = "", version: int = 1) -> Answer:
    text = f"<title>Page {number}</title><h1>{number}.{version}</h1>{links}"
    return Answer(text, headers={"ETag": f'"{number}.{version}"'})


def tree(_: str) -> dict[str, Answer | str]:
    """Pages in a binary tree; page n links to its two children and to page n+7."""
    site: dict[str, Answer | str] = {}
    for number in range(COUNT):
        targets = [target for target in (2 * number + 1, 2 * number + 2, number + 7) if target < COUNT]
        links = "".join(f'<a href="/p{target}">Page {target}</a>' for target in targets)
        site[f"/p{number}"] = page(number, links)
    site["/"] = page(-1, '<nav><a href="/p0">Start</a></nav>')
    return site


def scan(site: TableSite, db: Path, *options: str) -> None:
    given = ("--max-depth", "20", "--quiet", "--retries", "0", *options)
    result = headwater("discover", site.origin, "--db", str(db), *given)
    assert result.code == 0, result.err


def test_rescans(tmp_path: Path) -> None:
    db = tmp_path / "s.db"
    with table_site(tree) as site:
        scan(site, db)
        assert headwater("diff", "--db", str(db)).code == 2  # nothing to compare with yet
        site.requests.clear()
        scan(site, db)
        statuses = {path: status for path, _, status in site.requests if path == "/" or path.startswith("/p")}
        assert len(statuses) == COUNT + 1
        assert set(statuses.values()) == {304}
        unchanged = headwater("diff", "--db", str(db))
        assert (unchanged.code, unchanged.out) == (0, "")

        for number in (3, 9, 14, 27, 59):
            links = str(site.answers[f"/p{number}"].body).partition("</h1>")[2]
            site.answers[f"/p{number}"] = page(number, links, version=2)
        for number in (44, 51, 58):
            del site.answers[f"/p{number}"]
        changed = str(site.answers["/p9"].body).partition("</h1>")[2]
        site.answers["/p9"] = page(9, changed + '<a href="/new1">n</a><a href="/new2">n</a>', version=3)
        site.answers["/new1"], site.answers["/new2"] = page(101), page(102)
        scan(site, db)
        result = headwater("diff", "--db", str(db), "--format", "jsonl")
        rows = [json.loads(line) for line in result.out.splitlines()]
        by_change = {
            change: sorted(row["url"].removeprefix(site.origin) for row in rows if row["change"] == change)
            for change in ("new", "changed", "gone")
        }
        assert by_change == {
            "new": ["/new1", "/new2"],
            "changed": ["/p14", "/p27", "/p3", "/p59", "/p9"],
            "gone": ["/p44", "/p51", "/p58"],
        }
        assert result.code == 4
        text = headwater("diff", "1", "3", "--db", str(db))
        assert "2 new, 5 changed, 3 gone" in text.err
        assert f"+ {site.origin}/new1" in text.out.splitlines()


def test_a_page_that_lost_its_links_is_not_gone(tmp_path: Path) -> None:
    db = tmp_path / "s.db"
    with table_site(lambda _: {"/": page(0, '<a href="/a">a</a>'), "/a": page(1)}) as site:
        scan(site, db)
        site.answers["/"] = page(0, "", version=2)
        scan(site, db)
        result = headwater("diff", "--db", str(db))
        assert result.out.splitlines() == [f"~ {site.origin}/"]
        listed = headwater("explain", f"{site.origin}/a", "--db", str(db), "--format", "jsonl")
        assert json.loads(listed.out)["sources"] == ["previous"]


def test_an_unreliable_lastmod_is_ignored(tmp_path: Path) -> None:
    db = tmp_path / "s.db"
    names = [f"/p{number}" for number in range(6)]

    def sitemap(origin: str, day: str) -> Answer:
        blocks = "".join(
            f"<url><loc>{origin}{name}</loc><lastmod>2026-01-{day}</lastmod></url>" for name in [*names, "/far"]
        )
        return Answer(f"<urlset>{blocks}</urlset>", type="text/xml")

    def make(origin: str) -> dict[str, Answer | str]:
        links = "".join(f'<a href="{name}">x</a>' for name in names)
        pages: dict[str, Answer | str] = {name: f"<title>{name}</title>" for name in names}
        return {"/": links, "/far": "far", "/sitemap.xml": sitemap(origin, "01"), **pages}

    with table_site(make) as site:
        scan(site, db, "--crawl-from", "seed")  # `/far` is listed, but not visited
        site.answers["/sitemap.xml"] = sitemap(site.origin, "02")
        scan(site, db, "--crawl-from", "seed")
        result = headwater("diff", "--db", str(db))
        assert (result.code, result.out) == (0, "")
    for key, count in (("dishonest", 0), ("not_flagged", 1)):  # the key of older scans, and none
        with closing(sqlite3.connect(db)) as connection, connection:
            rename = "UPDATE evidence SET content = replace(replace(content, 'unreliable_lastmod', ?), 'dishonest', ?)"
            connection.execute(rename, (key, key))
        with closing(open_store(str(db))) as store:
            assert len(list(store.changes(1, 2))) == count


def test_explain_shows_the_provenance_of_a_url(tmp_path: Path) -> None:
    db = tmp_path / "s.db"

    def make(origin: str) -> dict[str, Answer | str]:
        return {
            "/": '<nav><a href="/1">One</a></nav>',
            "/1": '<a href="/2">Two</a>',
            "/2": '<a href="/3">Three</a>',
            "/3": '<footer><a href="/4">Four</a></footer><a href="/x.pdf">file</a>',
            "/robots.txt": robots(f"Sitemap: {origin}/index.xml"),
            "/index.xml": index(f"{origin}/s.xml"),
            "/s.xml": urlset(f"{origin}/orphan"),
        }

    with table_site(make) as site:
        scan(site, db)
        result = headwater("explain", f"{site.origin}/4", "--db", str(db), "--format", "jsonl")
        found = json.loads(result.out)
        assert [step["url"].removeprefix(site.origin) for step in found["chain"]] == ["/", "/1", "/2", "/3", "/4"]
        assert found["chain"][-1]["how"] == 'footer: <a href> "Four" in footer'
        text = headwater("explain", "/orphan", "--db", str(db)).out
        places = [text.index(name) for name in ("/robots.txt", "/index.xml", "/s.xml", "/orphan  sitemap-index")]
        assert places == sorted(places)
        output = headwater("explain", "/x.pdf", "https://elsewhere.example/", "/nowhere", "--db", str(db)).out
        assert "resource, not visited: file-extension" in output
        assert "skipped: other-host" in output
        assert "scan 1 did not find it" in output


TEXT = "<p>" + "Some text of the page. " * 30
LINKS = "".join(f"<a href=/{name}>{name}</a> " for name in "abcdef")
SCRIPTED = {
    "/": "<title>Home</title>"
    + "".join(f"<a href=/{name}>{name}</a> " for name in "abcdef")
    + TEXT
    + "<script src=/s.js></script>",
    "/a": f"<title>A</title><h1>A</h1><button>Toggle</button>{TEXT}<a href=/b>b</a><script src=/s.js></script>",
    "/b": f"<title>B</title><ul id=more></ul>{TEXT}<script>more.innerHTML = '<a href=/late>late</a>'</script>",
    **{f"/{name}": f"<title>{name}</title>{TEXT}" for name in ("c", "d", "e", "f", "late")},
}


def opened(db: Path, scan_number: int, kind: str = "render") -> list[str]:
    with closing(open_store(str(db))) as store:
        return sorted("/" + one.url.rpartition("/")[2] for one in store.evidence(scan_number, kind))


def test_pages_to_which_the_browser_added_nothing_are_not_opened_again(tmp_path: Path) -> None:
    """The list is the same; a page that gains is opened again, and so is one that has changed."""
    db = tmp_path / "s.db"
    script = Answer("document.title.length", type="text/javascript")
    with table_site(lambda _: {**SCRIPTED, "/s.js": script}) as site:
        scan(site, db, "--render-timeout", "120", "-o", str(tmp_path / "1.csv"))
        first = opened(db, 1)
        assert {"/", "/a", "/b"} <= set(first)
        scan(site, db, "--render-timeout", "120", "-o", str(tmp_path / "2.csv"))
        saved = opened(db, 2, "render_saved")
        assert {"/", "/a"} <= set(saved)
        assert (sorted([*opened(db, 2), *saved]), "/b" in opened(db, 2)) == (first, True)
        listed = [line.partition(",")[0] for line in (tmp_path / "2.csv").read_text().splitlines()]
        assert listed == [line.partition(",")[0] for line in (tmp_path / "1.csv").read_text().splitlines()]
        site.answers["/a"] = site.answers["/a"]._replace(body=f"{SCRIPTED['/a']}<p>More")
        scan(site, db, "--render-timeout", "120")
        assert ("/a" in opened(db, 3), "/" in opened(db, 3, "render_saved")) == (True, True)
