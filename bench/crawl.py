"""A real site of 10,137 pages crawled by us, by the bare libraries and by peers: CPU a page, pages a second, memory.

The site is Debian's openjdk-17-doc, served by nginx on loopback. Scrapy and Crawlee take a tenth of it: they are slow.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.sites.nginx import nginx

from bench.measure import Usage, counted_usage_of, usage_of

PACKAGE, FOLDER = "openjdk-17-doc", Path("/usr/share/doc/openjdk-17-doc")
PAGES, SAMPLE, PARALLEL, ROUNDS = 10_137, 1000, 10, 3
HERE = Path(__file__).parent
BUILD = HERE.parent / ".build"
BESIDES = """
SELECT page.status, page.reason, page.source, page.region, parent.url
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
WHERE page.url = ?
"""


class Row(NamedTuple):
    """One crawler's cost."""

    name: str
    pages: int
    usage: Usage

    @property
    def cpu(self) -> float:
        """CPU seconds a page."""
        return self.usage.cpu / self.pages


def main() -> None:
    """Print one line a crawler, and which pages differ."""
    peers = sys.argv[1]
    fetch_site()
    with nginx(FOLDER) as origin, tempfile.TemporaryDirectory() as text:
        start, folder = f"{origin}/api/index.html", Path(text)
        rows = [*ours_and_floor(start, folder), *python_peers(peers, start), *go_peers(start), *rust_peers(start)]
        floor, ours = rows[0], rows[1]
        sys.stdout.write(f"crawl: {PACKAGE}, {PAGES:,} pages, {PARALLEL} parallel\n")
        for row in rows:
            ratios = f"{row.cpu / floor.cpu:>7.2f} × floor {row.cpu / ours.cpu:>7.2f} × ours"
            rate = f"{row.pages / row.usage.wall:>7,.0f} pages/s {row.cpu * 1e6:>8,.0f} µs of CPU a page"
            sys.stdout.write(f"  {row.name:<28} {row.pages:>6,} pages {rate} {ratios}   peak RSS {row.usage.rss} MB\n")
        report_difference(folder)


def fetch_site() -> None:
    """Install the documentation where it is missing."""
    if not FOLDER.is_dir():
        as_root = [] if shutil.which("sudo") is None else ["sudo"]
        subprocess.run([*as_root, "apt-get", "install", "-y", "-qq", PACKAGE], check=True, stdout=subprocess.DEVNULL)


def ours_and_floor(start: str, folder: Path) -> list[Row]:
    """The two in turn, the cheapest of several rounds each."""
    floor, ours = [], []
    command = [str(Path(sys.executable).parent / "headwater"), "crawl", start, "--quiet", "--format", "text"]
    for number in range(ROUNDS):
        bare = [sys.executable, str(HERE / "clients" / "floor.py"), start, str(PARALLEL), str(folder / "floor.txt")]
        floor.append(usage_of(bare))
        files = ["--db", str(folder / f"{number}.db"), "-o", str(folder / "ours.txt")]
        ours.append(usage_of([*command, *files, "--max-parallel", str(PARALLEL)]))
    return [Row("bare libraries (the floor)", PAGES, min(floor)), Row("headwater, SQLite store", PAGES, min(ours))]


def python_peers(python: str, start: str) -> list[Row]:
    """Scrapy and Crawlee on a part of the site."""
    names = {"Scrapy": "with_scrapy", "Crawlee": "with_crawlee"}
    command = {
        name: [python, str(HERE / "clients" / f"{file}.py"), start, str(PARALLEL)] for name, file in names.items()
    }
    return [Row(f"{name}, a tenth", *counted_usage_of([*parts, str(SAMPLE)])) for name, parts in command.items()]


def go_peers(start: str) -> list[Row]:
    """colly and katana, where Go is installed."""
    if shutil.which("go") is None:
        return []
    rows = []
    for name in ("colly", "katana"):
        program = BUILD / name
        subprocess.run(["go", "build", "-o", str(program), "."], cwd=HERE / "peers" / name, check=True)
        rows.append(Row(f"{name} (Go)", *counted_usage_of([str(program), start, str(PARALLEL)])))
    return rows


def rust_peers(start: str) -> list[Row]:
    """spider, where Rust is installed; so near to us that it too has several rounds."""
    if shutil.which("cargo") is None:
        return []
    folder = BUILD / "spider"
    build = ["cargo", "build", "--release", "--quiet", "--target-dir", str(folder)]
    subprocess.run(build, cwd=HERE / "peers" / "spider", check=True)
    program = [str(folder / "release" / "spider-peer"), start, str(PARALLEL)]
    rounds = [counted_usage_of(program) for _ in range(ROUNDS)]
    return [Row("spider (Rust)", *min(rounds, key=lambda counted: counted[1]))]


def report_difference(folder: Path) -> None:
    """What one found and the other did not; what only we list, with its status and the place it was found in."""
    floor, ours = (set((folder / name).read_text().split()) for name in ("floor.txt", "ours.txt"))
    besides = sorted(ours - floor)
    sys.stdout.write(f"  pages of the floor that we miss: {len(floor - ours)}; URLs we list besides: {len(besides)}\n")
    for url in sorted(floor - ours):
        sys.stdout.write(f"    missed: {url}\n")
    database = sqlite3.connect(folder / f"{ROUNDS - 1}.db")
    for url in besides:
        for status, reason, source, region, parent in database.execute(BESIDES, (url,)):
            sys.stdout.write(f"    {status or '-'} {reason or 'ok'}: {url}, a {source} in {region} of {parent}\n")
    database.close()


if __name__ == "__main__":
    main()
