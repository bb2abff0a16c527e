"""The sweep, on a real database: who is silent loses a site, who works keeps it, and nothing locks a host for ever."""

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
    """One site, fetched by a worker that lives and claimed it."""
    server = ServerConnection(database)
    queue, fleet = SiteQueue(server), Fleet(server)
    fleet.submit([SITE], SubmitOptions({}))
    assert queue.feed(10) == 1
    with psycopg.connect(database, autocommit=True) as connection:
        (worker,) = connection.execute("SELECT * FROM procrastinate_register_worker_v1()").fetchone() or (0,)
        connection.execute("SELECT procrastinate_fetch_job_v2(NULL, %s)", (worker,))
    assert fleet.claim(1, worker) is not None
    yield queue
    server.close()


def tidy(queue: SiteQueue) -> object:
    return queue.run_maintenance(STALL, 10, sweeps=True, searches=True)


def jobs(connection: psycopg.Connection[Any]) -> list[Any]:
    return [row[0] for row in connection.execute("SELECT status::text FROM procrastinate_jobs ORDER BY id").fetchall()]


def test_who_works_keeps_its_site(queue: SiteQueue, connection: psycopg.Connection[Any]) -> None:
    connection.execute("UPDATE site SET touched = now() - interval '1 day'")
    assert tidy(queue) == ([], [])
    assert jobs(connection) == ["doing"]


def test_who_is_silent_loses_it(queue: SiteQueue, connection: psycopg.Connection[Any]) -> None:
    connection.execute("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '16 seconds'")
    assert tidy(queue) == ([1], [])
    assert jobs(connection) == ["todo"]
    assert connection.execute("SELECT state, epoch FROM site").fetchall() == [("queued", 2)]


@pytest.mark.parametrize("state", ["waiting", "done", "failed", "cancelled"])
def test_a_job_whose_end_was_never_noted_locks_nobody(
    state: str, queue: SiteQueue, connection: psycopg.Connection[Any]
) -> None:
    connection.execute("UPDATE site SET state = %s", (state,))
    assert tidy(queue) == ([], []), "it may just be about to be noted"
    connection.execute("UPDATE site SET touched = now() - interval '16 seconds'")
    assert tidy(queue) == ([1], [])
    assert "doing" not in jobs(connection)


def test_a_site_whose_job_is_gone_is_found(queue: SiteQueue, connection: psycopg.Connection[Any]) -> None:
    connection.execute("DELETE FROM procrastinate_jobs")
    connection.execute("UPDATE site SET touched = now() - interval '16 seconds'")
    assert tidy(queue) == ([], [1])
    assert jobs(connection) == ["todo"]


def test_what_becomes_urgent_while_it_is_queued_goes_first(
    queue: SiteQueue, connection: psycopg.Connection[Any], database: str
) -> None:
    server = ServerConnection(database)
    fleet = Fleet(server)
    sites = [f"https://{name}.example/" for name in "abc"]
    fleet.submit(sites, SubmitOptions({}))
    assert queue.feed(10) == 3
    fleet.submit(sites[2:], SubmitOptions({}, priority=7))
    fleet.submit(sites[:1], SubmitOptions({}, priority=-7))
    server.close()
    assert tidy(queue) == ([], [])
    (worker,) = connection.execute("SELECT * FROM procrastinate_register_worker_v1()").fetchone() or (0,)
    fetched = [
        connection.execute("SELECT (procrastinate_fetch_job_v2(NULL, %s)).lock", (worker,)).fetchone() for _ in sites
    ]
    assert fetched == [("c.example",), ("b.example",), ("a.example",)]


def test_one_at_a_time_has_the_duty(queue: SiteQueue, connection: psycopg.Connection[Any]) -> None:
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(1212438356, 1)")
        assert tidy(queue) is None
