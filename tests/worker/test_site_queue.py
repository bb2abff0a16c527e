"""Maintenance of the queue on a real database: sites of silent workers are released, others are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from headwater.store.postgres.connection import ServerConnection
from headwater.store.postgres.fleet import Fleet, SubmitOptions
from headwater.worker.site_queue import SiteQueue

if TYPE_CHECKING:
    from collections.abc import Iterator

STALL = 15.0
SITE = "https://e.com/"


@pytest.fixture
def connection(database: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database, autocommit=True) as opened:
        yield opened


@pytest.fixture
def queue(database: str) -> Iterator[SiteQueue]:
    """A queue with one site, claimed by a live worker."""
    server = ServerConnection(database)
    queue, fleet = SiteQueue(server), Fleet(server)
    fleet.submit([SITE], SubmitOptions({}))
    assert queue.create_jobs(10) == 1
    with psycopg.connect(database, autocommit=True) as connection:
        (worker,) = connection.execute("SELECT * FROM procrastinate_register_worker_v1()").fetchone() or (0,)
        connection.execute("SELECT procrastinate_fetch_job_v2(NULL, %s)", (worker,))
    assert fleet.claim(1, worker) is not None
    yield queue
    server.close()


def maintain(queue: SiteQueue) -> object:
    return queue.run_maintenance(STALL, 10, should_sweep=True, should_search=True)


def jobs(connection: psycopg.Connection[Any]) -> list[Any]:
    return [row[0] for row in connection.execute("SELECT status::text FROM procrastinate_jobs ORDER BY id").fetchall()]


def test_a_live_worker_keeps_its_site(queue: SiteQueue, connection: psycopg.Connection[Any]) -> None:
    connection.execute("UPDATE site SET touched = now() - interval '1 day'")
    assert maintain(queue) == ([], [])
    assert jobs(connection) == ["doing"]


def test_a_silent_worker_loses_its_site(queue: SiteQueue, connection: psycopg.Connection[Any]) -> None:
    connection.execute("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '16 seconds'")
    assert maintain(queue) == ([1], [])
    assert jobs(connection) == ["todo"]
    assert connection.execute("SELECT state, epoch FROM site").fetchall() == [("queued", 2)]


@pytest.mark.parametrize("state", ["waiting", "done", "failed", "cancelled"])
def test_a_job_whose_end_was_not_stored_does_not_lock_its_host(
    state: str, queue: SiteQueue, connection: psycopg.Connection[Any]
) -> None:
    connection.execute("UPDATE site SET state = %s", (state,))
    assert maintain(queue) == ([], []), "its end may be stored at any moment"
    connection.execute("UPDATE site SET touched = now() - interval '16 seconds'")
    assert maintain(queue) == ([1], [])
    assert "doing" not in jobs(connection)


def test_a_site_without_a_job_is_found(queue: SiteQueue, connection: psycopg.Connection[Any]) -> None:
    connection.execute("DELETE FROM procrastinate_jobs")
    connection.execute("UPDATE site SET touched = now() - interval '16 seconds'")
    assert maintain(queue) == ([], [1])
    assert jobs(connection) == ["todo"]


def test_a_change_of_priority_reorders_the_queue(
    queue: SiteQueue, connection: psycopg.Connection[Any], database: str
) -> None:
    server = ServerConnection(database)
    fleet = Fleet(server)
    sites = [f"https://{name}.example/" for name in "abc"]
    fleet.submit(sites, SubmitOptions({}))
    assert queue.create_jobs(10) == 3
    fleet.submit(sites[2:], SubmitOptions({}, priority=7))
    fleet.submit(sites[:1], SubmitOptions({}, priority=-7))
    server.close()
    assert maintain(queue) == ([], [])
    (worker,) = connection.execute("SELECT * FROM procrastinate_register_worker_v1()").fetchone() or (0,)
    fetched = [
        connection.execute("SELECT (procrastinate_fetch_job_v2(NULL, %s)).lock", (worker,)).fetchone() for _ in sites
    ]
    assert fetched == [("c.example",), ("b.example",), ("a.example",)]


def test_only_one_worker_maintains_the_queue(queue: SiteQueue, connection: psycopg.Connection[Any]) -> None:
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(1212438356, 1)")
        assert maintain(queue) is None
