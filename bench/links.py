"""What keeping every link costs: bytes a link in SQLite and PostgreSQL, CPU with all links and with the first only.

The site is Debian's openjdk-17-doc, served by nginx on loopback.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import psycopg
from tests import postgres

from bench.crawl import FOLDER, fetch_site
from bench.measure import usage_of
from bench.nginx import nginx
from headwater.store import SqliteStore

ROUNDS = 3
TABLES = ("link_block", "link_list", "inlink")


def main() -> None:
    """Print one line a store, and one for the CPU."""
    fetch_site()
    with nginx(FOLDER) as origin, tempfile.TemporaryDirectory() as text:
        start, folder = f"{origin}/api/index.html", Path(text)
        sizes: dict[str, int] = {}
        cpu: dict[str, list[float]] = {"all": [], "first": []}
        for number in range(ROUNDS):
            for links, seconds in cpu.items():
                path = folder / f"{links}{number}.db"
                seconds.append(usage_of(_command(start, str(path), links)).cpu)
                sizes[links] = path.stat().st_size
        store = SqliteStore(str(folder / "all0.db"))
        kept = store.links.next_numbers(1).kept_links
        store.close()
        in_sqlite, in_postgres = (sizes["all"] - sizes["first"]) / kept, _size_in_postgres(start) / kept
        sys.stdout.write(
            f"links: {kept:,} kept, {in_sqlite:.1f} bytes each in SQLite, {in_postgres:.1f} in PostgreSQL\n"
            f"  CPU of a scan with all links {min(cpu['all']):.2f} s, with the first only {min(cpu['first']):.2f} s,"
            f" {min(cpu['all']) / min(cpu['first']):.2f} ×\n"
        )


def _command(start: str, db: str, links: str) -> list[str]:
    program = str(Path(sys.executable).parent / "headwater")
    return [program, start, "--render", "never", "--db", db, "--links", links, "--quiet", "-o", f"{db}.txt"]


def _size_in_postgres(start: str) -> int:
    server = postgres.start(durable=True)
    try:
        with server.database() as url, tempfile.TemporaryDirectory() as folder:
            command = _command(start, url, "all")
            usage_of([*command[:-1], f"{folder}/list.txt"])
            with psycopg.connect(url) as connection:
                query = "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(%s::text[]) AS name"
                return int((connection.execute(query, (list(TABLES),)).fetchone() or (0,))[0])
    finally:
        server.stop()


if __name__ == "__main__":
    main()
