"""Measure PostgreSQL as a store, compared to a bare COPY-and-upsert loop, and as a queue of 200,000 sites."""

from __future__ import annotations

import statistics
import time
from functools import partial
from typing import Any

import psycopg
from tests import postgres

from bench.measure import measure_wall, say
from headwater.model import DiscoveredUrl
from headwater.store.columns import DISCOVERED_COLUMNS
from headwater.store.postgres.connection import ServerConnection
from headwater.store.postgres.fleet import Fleet, SubmitOptions
from headwater.store.postgres.store import PostgresStore
from headwater.store.rows import build_page_row
from headwater.urls.identity import compute_identity
from headwater.worker.site_queue import SiteQueue

ROWS, BATCH, ROUNDS = 50_000, 1000, 3
WAITING, FETCHES = 200_000, 400
COLUMNS = ", ".join(DISCOVERED_COLUMNS)
MAKE = "CREATE TEMPORARY TABLE bare AS SELECT {} FROM page WITH NO DATA"
MERGE = "INSERT INTO page ({0}) SELECT {0} FROM bare ON CONFLICT (scan, identity) DO UPDATE SET depth = excluded.depth"


def main() -> None:
    """Measure the store, then the queue."""
    server = postgres.start(durable=True)
    try:
        with server.database() as url:
            upserts(url)
        with server.database() as url:
            queue(url)
    finally:
        server.stop()


def upserts(url: str) -> None:
    """Insert the same rows with the store and with a bare loop, in turn."""
    store = PostgresStore(url)
    urls = [f"https://example.com/part{number // 100}/page{number}.html" for number in range(ROWS)]
    found = [
        DiscoveredUrl(compute_identity(one), one, one, one, "page", 3, 7, urls[0], "content-link", text="Page")
        for one in urls
    ]
    ours, bare = [], []
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(MAKE.format(COLUMNS).encode())
        for number in range(ROUNDS):
            scan = store.create_scan([f"https://example.com/{number}"], {}).number
            rows = [build_page_row(-scan, one, "2026-01-01T00:00:00+00:00") for one in found]
            bare.append(measure_wall(partial(bare_loop, connection, rows)))
            ours.append(measure_wall(partial(settle, store, scan, found)))
    size = size_of(url)
    store.close()
    say(f"postgres: {ROWS:,} new rows in batches of {BATCH:,}, {size:.0f} bytes a row with its indexes")
    for name, times in (("headwater", ours), ("bare psycopg loop", bare)):
        rate = f"{ROWS / min(times):>9,.0f} rows/s"
        say(f"  {name:<26} {rate}   {min(times) / min(bare):.2f} × the time of the bare loop")


def settle(store: PostgresStore, scan: int, found: list[DiscoveredUrl]) -> None:
    """Insert the rows in batches, as a scan does."""
    for start in range(0, ROWS, BATCH):
        store.save_batch(scan, (), found[start : start + BATCH], {})


def bare_loop(connection: psycopg.Connection[Any], rows: list[tuple[object, ...]]) -> None:
    """COPY each batch to a temporary table, upsert it, and empty the table."""
    for start in range(0, ROWS, BATCH):
        with connection.transaction(), connection.cursor() as cursor:
            with cursor.copy("COPY bare FROM STDIN") as copy:
                for row in rows[start : start + BATCH]:
                    copy.write_row(row)
            cursor.execute(MERGE.format(COLUMNS).encode())
            cursor.execute("TRUNCATE bare")


def size_of(url: str) -> float:
    """Return the bytes per row of `page`."""
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute("SELECT pg_total_relation_size('page')::float8 / count(*) FROM page").fetchone()
    return float(row[0]) if row else 0.0


def queue(url: str) -> None:
    """Measure how long a worker waits for its next job, with and without our index."""
    server = ServerConnection(url)
    fleet, jobs = Fleet(server), SiteQueue(server)
    seconds = measure_wall(
        lambda: fleet.submit((f"https://site{number}.example/" for number in range(WAITING)), SubmitOptions({}))
    )
    fed = measure_wall(lambda: jobs.create_jobs(WAITING))
    say(f"queue: {WAITING:,} sites submitted at {WAITING / seconds:,.0f}/s, fed at {WAITING / fed:,.0f}/s")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ANALYZE procrastinate_jobs")
        connection.execute("ANALYZE site")
        for name, statement in (
            ("as workers do", "SET synchronous_commit = off"),
            ("waiting for the disk", "SET synchronous_commit = on"),
            ("as workers do, no index", "SET synchronous_commit = off; DROP INDEX procrastinate_jobs_by_lock"),
        ):
            connection.execute(statement.encode())
            fetch, finish = fetches(connection)
            times = f"fetch p50 {fetch[0]:.2f} ms, p99 {fetch[1]:.2f} ms; finish p50 {finish[0]:.2f} ms"
            say(f"  {name:<26} {times}")
        seconds = measure_wall(lambda: jobs.run_maintenance(15.0, WAITING, should_sweep=True, should_search=True))
        say(f"  a sweep and a feed with {WAITING:,} waiting: {seconds * 1000:.0f} ms")
    server.close()


def fetches(connection: psycopg.Connection[Any]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return p50 and p99 in milliseconds of fetching a job, and of finishing it."""
    taken, ended = [], []
    for _ in range(FETCHES):
        started = time.perf_counter()
        row = connection.execute("SELECT id FROM procrastinate_fetch_job_v2(ARRAY['sites'], NULL)").fetchone()
        between = time.perf_counter()
        assert row is not None
        connection.execute("SELECT procrastinate_finish_job_v1(%s, 'succeeded', true)", (row[0],))
        taken.append((between - started) * 1000)
        ended.append((time.perf_counter() - between) * 1000)
    return _percentiles(taken), _percentiles(ended)


def _percentiles(times: list[float]) -> tuple[float, float]:
    return statistics.median(times), sorted(times)[int(len(times) * 0.99)]


if __name__ == "__main__":
    main()
