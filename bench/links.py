"""Measure the cost of keeping every link: bytes per link in SQLite and PostgreSQL, and CPU of a scan.

The site is Debian's openjdk-17-doc, served by nginx on loopback.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import psycopg
from tests import postgres
from tests.commands import HEADWATER
from tests.sites.nginx import nginx

from bench.crawl import FOLDER, fetch_site
from bench.measure import measure_usage, say
from headwater.store import SqliteStore

ROUNDS = 3
TABLES = ("link_block", "link_list", "inlink")


def main() -> None:
    """Print the bytes per link of each store, and the CPU with all links and with the first only."""
    fetch_site()
    with nginx(FOLDER) as origin, tempfile.TemporaryDirectory() as text:
        start, folder = f"{origin}/api/index.html", Path(text)
        sizes: dict[str, int] = {}
        cpu: dict[str, list[float]] = {"all": [], "first": []}
        for number in range(ROUNDS):
            for links, seconds in cpu.items():
                path = folder / f"{links}{number}.db"
                seconds.append(measure_usage(_command(start, str(path), links)).cpu)
                sizes[links] = path.stat().st_size
        store = SqliteStore(str(folder / "all0.db"))
        kept = store.links.next_numbers(1).kept_links
        store.close()
        in_sqlite, in_postgres = (sizes["all"] - sizes["first"]) / kept, _size_in_postgres(start) / kept
        say(f"links: {kept:,} kept, {in_sqlite:.1f} bytes each in SQLite, {in_postgres:.1f} in PostgreSQL")
        say(
            f"  CPU of a scan with all links {min(cpu['all']):.2f} s, with the first only {min(cpu['first']):.2f} s,"
            f" {min(cpu['all']) / min(cpu['first']):.2f} ×"
        )


def _command(start: str, db: str, links: str) -> list[str]:
    return [HEADWATER, start, "--render", "never", "--db", db, "--links", links, "--quiet", "-o", f"{db}.txt"]


def _size_in_postgres(start: str) -> int:
    server = postgres.start(durable=True)
    try:
        with server.database() as url, tempfile.TemporaryDirectory() as folder:
            command = _command(start, url, "all")
            measure_usage([*command[:-1], f"{folder}/list.txt"])
            with psycopg.connect(url) as connection:
                query = "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(%s::text[]) AS name"
                return int((connection.execute(query, (list(TABLES),)).fetchone() or (0,))[0])
    finally:
        server.stop()


if __name__ == "__main__":
    main()
