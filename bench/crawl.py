"""Crawl a real site of 10,137 pages with Headwater, with the bare libraries and with peers.

The site is Debian's openjdk-17-doc, served by nginx on loopback. Scrapy and Crawlee crawl a tenth of it, because they
are slow.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.commands import HEADWATER
from tests.sites.nginx import nginx

from bench.measure import Usage, measure_and_count, measure_usage, say

PACKAGE, FOLDER = "openjdk-17-doc", Path("/usr/share/doc/openjdk-17-doc")
PAGES, SAMPLE, PARALLEL, ROUNDS = 10_137, 1000, 10, 3
HERE = Path(__file__).parent
BUILD = HERE.parent / ".build"
EXTRA_PAGES = """
SELECT page.status, page.reason, page.source, page.region, parent.url
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
WHERE page.url = ?
"""


class Row(NamedTuple):
    """The cost of one crawler."""

    name: str
    pages: int
    usage: Usage

    @property
    def cpu(self) -> float:
        """CPU seconds per page."""
        return self.usage.cpu / self.pages


def main() -> None:
    """Print one line for each crawler, and the pages that differ."""
    peers = sys.argv[1]
    fetch_site()
    with nginx(FOLDER) as origin, tempfile.TemporaryDirectory() as text:
        start, folder = f"{origin}/api/index.html", Path(text)
        rows = [*ours_and_floor(start, folder), *python_peers(peers, start), *go_peers(start), *rust_peers(start)]
        floor, ours = rows[0], rows[1]
        say(f"crawl: {PACKAGE}, {PAGES:,} pages, {PARALLEL} parallel")
        for row in rows:
            ratios = f"{row.cpu / floor.cpu:>7.2f} × floor {row.cpu / ours.cpu:>7.2f} × ours"
            rate = f"{row.pages / row.usage.wall:>7,.0f} pages/s {row.cpu * 1e6:>8,.0f} µs of CPU a page"
            say(f"  {row.name:<28} {row.pages:>6,} pages {rate} {ratios}   peak RSS {row.usage.rss} MB")
        report_difference(folder)


def fetch_site() -> None:
    """Install the documentation if it is missing."""
    if not FOLDER.is_dir():
        as_root = [] if shutil.which("sudo") is None else ["sudo"]
        subprocess.run([*as_root, "apt-get", "install", "-y", "-qq", PACKAGE], check=True, stdout=subprocess.DEVNULL)


def ours_and_floor(start: str, folder: Path) -> list[Row]:
    """Run both in turn and return the cheapest of several rounds."""
    floor, ours = [], []
    command = [HEADWATER, "crawl", start, "--quiet", "--format", "text"]
    for number in range(ROUNDS):
        bare = [sys.executable, str(HERE / "clients" / "floor.py"), start, str(PARALLEL), str(folder / "floor.txt")]
        floor.append(measure_usage(bare))
        files = ["--db", str(folder / f"{number}.db"), "-o", str(folder / "ours.txt")]
        ours.append(measure_usage([*command, *files, "--max-parallel", str(PARALLEL)]))
    return [Row("bare libraries (the floor)", PAGES, min(floor)), Row("headwater, SQLite store", PAGES, min(ours))]


def python_peers(python: str, start: str) -> list[Row]:
    """Run Scrapy and Crawlee on a part of the site."""
    names = {"Scrapy": "with_scrapy", "Crawlee": "with_crawlee"}
    command = {
        name: [python, str(HERE / "clients" / f"{file}.py"), start, str(PARALLEL)] for name, file in names.items()
    }
    return [Row(f"{name}, a tenth", *measure_and_count([*parts, str(SAMPLE)])) for name, parts in command.items()]


def go_peers(start: str) -> list[Row]:
    """Run colly and katana if Go is installed."""
    if shutil.which("go") is None:
        return []
    rows = []
    for name in ("colly", "katana"):
        program = BUILD / name
        subprocess.run(["go", "build", "-o", str(program), "."], cwd=HERE / "peers" / name, check=True)
        rows.append(Row(f"{name} (Go)", *measure_and_count([str(program), start, str(PARALLEL)])))
    return rows


def rust_peers(start: str) -> list[Row]:
    """Run spider if Rust is installed, in several rounds because its cost is close to ours."""
    if shutil.which("cargo") is None:
        return []
    folder = BUILD / "spider"
    build = ["cargo", "build", "--release", "--quiet", "--target-dir", str(folder)]
    subprocess.run(build, cwd=HERE / "peers" / "spider", check=True)
    program = [str(folder / "release" / "spider-peer"), start, str(PARALLEL)]
    rounds = [measure_and_count(program) for _ in range(ROUNDS)]
    return [Row("spider (Rust)", *min(rounds, key=lambda counted: counted[1]))]


def report_difference(folder: Path) -> None:
    """Print pages that only one of them found; those that only we list with status and source."""
    floor, ours = (set((folder / name).read_text().split()) for name in ("floor.txt", "ours.txt"))
    extra = sorted(ours - floor)
    say(f"  pages of the floor that we miss: {len(floor - ours)}; URLs that only we list: {len(extra)}")
    for url in sorted(floor - ours):
        say(f"    missed: {url}")
    database = sqlite3.connect(folder / f"{ROUNDS - 1}.db")
    for url in extra:
        for status, reason, source, region, parent in database.execute(EXTRA_PAGES, (url,)):
            say(f"    {status or '-'} {reason or 'ok'}: {url}, a {source} in {region} of {parent}")
    database.close()


if __name__ == "__main__":
    main()
