"""Whether a fleet scales: the same sites worked by one process and by two, the server on the same cores."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from tests import postgres
from tests.sites.nginx import free_port, nginx

from bench.growth import page, write_site

SITES, PAGES, ROUNDS = 8, 400, 1
SMALL = 200
LARGE_OPTIONS = ("--stages", "crawl", "--max-depth", "none", "--batch-size", "1000")
SMALL_OPTIONS = ("--max-pages", "5", "--always-crawl")
HEADWATER = str(Path(sys.executable).parent / "headwater")


class Cost(NamedTuple):
    """Wall seconds, CPU seconds of the workers and of PostgreSQL, its transactions and bytes."""

    wall: float
    workers: float
    database: float
    transactions: int
    bytes: int


def main() -> None:
    """Print pages a second, the ratio of the times, and what a page costs."""
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
    sys.stdout.write(
        f"fleet: {SITES} sites of {PAGES} pages, 60 links a page; start-up is in the CPU, not in the time\n"
    )
    pages, first = SITES * PAGES, min(costs[1])
    for processes, taken in costs.items():
        best = min(taken)
        told = f"{best.wall:>6.1f} s {pages / best.wall:>7,.0f} pages/s   {best.wall / first.wall:.2f} × one process"
        cpu = (
            f"CPU a page: workers {best.workers / pages * 1e6:,.0f} µs, database {best.database / pages * 1e6:,.0f} µs"
        )
        sys.stdout.write(f"  {processes} processes {told}   {cpu}\n")
    cpu = f"CPU a site: workers {small.workers / SMALL * 1e3:,.1f} ms, database {small.database / SMALL * 1e3:,.1f} ms"
    kept = f"{small.transactions / SMALL:,.0f} transactions and {small.bytes / SMALL / 1000:,.1f} KB a site"
    sys.stdout.write(f"  {SMALL} sites of 5 pages, all stages: {SMALL / small.wall:,.0f} sites/s, {cpu}, {kept}\n")


def work(url: str, ports: list[int], processes: int, folder: Path, options: tuple[str, ...]) -> Cost:
    """From the moment sites are submitted, to workers that wait for them, until all are done."""
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
    """Transactions and bytes of the database so far; transactions are counted with a delay of a second."""
    time.sleep(1.5)
    query = "SELECT xact_commit, pg_database_size(datname) FROM pg_stat_database WHERE datname = current_database()"
    transactions, size = connection.execute(query).fetchone() or (0, 0)
    return int(transactions), int(size)


def database_cpu(folder: Path) -> float:
    """CPU seconds of the server and of all connections that have ended."""
    pid = (folder / "postmaster.pid").read_text().split()[0]
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def wait(connection: psycopg.Connection[object], query: str) -> None:
    """Until a query says yes."""
    deadline = time.monotonic() + 300
    while not (connection.execute(query.encode()).fetchone() or (False,))[0]:  # type: ignore[index]
        assert time.monotonic() < deadline, query
        time.sleep(0.02)


if __name__ == "__main__":
    main()
