"""The file of a store: its mode, and processes that create, migrate or index it at the same time."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from headwater.errors import StoreError
from headwater.store.factory import open_browse_store
from headwater.store.queries import load_migrations
from headwater.store.scan_index.builder import build_scan_index
from headwater.store.scan_index.index import ScanIndex
from headwater.store.sqlite.store import SqliteStore
from tests.commands import PATIENCE
from tests.store.test_contract import found, waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.synchronize import Barrier
    from pathlib import Path

PROCESSES, ROUNDS = 8, 12
FORK = multiprocessing.get_context("fork")


def mode(path: Path) -> int:
    """Return the permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def run_concurrently(work: Callable[[int], object], rounds: int = ROUNDS) -> list[str]:
    """Run each round's work in several processes at the same time; return their errors."""
    problems, barrier = FORK.SimpleQueue(), FORK.Barrier(PROCESSES)
    processes = [FORK.Process(target=_rounds, args=(work, rounds, barrier, problems.put)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(PATIENCE)
    assert [process.exitcode for process in processes] == [0] * PROCESSES
    found = []
    while not problems.empty():
        found.append(problems.get())
    return found


def _rounds(work: Callable[[int], object], rounds: int, barrier: Barrier, report: Callable[[str], None]) -> None:
    for number in range(rounds):
        barrier.wait(PATIENCE)
        try:
            work(number)
        except Exception as error:  # noqa: BLE001  (reported to the test)
            report(f"{type(error).__name__}: {error}")
    os._exit(0)  # skips the fixtures of the parent process


def add_scan(path: Path) -> None:
    """Open a store, add a scan, close it."""
    store = SqliteStore(str(path))
    store.create_scan(["https://example.com/"], {})
    store.close()


def scans_in(path: Path) -> int:
    """Return the number of scans in a file, read without Headwater."""
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM scan").fetchone()[0])


def test_processes_can_create_a_file_together(tmp_path: Path) -> None:
    assert run_concurrently(lambda number: add_scan(tmp_path / f"{number}.db")) == []
    assert [scans_in(tmp_path / f"{number}.db") for number in range(ROUNDS)] == [PROCESSES] * ROUNDS


def test_processes_can_migrate_a_file_together(tmp_path: Path) -> None:
    first, script = next(iter(load_migrations("sqlite").items()))
    for number in range(ROUNDS):
        with closing(sqlite3.connect(tmp_path / f"{number}.db")) as db:
            db.executescript(f"{script}; PRAGMA user_version = {first}; PRAGMA application_id = {0x48445754};")
    assert run_concurrently(lambda number: add_scan(tmp_path / f"{number}.db")) == []
    assert [scans_in(tmp_path / f"{number}.db") for number in range(ROUNDS)] == [PROCESSES] * ROUNDS


def test_processes_can_add_lists_of_sites_together(tmp_path: Path) -> None:
    def add(number: int) -> None:
        store = SqliteStore(str(tmp_path / f"{number}.db"))
        assert store.site_lists.add(iter([("example.com", "https://example.com/")]), {}) is not None
        store.close()

    assert run_concurrently(add, 4) == []
    for number in range(4):
        with closing(sqlite3.connect(tmp_path / f"{number}.db")) as db:
            assert db.execute("SELECT count(*) FROM list_site").fetchone() == (PROCESSES,)


def test_processes_can_index_a_scan_together(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    add_scan(path)

    def index(number: int) -> None:
        store = open_browse_store(str(path))
        build_scan_index(store, 1, tmp_path / f"index-{number}", "now")
        store.close()

    assert run_concurrently(index, 4) == []
    for number in range(4):
        ScanIndex(str(tmp_path / f"index-{number}")).close()
    assert sorted(one.name for one in tmp_path.iterdir() if one.name.startswith("index")) == [
        f"index-{number}" for number in range(4)
    ]


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Set a umask that removes no permissions from new files."""
    before = os.umask(0)
    yield
    assert os.umask(before) == 0, "the umask belongs to the whole process and must not be changed"


@pytest.mark.usefixtures("open_umask")
def test_a_new_store_is_private(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "x.db"))
    store.create_scan(["https://example.com/"], {})
    assert {one.name: mode(one) for one in tmp_path.iterdir()} == dict.fromkeys(("x.db", "x.db-wal", "x.db-shm"), 0o600)
    store.close()


@pytest.mark.usefixtures("open_umask")
def test_a_new_store_behind_a_symlink_is_private(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "x.db")
    add_scan(tmp_path / "link.db")
    assert mode(tmp_path / "x.db") == 0o600


@pytest.mark.usefixtures("open_umask")
@pytest.mark.parametrize("permissions", [0o600, 0o640, 0o644])
def test_an_existing_store_and_its_index_keep_its_mode(permissions: int, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    add_scan(path)
    path.chmod(permissions)
    store = open_browse_store(str(path))
    build_scan_index(store, 1, tmp_path / "index", "now")
    assert {one.name: mode(one) for one in tmp_path.iterdir()} == dict.fromkeys(
        ("x.db", "x.db-wal", "x.db-shm", "index"), permissions
    )
    store.close()


def test_a_file_of_another_program_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE theirs (name TEXT)")
    before = path.read_bytes(), mode(path)
    with pytest.raises(StoreError, match="is a database of another program"):
        SqliteStore(str(path))
    assert (path.read_bytes(), mode(path)) == before
    assert [one.name for one in tmp_path.iterdir()] == ["x.db"]


class TestFiles:
    def test_a_file_can_be_opened_again(self, tmp_path: Path) -> None:
        first = SqliteStore(str(tmp_path / "x.db"))
        scan = first.create_scan(["x"], {}).number
        first.save_batch(scan, (), [found("/a")], {})
        first.close()
        assert waiting(SqliteStore(str(tmp_path / "x.db")), scan, 1) == ["/a"]

    def test_a_file_of_the_first_version_is_migrated(self, tmp_path: Path) -> None:
        with sqlite3.connect(tmp_path / "x.db") as db:
            db.executescript(
                load_migrations("sqlite")[1] + "PRAGMA user_version = 1; PRAGMA application_id = 0x48445754;"
            )
            db.execute("INSERT INTO scan VALUES (1, '[\"https://e.com/\"]', '{}', 'interrupted', '2026', NULL)")
            db.execute(
                "INSERT INTO page (scan, identity, key, url, kind, depth, hops, redirects, is_suspect, parent, source,"
                " region, text, reason, state, first_seen) VALUES (1, 5, 'https://e.com/a', 'https://e.com/a', 'page',"
                " 1, 0, 0, 0, 0, 'navigation', 'nav', 'A', '', 0, '2026')"
            )
        db.close()
        store = SqliteStore(str(tmp_path / "x.db"))
        assert [(page.url, page.sources, page.title) for page in store.pages(1)] == [
            ("https://e.com/a", ("navigation",), "A")
        ]
        assert waiting(store, 1, 1) == ["/a"]
        assert store.evidence(1) == []

    def test_a_newer_file_is_refused(self, tmp_path: Path) -> None:
        SqliteStore(str(tmp_path / "x.db")).close()
        with sqlite3.connect(tmp_path / "x.db") as db:
            db.execute("PRAGMA user_version = 99")
        db.close()
        with pytest.raises(StoreError, match="newer Headwater"):
            SqliteStore(str(tmp_path / "x.db"))

    def test_a_database_of_another_program_is_refused(self, tmp_path: Path) -> None:
        with sqlite3.connect(tmp_path / "x.db") as db:
            db.execute("CREATE TABLE t (x)")
        db.close()
        with pytest.raises(StoreError, match="another program"):
            SqliteStore(str(tmp_path / "x.db"))

    def test_a_file_that_is_not_a_database_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "x.db").write_text("hello " * 1000)
        with pytest.raises(StoreError, match="cannot be used"):
            SqliteStore(str(tmp_path / "x.db"))

    def test_a_missing_folder_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="cannot be used"):
            SqliteStore(str(tmp_path / "no" / "x.db"))


def test_a_transaction_that_takes_too_long_is_rolled_back(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "x.db"), transaction_timeout=0.001)
    scan = store.create_scan(["x"], {}).number
    with pytest.raises(StoreError, match=r"longer than transaction_timeout, 0\.001 s"):
        store.save_batch(scan, (), [found(f"/{number}") for number in range(20_000)], {})
    assert store.counts(scan).known == 0
    store.close()
