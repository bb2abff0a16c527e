"""Stores on a server: connection errors, wrong databases, lost leases, lost connections."""

from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from headwater.errors import LeaseLostError, StoreError
from headwater.model import NO_DEPTH, DiscoveredUrl, Evidence, SourceMetadata
from headwater.settings import redact_value
from headwater.store import MemoryStore, VisitResult, open_store
from headwater.store.postgres.batches import Fence
from headwater.store.postgres.connection import ServerConnection
from headwater.store.postgres.store import PostgresStore
from headwater.urls.identity import compute_identity
from tests.store.test_contract import found, waiting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.model import UrlKind
    from headwater.store import Store
    from tests.postgres import Server


def execute(url: str, statement: str) -> list[Any]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


class TestBadInput:
    def test_a_missing_server_is_reported(self) -> None:
        with pytest.raises(
            StoreError, match=r"postgresql://127\.0\.0\.1:9/x cannot be used as a store: no answer"
        ) as raised:
            open_store("postgresql://me:secret@127.0.0.1:9/x")
        assert "secret" not in str(raised.value)

    def test_a_wrong_password_is_reported(self, crashable_server: Server) -> None:
        assert crashable_server.folder is not None
        rules = crashable_server.folder / "pg_hba.conf"
        rules.write_text("local all locked scram-sha-256\n" + rules.read_text())
        crashable_server.execute("DROP ROLE IF EXISTS locked")
        crashable_server.execute("CREATE ROLE locked LOGIN PASSWORD 'right'")
        crashable_server.reload()
        with pytest.raises(StoreError, match="rejected the user name or the password") as raised:
            open_store(crashable_server.url_of("postgres", "locked:wrong"))
        assert "wrong" not in str(raised.value)
        with pytest.raises(StoreError, match=r"requires a password|refuses"):
            open_store(crashable_server.url_of("postgres", "locked"))

    def test_a_missing_database_is_reported(self, postgres_server: Server) -> None:
        with pytest.raises(StoreError, match='"nowhere" does not exist'):
            open_store(postgres_server.url_of("nowhere"))

    def test_a_database_of_another_program_is_refused(self, empty_database: str) -> None:
        execute(empty_database, "CREATE TABLE theirs (x int)")
        with pytest.raises(StoreError, match="another program"):
            open_store(empty_database)
        assert execute(empty_database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == [("theirs",)]

    def test_a_newer_schema_is_refused(self, database: str) -> None:
        open_store(database).close()
        execute(database, "UPDATE headwater SET version = 99")
        with pytest.raises(StoreError, match="newer Headwater"):
            open_store(database)

    def test_an_older_schema_is_migrated(self, empty_database: str) -> None:
        execute(empty_database, "CREATE TABLE headwater (version INTEGER NOT NULL, queue TEXT NOT NULL DEFAULT '')")
        execute(empty_database, "INSERT INTO headwater (version) VALUES (0)")
        store = open_store(empty_database)
        assert store.create_scan(["x"], {}).number == 1
        store.close()

    def test_many_processes_can_open_a_new_database_at_once(self, empty_database: str) -> None:
        opened: list[Store] = []
        threads = [threading.Thread(target=lambda: opened.append(open_store(empty_database))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({store.create_scan(["x"], {}).number for store in opened}) == 6
        for store in opened:
            store.close()

    def test_an_invalid_url_is_reported(self) -> None:
        with pytest.raises(StoreError, match="cannot be used"):
            open_store("postgresql://host:port/x")


@pytest.mark.parametrize(
    ("url", "displayed"),
    [
        ("postgresql://me:secret@db:5432/x", "postgresql://db:5432/x"),
        ("postgresql://me:se@cret@db/x", "postgresql://db/x"),
        ("postgresql:///x?host=/run&password=secret&user=me", "postgresql:///x?host=/run&password=hidden&user=me"),
        ("headwater.db", "headwater.db"),
    ],
)
def test_passwords_are_hidden(url: str, displayed: str) -> None:
    assert redact_value("db", url) == displayed


class TestFence:
    def test_writes_are_refused_after_the_site_was_taken_over(self, database: str) -> None:
        first = PostgresStore(database)
        scan = first.create_scan(["https://e.com/"], {}).number
        ((site,),) = execute(database, "SELECT number FROM site")
        store = PostgresStore(database, fence=Fence(site, 0))
        store.save_batch(scan, (), [found("/a")], {})
        execute(database, "UPDATE site SET epoch = 1")
        for write in (
            lambda: store.save_batch(scan, (), [found("/b")], {"empty": 1}),
            lambda: store.add_evidence(scan, Evidence("stage")),
            lambda: store.add_event(scan, "stage", {}),
            lambda: store.finish_scan(scan, "done"),
            lambda: store.retry_deferred(scan),
        ):
            with pytest.raises(LeaseLostError, match="took over"):
                write()
        assert waiting(first, scan, 1) == ["/a"]
        assert (first.counts(scan).skipped, first.evidence(scan), first.events(scan)) == ({}, [], [])
        first.close()
        store.close()

    def test_the_pages_of_a_batch_are_added_to_the_site(self, database: str) -> None:
        plain = PostgresStore(database)
        scan = plain.create_scan(["https://e.com/"], {}).number
        store = PostgresStore(database, fence=Fence(1, 0))
        store.save_batch(scan, (), [found("/a")], {})
        ((_, candidate),) = store.next_candidates(scan, 10, 1)
        store.save_batch(scan, [VisitResult(candidate, "fetched", 200)], (), {})
        assert execute(database, "SELECT pages FROM site") == [(1,)]
        plain.close()
        store.close()


class TestLostConnection:
    def test_work_continues_after_a_crash_of_the_server(self, crashable_server: Server) -> None:
        with crashable_server.database() as url:
            store = open_store(url)
            scan = store.create_scan(["x"], {}).number
            store.save_batch(scan, (), [found("/a")], {"empty": 1})
            crashable_server.crash_and_restart()
            store.save_batch(scan, (), [found("/b")], {"empty": 1})
            crashable_server.crash_and_restart()
            assert waiting(store, scan, 1) == ["/a", "/b"]
            assert store.counts(scan).skipped == {"empty": 2}
            store.close()

    def test_a_batch_whose_commit_was_not_confirmed_is_stored_once(self, database: str) -> None:
        """The server closes the connection during a commit: the batch may be stored or not, but never twice."""
        store = open_store(database)
        scan = store.create_scan(["x"], {}).number
        stop, closed = threading.Event(), []

        def close_connections() -> None:
            chance = random.Random(1)
            with psycopg.connect(database, autocommit=True) as other:
                while not stop.wait(chance.uniform(0.1, 0.3)):
                    ended = other.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        " WHERE datname = current_database() AND application_name = 'headwater'"
                    )
                    closed.extend(ended.fetchall())

        thread = threading.Thread(target=close_connections)
        thread.start()
        kept = 0
        try:
            while len(closed) < 10:
                store.save_batch(scan, (), [found(f"/{kept}")], {"empty": 1})
                store.add_evidence(scan, Evidence("stage", str(kept)))
                kept += 1
        finally:
            stop.set()
            thread.join()
        assert store.counts(scan).skipped == {"empty": kept}
        assert [one.url for one in store.evidence(scan)] == [str(number) for number in range(kept)]
        assert store.counts(scan).known == kept
        store.close()

    def test_reconnecting_ends_after_the_timeout(self, crashable_server: Server) -> None:
        with crashable_server.database() as url:
            server = ServerConnection(url, reconnect_timeout=0.5)
            store = PostgresStore(server)
            scan = store.create_scan(["x"], {}).number
            crashable_server.execute(f"UPDATE pg_database SET datallowconn = false WHERE datname = '{url_name(url)}'")
            crashable_server.execute(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{url_name(url)}'"
            )
            with pytest.raises(StoreError, match="could not be written"):
                store.save_batch(scan, (), [found("/a")], {})
            server.close()


def url_name(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


@pytest.mark.parametrize("seed", range(5))
def test_both_dialects_store_the_same(database: str, seed: int) -> None:
    """Equal random batches give equal pages, in the same order, with the same parents."""
    chance = random.Random(seed)
    stores: Sequence[Store] = (MemoryStore(), open_store(database))
    scans = [store.create_scan(["x"], {}).number for store in stores]
    for _ in range(12):
        batch = [_random_url(chance) for _ in range(chance.randrange(1, 30))]
        visits = chance.randrange(4)
        for store, scan in zip(stores, scans, strict=True):
            due = [
                VisitResult(candidate, "fetched" if candidate.identity % 3 else "failed", 200, discovered=batch[:3])
                for _, candidate in store.next_candidates(scan, visits, store.next_depth(scan) or 0)
            ]
            store.save_batch(scan, due, batch, {"empty": len(batch)})
    first, second = (
        [page._replace(first_seen=None, last_seen=None) for page in store.pages(scan)]
        for store, scan in zip(stores, scans, strict=True)
    )
    assert first == second
    orders = [[waiting(store, scan, depth) for depth in range(6)] for store, scan in zip(stores, scans, strict=True)]
    assert orders[0] == orders[1]
    for ask in ("counts", "source_counts", "status_counts", "orphans_and_gaps", "count_listed", "next_depth"):
        answers = [getattr(store, ask)(scan) for store, scan in zip(stores, scans, strict=True)]
        assert answers[0] == answers[1], ask
    for store in stores:
        store.close()


def _random_url(chance: random.Random) -> DiscoveredUrl:
    kinds: tuple[UrlKind, ...] = ("page", "page", "page", "external", "resource")
    path, parent = (f"/{chance.randrange(12)}" for _ in range(2))
    one = found(path, chance.randrange(5), parent, kind=chance.choice(kinds), text=chance.choice(["", "A", "B\x00ü"]))
    if chance.random() < 0.3:
        extra = SourceMetadata(
            importance=chance.choice([None, 0.5, 1.0]), lastmod=chance.choice(["", "2026"]),
            priority=chance.choice([None, 0.3]),
        )  # fmt: skip
        depth = NO_DEPTH if chance.random() < 0.5 else one.depth
        return one._replace(source="sitemap", metadata=extra, is_visited=False, depth=depth)
    return one._replace(
        source=chance.choice(["content-link", "navigation", "footer"]), parent=compute_identity(one.parent_url)
    )
