"""Parse sitemaps of 50,000 URLs with Headwater and with ultimate-sitemap-parser.

`--files 200` instead reads an index of 200 sitemaps over loopback into a store: ten million URLs.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.commands import HEADWATER
from tests.sites.nginx import nginx
from usp.tree import sitemap_from_str

from bench.measure import measure_cpu, measure_usage, say
from headwater.pages.files.sitemap_parser import parse_sitemap_body
from headwater.urls import Scope
from headwater.urls.identity import compute_identity
from headwater.urls.parsing import serialize_url
from headwater.urls.skip_rules import build_target, judge_target

if TYPE_CHECKING:
    from collections.abc import Callable

URLS, ROUNDS = 50_000, 5


def main() -> None:
    """Print URLs per second of CPU, and ratios."""
    if "--files" in sys.argv:
        read_index(int(sys.argv[sys.argv.index("--files") + 1]))
        return
    body = urlset("https://example.com", 0).encode()
    say(f"sitemaps: {URLS:,} URLs, {len(body) / 1e6:.1f} MB")
    ours, judged, theirs = [], [], []
    for _ in range(ROUNDS):
        ours.append(measure_counting(lambda: sum(1 for _ in parse_sitemap_body(body).entries())))
        judged.append(measure_counting(lambda: judge_all(body)))
        theirs.append(measure_counting(lambda: sum(1 for _ in sitemap_from_str(body.decode()).all_pages())))
    for name, times in (("headwater, read", ours), ("headwater, judged", judged), ("ultimate-sitemap-parser", theirs)):
        rate = f"{URLS / min(times):>9,.0f} URLs a second of CPU"
        say(f"  {name:<26} {rate}   {min(theirs) / min(times):.1f} × ultimate-sitemap-parser")


def measure_counting(work: Callable[[], int]) -> float:
    """Return the CPU seconds of a function that must return URLS."""
    counts: list[int] = []
    seconds = measure_cpu(lambda: counts.append(work()))
    assert counts == [URLS]
    return seconds


def judge_all(body: bytes) -> int:
    """Parse, normalize and judge every URL, and compute its identity, as a scan does."""
    scope, count = Scope(["https://example.com"]), 0
    for entry in parse_sitemap_body(body).entries():
        target = build_target(entry.url, serialize_url(entry.url), scope)
        if judge_target(target, scope).allowed and compute_identity(target.key):
            count += 1
    return count


def read_index(files: int) -> None:
    """Run the real command on an index of many sitemaps, without limits."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        (folder / "site").mkdir()
        with nginx(folder / "site") as origin:
            for number in range(files):
                (folder / "site" / f"s{number}.xml").write_text(urlset(origin, number))
            named = "".join(f"<sitemap><loc>{origin}/s{number}.xml</loc></sitemap>" for number in range(files))
            (folder / "site" / "sitemap.xml").write_text(f"<sitemapindex>{named}</sitemapindex>")
            (folder / "headwater.toml").write_text('max_urls_per_source = "none"\n')
            command = [
                HEADWATER, "discover", origin, "--stages", "sitemaps", "--quiet",
                "--db", str(folder / "x.db"), "-o", "/dev/null", "--config", str(folder / "headwater.toml"),
            ]  # fmt: skip
            usage = measure_usage(command)
        pages = sqlite3.connect(folder / "x.db").execute("SELECT count(*) FROM page").fetchone()[0]
    cost = f"{usage.cpu / pages * 1e6:.1f} µs of CPU a URL, classified and exported; peak RSS {usage.rss} MB"
    say(f"  an index of {files} files: {pages:,} URLs in the store, {cost}")


def urlset(origin: str, number: int) -> str:
    """Return a sitemap of about 8 MB."""
    blocks = "".join(
        f"<url>\n  <loc>{origin}/some/section-{number}/article-{place}.html?view=full&amp;page={place}</loc>\n"
        f"  <lastmod>2026-01-{place % 28 + 1:02}</lastmod>\n  <priority>0.5</priority>\n</url>\n"
        for place in range(URLS)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{blocks}</urlset>'


if __name__ == "__main__":
    main()
