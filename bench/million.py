"""Create a store with a scan of many generated pages, as a real scan would leave it.

SQLite generates the rows; they are copied to PostgreSQL with COPY.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import psycopg

from headwater.store import SqliteStore, open_store

if TYPE_CHECKING:
    from pathlib import Path

SECTIONS = 2500

# A pseudo-random value for each number, the same in every run.
_SCATTERED = "((number * 2654435761) % 4294967296)"
_PAGES = f"""
WITH RECURSIVE counter (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM counter WHERE number + 1 < :pages),
chance AS (SELECT number, {_SCATTERED} % 1000003 AS a, {_SCATTERED} / 7 % 1009 AS b,
           ({_SCATTERED} % {SECTIONS}) * ({_SCATTERED} / 3 % {SECTIONS}) / {SECTIONS} AS section FROM counter),
named AS (SELECT *, iif(number = 0, 'https://example.com/',
          'https://example.com/part' || (section % 50) || '/section' || section || '/river-' || a || '-boat-' || number)
          AS url FROM chance)
INSERT INTO page (scan, identity, key, url, kind, depth, hops, redirects, is_suspect, parent, source, region, text,
                  reason, state, status, title, language, content_type, first_seen, last_seen, sources, element,
                  attribute, lastmod, priority)
SELECT :scan, (number + 1) * 2654435761, url, url, 'page', min(number, 1 + b % 97 * b % 13), 0, 0, 0,
       2654435761, 'content-link', iif(b % 3, 'main', iif(b % 2, 'nav', 'footer')), 'Rapid ' || b,
       iif(number % 53 = 0, 'http-404', ''), iif(number % 7 = 0, 5, iif(number % 53 = 0, 2, 1)),
       iif(number % 7 = 0, NULL, iif(number % 53 = 0, 404, 200)), 'River ' || b || ' and boat ' || a,
       iif(number % 9, 'en', iif(number % 4, 'de', 'fr')), 'text/html', '2026-11-01T00:00:00+00:00',
       '2026-11-01T00:00:00+00:00', iif(number = 0, 1, iif(b % 5, 32, iif(b % 4, 36, 4))), 'a', 'href',
       iif(b % 5, NULL, '2026-' || (10 + a % 3) || '-' || (10 + a % 18)), (a % 1000) / 1000.0
FROM named
"""
_CLUSTERS = """
INSERT INTO cluster (scan, name, kind, title)
SELECT DISTINCT :scan, 'section:/part' || place, 'section', 'Part ' || place
FROM (WITH RECURSIVE counter (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM counter WHERE place < 49)
      SELECT place FROM counter)
"""
_MEMBERS = """
INSERT INTO page_cluster (cluster, page)
SELECT cluster.number, page.id FROM page JOIN cluster ON cluster.scan = page.scan
   AND cluster.title = 'Part ' || substr(page.url, 25, instr(substr(page.url, 25), '/') - 1)
WHERE page.scan = :scan AND page.url LIKE 'https://example.com/part%' ORDER BY 1, 2
"""


def many_pages(path: Path, pages: int = 1_000_000) -> int:
    """Return the number of a scan with this many pages; an existing store is used unchanged."""
    store = SqliteStore(str(path))
    scan = store.last_scan()
    if scan is None:
        scan = store.create_scan(["https://example.com/"], {"links": "first"})
        with sqlite3.connect(path, isolation_level=None) as db:
            db.execute("PRAGMA synchronous = OFF")
            db.execute("BEGIN")
            for statement in (_PAGES, _CLUSTERS, _MEMBERS):
                db.execute(statement, {"scan": scan.number, "pages": pages})
            db.execute("COMMIT")
        db.close()
        store.finish_scan(scan.number, "done")
    store.close()
    return scan.number


def copy_pages(path: Path, url: str) -> int:
    """Copy the scan of a file to a PostgreSQL database, and return its number there."""
    store = open_store(url)
    scan = store.create_scan(["https://example.com/"], {"links": "first"}).number
    with sqlite3.connect(path) as db, psycopg.connect(url) as connection:
        for table in ("page", "cluster", "page_cluster"):
            names = [name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")]
            flags = {name for name in names if name in {"is_suspect", "skip_scrape"}}
            columns = ", ".join(f"iif({name}, 't', 'f')" if name in flags else name for name in names)
            copying = f"COPY {table} ({', '.join(names)}) FROM STDIN".encode()
            with connection.cursor() as cursor, cursor.copy(copying) as copy:
                for row in db.execute(f"SELECT {columns} FROM {table}"):
                    copy.write_row(row)
    db.close()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ANALYZE")
    store.finish_scan(scan, "done")
    store.close()
    return scan
