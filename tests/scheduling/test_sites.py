"""Lists of sites in one process and in two: nothing is visited twice or lost, and no site delays the others."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from headwater.model import Evidence
from headwater.store import SqliteStore, open_store
from headwater.store.factory import open_browse_store
from tests.commands import Command, headwater, is_alive, running, until
from tests.discovery.test_crash_record import DEADLY_PARSER
from tests.sites.many_sites import ManySites, many_sites
from tests.sites.table_site import Answer, table_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPTIONS = ("--stages", "nav,crawl", "--max-depth", "none", "--retries", "0", "--render", "never")
REFUSED = "http://127.0.0.1:9/"


def visits(sites: ManySites) -> Counter[tuple[int, str]]:
    """Return the number of requests of each page."""
    return Counter((hit.port, hit.path) for hit in sites.hits() if hit.path == "/" or hit.path.startswith("/p"))


def everything(sites: ManySites) -> set[str]:
    """Return the URLs of all pages."""
    paths = ["", *(f"p{number}" for number in range(1, sites.pages))]
    return {origin + path for origin in sites.origins for path in paths}


@pytest.fixture
def hanging() -> Iterator[str]:
    """A site that accepts connections and never responds."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=64)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


def test_thirty_sites_in_two_processes(tmp_path: Path) -> None:
    db, file = str(tmp_path / "x.db"), tmp_path / "sites.txt"
    with many_sites(30, 20, 0.0, tmp_path) as sites:
        lines = [*sites.origins, "# a remark", "", sites.origins[0] + "p3", "garbage://", REFUSED, "x" * 100_000]
        file.write_text("\ufeff" + "\r\n".join(lines))
        result = headwater("discover", "--file", str(file), "--db", db, "--processes", "2", *OPTIONS)
        assert set(visits(sites).values()) == {1}
        expected = everything(sites)
    assert result.code == 0, result.err
    assert set(result.out.splitlines()) == {*expected, REFUSED}
    assert len(result.out.splitlines()) == len(expected) + 1
    assert f"{file}:34: garbage:// cannot be used" in result.err
    assert f"{file}:36: " in result.err
    assert "600 pages of 31 sites (30 done, 1 failed)" in result.err
    assert result.err.count(f"{REFUSED}  failed: ") == 2  # when it ends, and in the table
    assert f"{sites.origins[0]} and 1 more URL" in result.err
    assert headwater("export", "--db", db, "--all-sites").out == result.out
    assert "fetched 200; sources: content-link" in headwater("explain", sites.origins[4] + "p7", "--db", db).out
    store = SqliteStore(db)
    assert [store.counts(scan).fetched for scan in range(1, 31)] == [20] * 30
    last = store.site_lists.last_list()
    assert last is not None
    assert store.site_lists.last_list(unfinished=True) == last  # the one that failed may be retried
    store.close()
    again = headwater("resume", "--db", db, "--quiet", "--strict")
    assert (again.code, "1 site of the list" in again.err) == (3, True)


