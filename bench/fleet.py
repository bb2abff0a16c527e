"""Measure how a fleet scales: the same sites with one and with two processes, and PostgreSQL on the same cores."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from tests import postgres
from tests.commands import HEADWATER
from tests.sites.nginx import free_port, nginx

from bench.growth import page, write_site
from bench.measure import read_cpu_seconds, say

SITES, PAGES, ROUNDS = 8, 400, 1
SMALL = 200
LARGE_OPTIONS = ("--stages", "crawl", "--max-depth", "none", "--batch-size", "1000")
SMALL_OPTIONS = ("--max-pages", "5", "--always-crawl")


class Cost(NamedTuple):
    """Wall time, CPU time of the workers and of PostgreSQL in seconds, its transactions and bytes."""

    wall: float
    workers: float
    database: float
    transactions: int
    bytes: int


def main() -> None:
    """Print pages per second, the ratio of the times, and the cost of a page."""
    server = postgres.start(durable=True)
    assert server.folder is not None
    costs: dict[int, list[Cost]] = {1: [], 2: []}
    try:
        with tempfile.TemporaryDirectory() as folder:
            write_site(Path(folder), PAGES)
            ports = list({free_port() for _ in range(2 * SMALL)})[:SMALL]  # a port may be free twice
            with nginx(Path(folder), more=" ".join(f"listen 127.0.0.1:{port};" for port in ports)):
                for _ in range(ROUNDS):
                    for processes, taken in costs.items():
                        with server.database() as url:
                            taken.append(work(url, ports[:SITES], processes, server.folder, LARGE_OPTIONS))
                with server.database() as url:
                    small = work(url, ports, 2, server.folder, SMALL_OPTIONS)
    finally:
        server.stop()
    say(f"fleet: {SITES} sites of {PAGES} pages, 60 links a page; the CPU includes start-up, the time does not")
    pages, first = SITES * PAGES, min(costs[1])
    for processes, taken in costs.items():
        best = min(taken)
        speed = f"{best.wall:>6.1f} s {pages / best.wall:>7,.0f} pages/s   {best.wall / first.wall:.2f} × one process"
        cpu = (
            f"CPU a page: workers {best.workers / pages * 1e6:,.0f} µs, database {best.database / pages * 1e6:,.0f} µs"
        )
        say(f"  {processes} processes {speed}   {cpu}")
    cpu = f"CPU a site: workers {small.workers / SMALL * 1e3:,.1f} ms, database {small.database / SMALL * 1e3:,.1f} ms"
    kept = f"{small.transactions / SMALL:,.0f} transactions and {small.bytes / SMALL / 1000:,.1f} KB a site"
    say(f"  {SMALL} sites of 5 pages, all stages: {SMALL / small.wall:,.0f} sites/s, {cpu}, {kept}")


def work(url: str, ports: list[int], processes: int, folder: Path, options: tuple[str, ...]) -> Cost:
    """Start workers, submit sites, wait until all are done, and return the cost since the submission."""
    environment = {**os.environ, "HEADWATER_DB": url}
    command = [HEADWATER, "worker", "--processes", str(processes), "--concurrency", "4", "--stall-limit", "5"]
    before = database_cpu(folder)
    worker = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        wall, *counted = _work(url, ports, processes, environment, options)
    finally:
        worker.terminate()
        _, status, usage = os.wait4(worker.pid, 0)
        worker.returncode = os.waitstatus_to_exitcode(status)
    time.sleep(0.5)  # PostgreSQL counts the CPU of a connection when that has ended
    return Cost(wall, usage.ru_utime + usage.ru_stime, database_cpu(folder) - before, *counted)


def _work(
    url: str, ports: list[int], processes: int, environment: dict[str, str], options: tuple[str, ...]
) -> tuple[float, int, int]:
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        wait(connection, "SELECT to_regclass('worker') IS NOT NULL")
        wait(connection, f"SELECT count(*) >= {processes} FROM worker")
        seeds = [f"http://127.0.0.1:{port}/{page(0)}" for port in ports]
        before = counted_by(connection)
        submit = [HEADWATER, "submit", *seeds, *options]
        subprocess.run(submit, env=environment, check=True, stderr=subprocess.DEVNULL)
        started = time.perf_counter()
        wait(connection, f"SELECT count(*) FILTER (WHERE state = 'done') = {len(ports)} FROM site")
        taken = time.perf_counter() - started
        row = connection.execute("SELECT sum(pages) FROM site").fetchone()
        assert row == (len(ports) * (PAGES if options is LARGE_OPTIONS else 5),), row
        transactions, size = (now - then for now, then in zip(counted_by(connection), before, strict=True))
        return taken, transactions, size


def counted_by(connection: psycopg.Connection[Any]) -> tuple[int, int]:
    """Return transactions and bytes of the database so far; PostgreSQL counts transactions with a delay of a second."""
    time.sleep(1.5)
    query = "SELECT xact_commit, pg_database_size(datname) FROM pg_stat_database WHERE datname = current_database()"
    transactions, size = connection.execute(query).fetchone() or (0, 0)
    return int(transactions), int(size)


def database_cpu(folder: Path) -> float:
    """Return CPU seconds of the server and of all connections that have ended."""
    pid = int((folder / "postmaster.pid").read_text().split()[0])
    return read_cpu_seconds(pid, with_children=True)


def wait(connection: psycopg.Connection[object], query: str) -> None:
    """Wait until a query returns true."""
    deadline = time.monotonic() + 300
    while not (connection.execute(query.encode()).fetchone() or (False,))[0]:  # type: ignore[index]
        assert time.monotonic() < deadline, query
        time.sleep(0.02)


if __name__ == "__main__":
    main()
