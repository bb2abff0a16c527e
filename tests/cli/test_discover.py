"""`headwater discover` and related commands: output, formats, interruptions and limits."""

from __future__ import annotations

import csv
import json
import random
import re
import shlex
import signal
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sample.serve import sample_site

from headwater import UnreachableError, discover
from headwater.store import SqliteStore
from tests.commands import Result, headwater, running, until
from tests.sites.table_site import Answer, table_site

if TYPE_CHECKING:
    from pathlib import Path


def test_pages_go_to_stdout_and_stages_to_stderr(tmp_path: Path) -> None:
    with sample_site() as origin:
        result = headwater(origin, "--db", str(tmp_path / "x.db"))
    assert result.code == 0
    assert all(line.startswith(origin) for line in result.out.splitlines())
    for words in ("✓ navigation", "✓ sitemaps", "✓ crawl", "✓ classify", "by source", "clusters", "only in sitemaps"):
        assert words in result.err
    assert "\x1b" not in result.err


@pytest.mark.parametrize("command", [["discover"], ["crawl", "--format", "text"], ["sitemap"]])
def test_the_summary_says_that_max_urls_cut_the_list(command: list[str], tmp_path: Path) -> None:
    def make(origin: str) -> dict[str, Answer | str]:
        links = "".join(f"<a href=/{number}>x</a>" for number in range(7))
        listed = "".join(f"<url><loc>{origin}/{number}</loc></url>" for number in range(8))
        pages: dict[str, Answer | str] = {f"/{number}": f"page {number}" for number in range(8)}
        return pages | {"/": links, "/sitemap.xml": f"<urlset>{listed}</urlset>"}

    with table_site(make) as site:
        db = [] if command == ["sitemap"] else ["--db", str(tmp_path / "x.db")]
        cut = headwater(*command, site.origin, *db, "--max-urls", "5")
        whole = headwater(*command, site.origin, *db, "--max-urls", "50")
    assert "Wrote 5 of " in cut.err
    assert "pages because of --max-urls; raise it to write more" in cut.err
    assert len(cut.out.splitlines()) <= 5
    assert "--max-urls" not in whole.err


def test_a_sitemap_export_lists_only_pages_that_loaded_and_are_indexable(tmp_path: Path) -> None:
    pages: dict[str, Answer | str] = {
        "/": "<a href=/moved>m</a><a href=/print>p</a><a href=/gone>g</a><a href=/private>r</a>",
        "/robots.txt": Answer("User-agent: *\nDisallow: /private", type="text/plain"),
        "/moved": Answer(status=301, headers={"Location": "/here"}),
        "/here": "<link rel=canonical href=/here>here",
        "/print": "<meta name=robots content=noindex>print",
    }
    with table_site(lambda _: pages) as site:
        db = ["--db", str(tmp_path / "x.db")]
        headwater("crawl", site.origin, *db, "--quiet")
        written = headwater("export", *db, "--format", "xml").out
    assert re.findall("<loc>(.*)</loc>", written) == [f"{site.origin}/", f"{site.origin}/here"]


@pytest.mark.parametrize("format_", ["json", "jsonl", "csv", "html", "xml", "md", "text"])
def test_every_format_can_be_written(format_: str, tmp_path: Path) -> None:
    with sample_site() as origin:
        result = headwater(
            "discover", origin, "--db", str(tmp_path / "x.db"), "--format", format_, "--quiet", "--max-depth", "1"
        )
        listed = headwater("sitemap", origin, "--format", format_)
    assert (result.code, listed.code) == (0, 0)
    assert "/guides/winter.html" in result.out
    assert "/guides/winter.html" in listed.out
    assert "sitemap_index.xml  index, 2 sitemaps" in listed.err
    if format_ == "jsonl":
        row = next(json.loads(line) for line in result.out.splitlines() if "/about.html" in line)
        assert (row["sources"], row["importance"]) == (["navigation", "sitemap-index"], 1.0)
        assert row["clusters"]
        assert 0 < row["priority"] <= 1
    if format_ == "csv":
        assert {"clusters", "priority", "sources"} <= set(next(csv.DictReader(result.out.splitlines())))


def test_mistakes_are_reported_before_a_store_is_created(tmp_path: Path) -> None:
    result = headwater("discover", "https://e.com", "--db", str(tmp_path / "x.db"), "--exclude", "re:(")
    assert result.code == 2
    assert not (tmp_path / "x.db").exists()
    assert headwater("discover").code == 2


def has_scan(db: Path) -> bool:
    """Return True if the store can be opened and holds a scan."""
    if not db.exists():
        return False
    store = SqliteStore(str(db))
    scan = store.last_scan()
    store.close()
    return scan is not None


