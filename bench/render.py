"""Open 200 pages of documentation in Chromium and extract links, with Headwater and Crawlee's PlaywrightCrawler."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from pathlib import Path

from tests.commands import HEADWATER
from tests.sites.nginx import nginx

from bench.crawl import FOLDER, fetch_site
from bench.measure import Usage, measure_and_count, measure_usage, say

PAGES, PARALLEL, ROUNDS = 200, 2, 1
HERE = Path(__file__).parent


def main() -> None:
    """Print pages per second; there is one round, because it takes minutes."""
    fetch_site()
    with nginx(FOLDER) as origin, tempfile.TemporaryDirectory() as text:
        start, ours, theirs = f"{origin}/api/index.html", [], []
        for number in range(ROUNDS):
            ours.append(render(start, Path(text) / f"{number}.db"))
            client = str(HERE / "clients" / "with_crawlee_browser.py")
            visited, usage = measure_and_count([sys.argv[1], client, start, str(PARALLEL), str(PAGES)])
            assert visited >= PAGES
            theirs.append(usage)
    best, peer = (min(usages, key=lambda usage: usage.wall) for usages in (ours, theirs))
    say(f"render: {PAGES} pages of openjdk-17-doc in Chromium, {PARALLEL} tabs")
    for name, usage in (("headwater --render always", best), ("Crawlee, PlaywrightCrawler", peer)):
        rate = f"{PAGES / usage.wall:>6.1f} pages/s"
        say(f"  {name:<28} {rate}   {peer.wall / usage.wall:.2f} × Crawlee")


def render(start: str, db: Path) -> Usage:
    """Run our command, and check that every page was opened."""
    command = [
        HEADWATER, "crawl", start, "--quiet", "--render", "always",
        "--max-pages", str(PAGES), "--render-parallel", str(PARALLEL), "--db", str(db), "-o", "/dev/null",
    ]  # fmt: skip
    usage = measure_usage(command)
    opened = sqlite3.connect(db).execute("SELECT count(*) FROM evidence WHERE kind = 'render'").fetchone()[0]
    assert opened >= PAGES - 5, opened  # a few answer 404 and are not opened
    return usage


if __name__ == "__main__":
    main()
