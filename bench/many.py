"""Crawl a generated site until ten million URLs are known, and check that memory stays within 1 GiB.

`make bench` does not include this benchmark: it takes up to half an hour and three gigabytes of disk.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.commands import HEADWATER

from bench.measure import Usage, measure_usage, say
from bench.wide_site import wide_site

PAGES, LINKS = 10_000, 1_000
ALLOWED = 1024
"""Peak RSS in MiB."""


def main() -> None:
    """Crawl the pages, whose number may be given as argument, and print the cost of crawl and export."""
    pages = int(sys.argv[2]) if len(sys.argv) > 2 else PAGES
    with wide_site(LINKS) as origin, tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "many.db"
        # Without --format, URLs are printed as they are found, so the crawl is measured without an export.
        crawl = measure_usage([HEADWATER, "crawl", origin, "--quiet", "--db", str(store), "--max-pages", str(pages)])
        rows, size = count_rows(store), store.stat().st_size >> 20
        export = measure_usage([HEADWATER, "export", "--db", str(store), "--format", "text", "-o", "/dev/null"])
    say(f"many: {pages:,} pages of {LINKS:,} new links each, {rows:,} URLs known, store {size:,} MiB")
    say(f"  crawl   {format_usage(crawl, rows)}   {crawl.cpu / pages * 1e3:.1f} ms of CPU a page")
    say(f"  export  {format_usage(export, rows)}")
    assert rows > pages * LINKS, "URLs were lost"
    assert max(crawl.rss, export.rss) <= ALLOWED, f"more than {ALLOWED} MiB"


def count_rows(store: Path) -> int:
    """Return the number of URLs in the store."""
    with closing(sqlite3.connect(store)) as database:
        return int(database.execute("SELECT count(*) FROM page").fetchone()[0])


def format_usage(usage: Usage, rows: int) -> str:
    """Describe memory and speed."""
    rate = f"{rows / usage.wall:>8,.0f} URLs/s {usage.cpu / rows * 1e6:>6.1f} µs of CPU a URL"
    return f"peak RSS {usage.rss:>5,} MiB {usage.wall:>6,.0f} s {rate}"


if __name__ == "__main__":
    main()
