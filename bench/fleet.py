"""Whether a fleet scales: the same sites worked by one process and by two, the server on the same cores."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import psycopg
from tests import postgres

from bench.growth import page, write_site
from bench.nginx import free_port, nginx

SITES, PAGES, ROUNDS = 8, 400, 2
HEADWATER = str(Path(sys.executable).parent / "headwater")


def main() -> None:
    """Print pages a second and the ratio of the times."""
    server = postgres.start(durable=True)
    times: dict[int, list[float]] = {1: [], 2: []}
    try:
        with tempfile.TemporaryDirectory() as folder:
            write_site(Path(folder), PAGES)
            ports = [free_port() for _ in range(SITES)]
            with nginx(Path(folder), more=" ".join(f"listen 127.0.0.1:{port};" for port in ports)):
                for _ in range(ROUNDS):
                    for processes, taken in times.items():
                        with server.database() as url:
                            taken.append(work(url, ports, processes))
    finally:
        postgres.stop(server)
    sys.stdout.write(f"fleet: {SITES} sites of {PAGES} pages, 60 links a page\n")
    for processes, taken in times.items():
        rate = SITES * PAGES / min(taken)
        ratio = min(taken) / min(times[1])
        sys.stdout.write(
            f"  {processes} processes {min(taken):>6.1f} s {rate:>7,.0f} pages/s   {ratio:.2f} × one process\n"
        )


def work(url: str, ports: list[int], processes: int) -> float:
    """Seconds from the moment sites are submitted, to workers that wait for them, until all are done."""
    environment = {**os.environ, "HEADWATER_DB": url}
    command = [HEADWATER, "worker", "--processes", str(processes), "--concurrency", "4", "--stall-limit", "5"]
    worker = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        with closing(psycopg.connect(url, autocommit=True)) as connection:
            wait(connection, "SELECT to_regclass('worker') IS NOT NULL")
            wait(connection, f"SELECT count(*) >= {processes} FROM worker")
            seeds = [f"http://127.0.0.1:{port}/{page(0)}" for port in ports]
            options = ["--stages", "crawl", "--max-depth", "none", "--batch-size", "1000"]
            subprocess.run(
                [HEADWATER, "submit", *seeds, *options], env=environment, check=True, stderr=subprocess.DEVNULL
            )
            started = time.perf_counter()
            wait(connection, f"SELECT count(*) FILTER (WHERE state = 'done') = {len(ports)} FROM site")
            taken = time.perf_counter() - started
            row = connection.execute("SELECT sum(pages) FROM site").fetchone()
            assert row == (len(ports) * PAGES,), row
            return taken
    finally:
        worker.terminate()
        worker.wait()


def wait(connection: psycopg.Connection[object], query: str) -> None:
    """Until a query says yes."""
    deadline = time.monotonic() + 300
    while not (connection.execute(query.encode()).fetchone() or (False,))[0]:  # type: ignore[index]
        assert time.monotonic() < deadline, query
        time.sleep(0.02)


if __name__ == "__main__":
    main()
