"""Measure how a list of sites scales on one machine: the same sites with one and with two processes."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from tests.commands import HEADWATER
from tests.sites.nginx import free_port, nginx

from bench.growth import page, write_site
from bench.measure import Usage, measure_usage, say

SITES, PAGES, ROUNDS = 8, 1_500, 2
ALLOWED = 0.75
OPTIONS = ("--stages", "crawl", "--max-depth", "none", "--batch-size", "1000", "--render", "never", "--quiet")


def main() -> None:
    """Print pages per second of the whole command including start-up, and the ratio of the times."""
    taken: dict[int, list[Usage]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder:
        write_site(Path(folder) / "site", PAGES)
        ports = list({free_port() for _ in range(4 * SITES)})[:SITES]  # a port may be free twice
        with nginx(Path(folder) / "site", more=" ".join(f"listen 127.0.0.1:{port};" for port in ports)):
            for _ in range(ROUNDS):
                for processes, costs in taken.items():
                    costs.append(work(Path(folder), ports, processes))
    pages, first = SITES * PAGES, min(cost.wall for cost in taken[1])
    say(f"sites: a list of {SITES} sites of {PAGES} pages, 60 links a page, into one SQLite file")
    for processes, costs in taken.items():
        wall, cpu = min(cost.wall for cost in costs), min(cost.cpu for cost in costs)
        speed = f"{wall:>6.1f} s {pages / wall:>7,.0f} pages/s   {wall / first:.2f} × one process"
        say(f"  {processes} processes {speed}   CPU a page {cpu / pages * 1e6:,.0f} µs")
    say(f"  wanted: at most {ALLOWED} × with two")


def work(folder: Path, ports: list[int], processes: int) -> Usage:
    """Scan the whole list once into a new file."""
    for old in folder.glob("sites.db*"):
        old.unlink()
    seeds = [f"http://127.0.0.1:{port}/{page(0)}" for port in ports]
    more = ["--db", str(folder / "sites.db"), "--processes", str(processes), "-o", str(folder / "out.txt")]
    cost = measure_usage([HEADWATER, "discover", *seeds, *OPTIONS, *more, "--max-parallel", "16"])
    with closing(sqlite3.connect(folder / "sites.db")) as database:
        (fetched,) = database.execute("SELECT count(*) FROM page WHERE state = 1").fetchone()
    assert fetched == SITES * PAGES, fetched
    return cost


if __name__ == "__main__":
    main()
