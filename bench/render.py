"""200 pages of documentation opened in Chromium, links extracted: us and Crawlee's PlaywrightCrawler, in turn."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from pathlib import Path

from tests.sites.nginx import nginx

from bench.crawl import FOLDER, fetch_site
from bench.measure import Usage, counted_usage_of, usage_of

PAGES, PARALLEL, ROUNDS = 200, 2, 1
HERE = Path(__file__).parent


def main() -> None:
    """Print pages a second; a round takes minutes, so there is one."""
    fetch_site()
    with nginx(FOLDER) as origin, tempfile.TemporaryDirectory() as text:
        start, ours, theirs = f"{origin}/api/index.html", [], []
        for number in range(ROUNDS):
            ours.append(render(start, Path(text) / f"{number}.db"))
            client = str(HERE / "clients" / "with_crawlee_browser.py")
            visited, usage = counted_usage_of([sys.argv[1], client, start, str(PARALLEL), str(PAGES)])
            assert visited >= PAGES
            theirs.append(usage)
    best, peer = (min(usages, key=lambda usage: usage.wall) for usages in (ours, theirs))
    sys.stdout.write(f"render: {PAGES} pages of openjdk-17-doc in Chromium, {PARALLEL} tabs\n")
    for name, usage in (("headwater --render always", best), ("Crawlee, PlaywrightCrawler", peer)):
        rate = f"{PAGES / usage.wall:>6.1f} pages/s"
        sys.stdout.write(f"  {name:<28} {rate}   {peer.wall / usage.wall:.2f} × Crawlee\n")


def render(start: str, db: Path) -> Usage:
    """Our command; every page must have been opened."""
    command = [
        str(Path(sys.executable).parent / "headwater"), "crawl", start, "--quiet", "--render", "always",
        "--max-pages", str(PAGES), "--render-parallel", str(PARALLEL), "--db", str(db), "-o", "/dev/null",
    ]  # fmt: skip
    usage = usage_of(command)
    opened = sqlite3.connect(db).execute("SELECT count(*) FROM evidence WHERE kind = 'render'").fetchone()[0]
    assert opened >= PAGES - 5, opened  # a few answer 404, and are not opened
    return usage


if __name__ == "__main__":
    main()
