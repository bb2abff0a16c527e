"""Ten million known URLs: whether a crawl of a generated site stays within 1 GiB of memory, and what it costs.

Not among the benchmarks that run without being named: it takes up to half an hour and three gigabytes of disk.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from bench.measure import Usage, usage_of
from bench.wide_site import wide_site

PAGES, LINKS = 10_000, 1_000
ALLOWED = 1024
"""Peak RSS in MiB."""


def main() -> None:
    """Crawl so many pages (another number may be given) and print what that and an export cost; fail above 1 GiB."""
    pages = int(sys.argv[2]) if len(sys.argv) > 2 else PAGES
    program = str(Path(sys.executable).parent / "headwater")
    with wide_site(LINKS) as origin, tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "many.db"
        # Without --format URLs are printed as they are found, so that the crawl is measured without an export.
        crawl = usage_of([program, "crawl", origin, "--quiet", "--db", str(store), "--max-pages", str(pages)])
        rows, size = rows_of(store), size_of(store)
        export = usage_of([program, "export", "--db", str(store), "--format", "text", "-o", "/dev/null"])
    sys.stdout.write(f"many: {pages:,} pages of {LINKS:,} new links each, {rows:,} URLs known, store {size:,} MiB\n")
    sys.stdout.write(f"  crawl   {line(crawl, rows)}   {crawl.cpu / pages * 1e3:.1f} ms of CPU a page\n")
    sys.stdout.write(f"  export  {line(export, rows)}\n")
    assert rows > pages * LINKS, "URLs were lost"
    assert max(crawl.rss, export.rss) <= ALLOWED, f"more than {ALLOWED} MiB"


def rows_of(store: Path) -> int:
    """How many URLs the store knows."""
    with closing(sqlite3.connect(store)) as database:
        return int(database.execute("SELECT count(*) FROM page").fetchone()[0])


def size_of(store: Path) -> int:
    """The store's size in MiB."""
    return store.stat().st_size >> 20


def line(usage: Usage, rows: int) -> str:
    """Memory and speed."""
    rate = f"{rows / usage.wall:>8,.0f} URLs/s {usage.cpu / rows * 1e6:>6.1f} µs of CPU a URL"
    return f"peak RSS {usage.rss:>5,} MiB {usage.wall:>6,.0f} s {rate}"


if __name__ == "__main__":
    main()