def slow_site(_: str) -> dict[str, Answer | str]:
    site: dict[str, Answer | str] = {}
    for number in range(80):
        links = "".join(f'<a href="/p{target}">x</a>' for target in (2 * number + 1, 2 * number + 2) if target < 80)
        site[f"/p{number}"] = Answer(f"<title>{number}</title>{links}", delay=0.02)
    site["/orphan"] = Answer("no page links to this one")
    site["/"] = Answer('<nav><a href="/p0">Start</a></nav>', delay=0.02)
    site["/sitemap.xml"] = Answer("<urlset><url><loc>{}/orphan</loc></url></urlset>", type="text/xml", delay=0.05)
    return site


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
def test_a_scan_interrupted_at_any_moment_can_be_resumed(kind: signal.Signals, tmp_path: Path) -> None:
    rng = random.Random(kind)
    with table_site(slow_site) as site:
        site.answers["/sitemap.xml"] = Answer(
            f"<urlset><url><loc>{site.origin}/orphan</loc></url></urlset>", type="text/xml", delay=0.05
        )
        options = ["--max-depth", "20", "--max-parallel", "4"]
        uninterrupted = headwater("discover", site.origin, "--db", str(tmp_path / "calm.db"), *options)
        db = tmp_path / "x.db"
        arguments = ("discover", site.origin, "--db", str(db), *options)
        for _ in range(4):
            enough = sum(site.hits.values()) + rng.randint(1, 20)
            with running(tmp_path, *arguments) as command:
                until(lambda: sum(site.hits.values()) >= enough or command.process.poll() is not None)  # noqa: B023
                command.process.send_signal(kind)
                command.wait()
            assert "Traceback" not in command.err
            if has_scan(db):
                arguments = ("resume", "--db", str(db))
        last = headwater(*arguments)
        assert last.code == 0 or "no unfinished scan" in last.err
    assert headwater("export", "--db", str(db)).out == uninterrupted.out
    assert len(uninterrupted.out.splitlines()) == 82


@pytest.mark.parametrize(
    ("limit", "unvisited"), [(("--max-pages", "5"), 9), (("--max-depth", "2"), 17), (("--max-time", "2"), None)]
)
def test_a_scan_ended_by_a_limit_says_how_to_continue(
    limit: tuple[str, str], unvisited: int | None, tmp_path: Path
) -> None:
    def make(_: str) -> dict[str, Answer | str]:
        pages: dict[str, Answer | str] = {}
        for n in range(40):
            links = "".join(f"<a href=/{child}>x</a>" for child in (2 * n + 1, 2 * n + 2, 3 * n + 3) if child < 40)
            pages[f"/{n}" if n else "/"] = Answer(f"page {n} {links}")
        return pages

    with table_site(make) as site:
        with site.holding(*["/39"] * ("time" in limit[0])):
            result = headwater(site.origin, "--db", "my scans.db", *limit, cwd=tmp_path)
        line = next(line for line in result.err.splitlines() if line.startswith("INCOMPLETE"))
        assert f"INCOMPLETE: {limit[0]} {limit[1]} ended the scan; " in line
        if unvisited is not None:
            assert f"; {unvisited} known URLs were not visited. " in line
        command = line.partition("Continue with: headwater ")[2]
        assert command == f"resume --db 'my scans.db' {limit[0]} none"
        done = headwater(*shlex.split(command), cwd=tmp_path)
        assert "INCOMPLETE" not in done.err
        assert len(done.out.splitlines()) == 40
        # A page that was being loaded when the time was over is requested again.
        assert all(1 <= site.hits[f"/{n}"] <= (2 if "time" in limit[0] else 1) for n in range(1, 40))


@pytest.mark.parametrize("format_", ["text", "jsonl"])
def test_stream_writes_each_page_when_it_has_loaded(format_: str, tmp_path: Path) -> None:
    def make(_: str) -> dict[str, Answer | str]:
        return {"/": "start <a href=/a>a</a><a href=/held>h</a><a href=/gone>g</a>", "/a": "a", "/held": held}

    held = Answer("held", delay=60.0)
    with table_site(make) as site:
        flags = ("--db", "x.db", "--stream", "--format", format_, "--max-time", "600")
        with running(tmp_path, "discover", site.origin, *flags) as command:
            until(lambda: f"{site.origin}/a" in command.out)
            with closing(SqliteStore(str(tmp_path / "x.db"))) as store:
                until(lambda: store.counts(1).failed)  # /gone, which is not written
            assert command.process.poll() is None
            command.interrupt()
        lines = command.out.splitlines()
    urls = lines if format_ == "text" else [json.loads(line)["url"] for line in lines]
    assert sorted(urls) == [f"{site.origin}/", f"{site.origin}/a", f"{site.origin}/held"]
    assert urls[-1] == f"{site.origin}/held"  # it never loaded, so it comes last