def test_a_site_that_hangs_does_not_delay_the_others(hanging: str, tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    links = "".join(f'<a href="/files/a-rather-long-name-of-a-file-{number}.pdf">x</a>' for number in range(5000))
    with many_sites(5, 20, 0.0, tmp_path) as sites, table_site(lambda _: {"/": links}) as wide:
        command = (
            "discover",
            hanging,
            wide.origin,
            *sites.origins,
            "--db",
            db,
            "--sites",
            "3",
            "--processes",
            "2",
            "--timeout",
            "600",
            "--idle-timeout",
            "600",
            *OPTIONS,
        )
        with running(tmp_path, *command) as list_scan:
            until(lambda: list_scan.err.count("✓") == 6)
            assert hanging not in list_scan.err
            children = list_scan.children()
            assert list_scan.interrupt() == 130
            assert f"6 of 7 sites have ended; the results are stored in {db}. Continue with: headwater resume" in (
                list_scan.err
            )
            assert "Traceback" not in list_scan.err
        assert len(children) == 2
        assert not any(map(is_alive, children))
        assert set(visits(sites).values()) == {1}
        assert "Continuing with 1 site of" in headwater("resume", "--db", db, "--timeout", "0.2", "--quiet").err
        assert set(visits(sites).values()) == {1}


def test_a_large_site_yields_to_others(tmp_path: Path) -> None:
    def huge(_: str) -> dict[str, str]:
        links = "".join(f'<a href="/p{number}">{number}</a>' for number in range(300))
        return {"/": links, **{f"/p{number}": f"page {number}" for number in range(300)}}

    options = ("--sites", "1", "--slice-time", "1", "--max-parallel", "2", "--delay", "0.02", *OPTIONS)
    with table_site(huge) as site, many_sites(3, 2, 0.0, tmp_path) as sites:
        result = headwater("discover", site.origin, *sites.origins, "--db", str(tmp_path / "x.db"), *options)
        assert {count for path, count in site.hits.items() if path.startswith("/p")} == {1}
    ended = [line.split()[-1] for line in result.err.splitlines() if " s  http" in line]
    assert (set(ended[:-1]), ended[-1]) == (set(sites.origins), f"{site.origin}/")
    assert len(result.out.splitlines()) == 301 + 6


def kill_midway(command: Command, sites: ManySites, requests: int, *, kills_child_first: bool) -> None:
    """Kill the command after so many requests; with `kills_child_first`, first kill a process that it replaces."""
    until(lambda: len(sites.hits()) > requests)
    children = command.children()
    if kills_child_first:
        os.kill(children[0], signal.SIGKILL)
        until(lambda: set(command.children()) - set(children))
    command.kill()
    until(lambda: not any(map(is_alive, children)))


@pytest.fixture(params=["file", "server"])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The name of a store: a file, or a database on a server."""
    return str(request.getfixturevalue("database")) if request.param == "server" else str(tmp_path / "x.db")


def test_a_list_killed_at_any_moment_can_be_resumed(db: str, tmp_path: Path) -> None:
    chance = random.Random(7)
    more = ("--db", db, "--processes", "2", "--sites", "4")
    with many_sites(8, 15, 0.02, tmp_path) as sites:
        (tmp_path / "sites.txt").write_text("\n".join(sites.origins))
        command: tuple[str, ...] = ("discover", "--file", str(tmp_path / "sites.txt"), *OPTIONS, *more)
        for kills_child_first in (True, False):
            before = len(sites.hits())
            requests = chance.randint(15, 25)
            with sites.held(after=requests + 5), running(tmp_path, *command) as list_scan:
                kill_midway(list_scan, sites, before + requests, kills_child_first=kills_child_first)
            command = ("resume", *more)
        last = headwater(*command)
        assert (last.code, set(last.out.splitlines())) == (0, everything(sites))
        assert max(visits(sites).values()) <= 1 + 3
        assert headwater("export", "--db", db, "--all-sites").out == last.out
        assert "fetched 200; sources: content-link" in headwater("explain", sites.origins[4] + "p7", "--db", db).out
    with closing(open_store(db)) as store:
        found = store.site_lists.last_list()
        assert found is not None
        scans = [site.scan or 0 for site in store.site_lists.sites(found.number)]
        assert [store.counts(scan).fetched for scan in scans] == [15] * 8
        # A server leaves out the number of a scan that was killed before it was committed.
        kept = [scan for scan in range(1, max(scans) + 5) if store.scan(scan) is not None]
        assert kept == sorted(scans)


def test_a_page_that_crashes_processes_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(DEADLY_PARSER)
    links = '<a href="/deadly">d</a><a href="/fine">f</a>'
    with table_site(lambda _: {"/": links, "/deadly": "DEADLY", "/fine": "fine"}) as site:
        with many_sites(2, 10, 0.0, tmp_path) as sites:
            result = headwater(
                "discover", site.origin, *sites.origins, "--processes", "2", "--db", str(tmp_path / "x.db"), *OPTIONS,
                environment={"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])},
            )  # fmt: skip
        assert site.hits["/deadly"] == 3
    assert (result.code, "(3 done)" in result.err) == (0, True), result.err
    assert set(result.out.splitlines()) >= {f"{site.origin}/fine", *everything(sites)}
    listed = ("--all-sites", "--list", "broken", "--format", "csv")
    assert "quarantined" in headwater("export", "--db", str(tmp_path / "x.db"), *listed).out


def test_a_stop_request_ends_only_one_site(db: str, tmp_path: Path) -> None:
    def held(_: str) -> dict[str, Answer | str]:
        return {"/": '<a href="/held">x</a>', "/held": Answer("", delay=1000.0)}

    with table_site(held) as site, many_sites(1, 5, 0.0, tmp_path) as sites:
        origins = (site.origin, *sites.origins)
        with running(tmp_path, "discover", *origins, "--db", db, "--timeout", "1000", *OPTIONS) as list_scan:
            until(lambda: site.hits["/held"] and "✓" in list_scan.err)
            with closing(open_browse_store(db)) as store:
                store.request_stop(1)
            assert list_scan.wait() == 0
        assert list_scan.err.count(f"{site.origin}/  failed: stopped by") == 2  # when it ends, and in the table
        assert "7 pages of 2 sites (1 done, 1 failed)" in list_scan.err
        assert set(list_scan.out.splitlines()) == {f"{site.origin}/", f"{site.origin}/held", *everything(sites)}
        with closing(open_store(db)) as kept:
            scans = [kept.scan(number) for number in (1, 2)]
        assert [scan.state for scan in scans if scan] == ["interrupted", "done"]
        site.answers["/held"] = Answer("free")
        assert "7 pages of 2 sites (2 done)" in headwater("resume", "--db", db).err
        assert site.hits["/held"] == 2


def limited(sites: ManySites, db: str) -> None:
    """Visit one page of each site, and store evidence in the first scan that cannot be restored."""
    result = headwater("discover", *sites.origins, "--db", db, "--max-pages", "1", *OPTIONS)
    assert "(2 limited)" in result.err
    with closing(open_store(db)) as store:
        store.add_evidence(1, Evidence("stage", "nav", success=True, content={"progress": {"unknown": 1}}))


def test_an_error_ends_only_one_site(db: str, tmp_path: Path) -> None:
    with many_sites(2, 5, 0.0, tmp_path) as sites:
        limited(sites, db)
        result = headwater("resume", "--db", db, "--max-pages", "100")
    assert (result.code, "Traceback" in result.err) == (0, False), result.err
    assert len(re.findall(rf"{sites.origins[0]}  failed: \w+Error: Got unexpected field names", result.err)) == 2
    assert "9 pages of 2 sites (1 done, 1 failed)" in result.err  # four were found before
    with closing(open_store(db)) as store:
        scan = store.scan(1)
        assert scan is not None
        assert (scan.state, store.counts(2).fetched) == ("interrupted", 5)


def test_a_site_whose_failure_cannot_be_stored_ends_the_list(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    with many_sites(2, 5, 0.0, tmp_path) as sites:
        limited(sites, db)
        with closing(sqlite3.connect(db)) as file:
            file.execute(
                """CREATE TRIGGER refuse BEFORE UPDATE OF state ON scan WHEN NEW.state = 'interrupted'
                   BEGIN SELECT RAISE (ABORT, 'no room left'); END"""
            )
        result = headwater("resume", "--db", db, "--max-pages", "100")
    assert (result.code, "Traceback" in result.err) == (1, False), result.err
    assert f"{db} could not be used: no room left" in result.err
    assert "  failed: " not in result.err


def test_urls_of_one_host_are_one_scan(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    with many_sites(1, 20, 0.0, tmp_path) as sites:
        result = headwater("discover", sites.origins[0], sites.origins[0] + "p3", "--db", db, *OPTIONS)
    assert (result.code, len(result.out.splitlines())) == (0, 20)
    assert "✓ crawl" in result.err
    store = SqliteStore(db)
    assert (store.last_scan(), store.site_lists.last_list()) == (store.scan(1), None)
    store.close()


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "message"),
    [
        (["--file", "nowhere.txt"], "", 2, "nowhere.txt cannot be read"),
        (["-"], "# nothing\n", 1, "No site was named"),
        (["-", "--strict"], "https://a.example\nnonsense://\n", 2, "line 2: nonsense:// cannot be used"),
        (["-"], "https://me:secret@a.example/\n", 1, "credentials are never stored"),
        (["https://a.example", "nonsense://"], "", 2, "nonsense"),
        (["https://a.example", "https://b.example", "--exclude", "re:("], "", 2, "exclude"),
        (["https://a.example", "https://b.example", "--db", "postgresql://127.0.0.1:1/d"], "", 2, "no answer"),
    ],
)
def test_usage_errors_are_reported_before_a_file_is_created(
    arguments: list[str], stdin: str, code: int, message: str, tmp_path: Path
) -> None:
    result = headwater("discover", *arguments, stdin=stdin.encode(), cwd=tmp_path)
    assert (result.code, message in result.err, "secret@" in result.err) == (code, True, False), result.err
    assert list(tmp_path.iterdir()) == []


def test_an_invalid_header_is_reported_once_and_nothing_is_requested(tmp_path: Path) -> None:
    file = tmp_path / "sites.txt"
    with many_sites(3, 2, 0.0, tmp_path) as sites:
        file.write_text("\n".join(sites.origins))
        result = headwater("discover", "--file", str(file), "--header", "no colon", *OPTIONS, cwd=tmp_path)
        assert not sites.hits()
        assert headwater("discover", "--file", str(file), "--max-pages", "1", *OPTIONS, cwd=tmp_path).code == 0
        before = len(sites.hits())
        resumed = headwater("resume", "--max-pages", "none", "--header", "no colon", cwd=tmp_path)
        assert len(sites.hits()) == before
    for command in (result, resumed):
        assert command.code == 2
        assert command.err.count("a line beginning 'no colon' is not allowed; expected `Name: value` on one line") == 1
