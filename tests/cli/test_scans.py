"""`headwater scans` lists, names and deletes stored scans."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from headwater.store import SqliteStore
from tests.commands import headwater, running, until
from tests.sites.table_site import Answer, ReceivedRequest, serve, table_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINKS = "".join(f'<a href="/p{number}">Page {number}</a>' for number in range(100))
PAGES = {"/": LINKS, **{f"/p{number}": f"{LINKS}<p>{number} {'text ' * 50}" for number in range(100)}}
QUICK_FLAGS = ("--retries", "0", "--render", "never", "--quiet")


@pytest.fixture
def db(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return a store: a file, or a database for tests that ask for one."""
    return (
        request.getfixturevalue("database") if getattr(request, "param", "") == "postgres" else str(tmp_path / "x.db")
    )


@pytest.fixture
def scanned(db: str) -> Iterator[str]:
    """Scan a small site twice into the store, and yield its origin."""
    pages = dict(list(PAGES.items())[:20])
    with table_site(lambda _: {path: pages.get(path, "") for path in PAGES if path in pages}) as site:
        for _ in range(2):
            assert headwater("crawl", site.origin, "--db", db, "--list", "pages", *QUICK_FLAGS).code == 0
        yield site.origin


def listed(db: str) -> list[dict[str, object]]:
    return list(json.loads(headwater("scans", "--json", "--db", db).out))


@pytest.mark.parametrize("db", ["sqlite", "postgres"], indirect=True)
def test_scans_are_listed_named_and_deleted(db: str, scanned: str) -> None:
    rows = listed(db)
    assert [(row["number"], row["name"], row["state"], row["seeds"]) for row in rows] == [
        (2, "", "done", [scanned]),
        (1, "", "done", [scanned]),
    ]
    assert headwater("scans", "name", "1", "before", "--db", db).code == 0
    assert headwater("scans", "name", "2", "after", "--db", db).code == 0
    text = headwater("scans", "--db", db).out.splitlines()
    assert [line.split()[:4] for line in text[1:]] == [["2", "after", "done", "20"], ["1", "before", "done", "20"]]
    assert headwater("export", "--scan", "before", "--db", db).out == headwater("export", "--scan", "1", "--db", db).out
    assert headwater("diff", "before", "after", "--db", db).code == 0

    deleted = headwater("scans", "delete", "before", "--yes", "--db", db)
    assert (deleted.code, "Deleted 1 scan." in deleted.err) == (0, True), deleted.err
    assert [row["number"] for row in listed(db)] == [2]
    assert headwater("export", "--scan", "before", "--db", db).code == 2
    assert len(headwater("export", "--scan", "after", "--db", db).out.splitlines()) == 20


@pytest.mark.parametrize("db", ["sqlite", "postgres"], indirect=True)
def test_deleting_asks_first(db: str, scanned: str) -> None:
    assert scanned
    assert headwater("scans", "delete", "1", "--db", db, stdin=b"n\n").code == 1
    unanswered = headwater("scans", "delete", "1", "--db", db, stdin=b"")
    assert (unanswered.code, "add --yes" in unanswered.err) == (2, True), unanswered.err
    assert len(listed(db)) == 2
    assert headwater("scans", "--db", db, "delete", "1", "2", "1", stdin=b"y\n").code == 0
    assert listed(db) == []


def test_a_new_name_replaces_the_old_one(db: str, scanned: str) -> None:
    assert scanned
    for name in ("draft", "final"):
        assert headwater("scans", "name", "1", name, "--db", db).code == 0
    assert headwater("export", "--scan", "draft", "--db", db).code == 2
    taken = headwater("scans", "name", "2", "final", "--db", db)
    assert (taken.code, "scan 1 is named final already" in taken.err) == (2, True), taken.err
    for name in ("7", " ", "a\nb", "x" * 201):
        assert headwater("scans", "name", "2", name, "--db", db).code == 2
    assert headwater("scans", "name", "9", "x", "--db", db).code == 2


def test_deleting_a_scan_leaves_no_rows_and_gives_the_space_back(tmp_path: Path) -> None:
    db = tmp_path / "x.db"
    with table_site(lambda _: PAGES) as site:
        for _ in range(2):
            assert headwater("discover", site.origin, "--db", str(db), *QUICK_FLAGS).code == 0
    with closing(sqlite3.connect(db)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = db.stat().st_size
    result = headwater("scans", "delete", "2", "--yes", "--db", str(db))
    assert result.code == 0, result.err
    after = db.stat().st_size
    assert after < before * 0.8
    assert f"{(before - after) / 1e6:,.1f} MB were given back" in result.err
    with closing(sqlite3.connect(db)) as connection:
        for table in tables:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            if "scan" in columns:
                count = connection.execute(f"SELECT count(*) FROM {table} WHERE scan = 2").fetchone()
                assert count == (0,), table
    assert len(headwater("export", "--db", str(db)).out.splitlines()) == 101
    assert headwater("scans", "delete", "1", "--yes", "--db", str(db)).code == 0
    with closing(sqlite3.connect(db)) as connection:
        left = {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    assert {table for table, count in left.items() if count} <= {"site", "chunk_words_data", "chunk_words_config"}


def test_a_running_scan_is_not_deleted(tmp_path: Path) -> None:
    gate = threading.Event()

    def answer(request: ReceivedRequest) -> Answer | None:
        if request.path == "/slow":
            gate.wait()
        return Answer('<a href="/slow">slow</a>') if request.path in {"/", "/slow"} else None

    with serve(answer) as server:
        try:
            with running(tmp_path, "crawl", server.origin, "--db", "x.db", *QUICK_FLAGS, cwd=tmp_path) as first:
                until(lambda: any(request.path == "/slow" for request in server.requests))
                result = headwater("scans", "delete", "1", "--yes", "--db", "x.db", cwd=tmp_path)
                assert (result.code, "is running; stop it before you delete it" in result.err) == (2, True), result.err
                first.kill()
        finally:
            gate.set()
        until(lambda: headwater("scans", "delete", "1", "--yes", "--db", "x.db", cwd=tmp_path).code == 0)
    assert not list(tmp_path.glob("*.lock"))


def test_a_scan_that_a_dive_was_made_from_is_kept(db: str, scanned: str) -> None:
    assert scanned
    store = SqliteStore(db)
    store.dives.start_dive(1, [scanned], {}, [])
    store.close()
    result = headwater("scans", "delete", "1", "--yes", "--db", db)
    assert (result.code, "scan 1 is the source of dive 1" in result.err) == (2, True), result.err
    assert len(listed(db)) == 2