def test_stream_rejects_formats_that_cannot_be_streamed(tmp_path: Path) -> None:
    result = headwater("discover", "http://127.0.0.1:9/", "--stream", "--format", "csv", cwd=tmp_path)
    assert (result.code, "csv cannot be written page by page" in result.err) == (2, True)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://127.0.0.1:9/", "Could not connect to 127.0.0.1:9: connection refused"),
        ("http://no-such-host.invalid/", "Could not connect to no-such-host.invalid: there is no such host"),
    ],
)
def test_an_unreachable_host_is_reported_in_one_sentence(url: str, problem: str, tmp_path: Path) -> None:
    result = headwater(url, "--retries", "0", cwd=tmp_path)
    assert (result.code, result.out, result.err) == (1, "", f"{problem}\n")
    with pytest.raises(UnreachableError, match=re.escape(problem)):
        discover(url, retries=0)


def test_the_first_interrupt_stops_a_scan_gracefully(tmp_path: Path) -> None:
    def make(_: str) -> dict[str, Answer | str]:
        links = "".join(f"<a href=/{n}>x</a>" for n in range(20))
        return {
            "/": f"start {links}",
            **{f"/{n}": Answer(f"page {n}", delay=0.0 if n < 3 else 60.0) for n in range(20)},
        }

    with table_site(make) as site:
        with running(tmp_path, "discover", site.origin, "--db", "x.db") as command:
            until(lambda: site.hits["/12"])  # it is requested when three of the first ten have loaded
            code = command.interrupt()
        assert code == 130
        assert len(command.out.splitlines()) == 21
        assert "INCOMPLETE: the scan was interrupted; 17 known URLs were not visited. " in command.err
        assert "Continue with: headwater resume --db x.db" in command.err


@pytest.mark.parametrize("command", ["crawl", "discover"])
def test_a_limit_can_be_raised_later(command: str, tmp_path: Path) -> None:
    def fetched() -> int:
        store = SqliteStore(db)
        scan = store.last_scan()
        assert scan is not None
        return store.counts(scan.number).fetched

    db = str(tmp_path / "x.db")
    with table_site(slow_site) as site:
        headwater(command, site.origin, "--db", db, "--max-pages", "7", "--max-depth", "30")
        assert fetched() == 7
        assert headwater("resume", "--db", db, "--max-pages", "20").code == 0
        assert fetched() == 20
        assert headwater("resume", "--db", db, "--max-pages", "none").code == 0
        assert fetched() == 81


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("no/x.csv", "the folder no does not exist"),
        (".", "it is a folder"),
        ("x.db", "is the store that --db names"),
    ],
)
def test_an_output_that_cannot_be_written_is_an_error_before_the_scan(
    output: str, message: str, tmp_path: Path
) -> None:
    with sample_site() as origin:
        for command in ("discover", "crawl"):
            result = headwater(command, origin, "--db", "x.db", "-o", output, cwd=tmp_path)
            assert (result.code, message in result.err) == (2, True), result.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["discover", "crawl"])
def test_the_file_name_of_the_output_decides_the_format(command: str, tmp_path: Path) -> None:
    def read_start(name: str, *more: str) -> str:
        return (tmp_path / name).read_text()[:6] if run("export", name, *more).code == 0 else ""

    def run(command: str, name: str, *more: str) -> Result:
        return headwater(command, "--outputPath", name, "--quiet", *more, cwd=tmp_path)

    with sample_site() as origin:
        assert run(command, "x.JSON", "--url", origin).out == ""
    assert isinstance(json.loads((tmp_path / "x.JSON").read_text()), list)
    assert read_start("x.csv") == "url,ki"
    assert read_start("x.xml") == "<?xml "
    assert read_start("x.ndjson") == '{"url"'
    assert read_start("x.dat") == "http:/"
    assert read_start("y.csv", "--format", "text") == "http:/"


def test_the_error_about_a_full_disk_says_how_to_write_the_results_again(tmp_path: Path) -> None:
    with sample_site() as origin:
        result = headwater("discover", origin, "-o", "/dev/full", cwd=tmp_path)
    assert result.code == 1
    assert "Error: could not write /dev/full (No space left on device). " in result.err
    assert "`headwater export --db headwater.db -o FILE`" in result.err
    assert headwater("export", "-o", "pages.txt", cwd=tmp_path).code == 0


def test_the_output_setting_is_checked_only_by_commands_that_write_it(tmp_path: Path) -> None:
    (tmp_path / "headwater.toml").write_text('output = "no/such/folder.txt"\n')
    assert headwater("normalize", "https://e.com/", cwd=tmp_path).code == 0
    assert "the folder no/such does not exist" in headwater("discover", "https://e.com/", cwd=tmp_path).err
