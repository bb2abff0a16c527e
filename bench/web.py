"""Response times of the web screens with a million pages in the store, and the cost of an export and of 50 watchers.

`bench.web_load`, which runs first, measures reads at a fixed rate while a scan runs.

`python -m bench.web [- PAGES [sqlite|postgres]]`; the store and its index are built once and kept in `.build`. The
PostgreSQL server is the one of the tests, with the same rows.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright
from tests import postgres
from tests.browser import FLAGS
from tests.sites.nginx import nginx
from tests.web.serving import TOKEN, Server, serving

from bench import web_load
from bench.growth import write_site
from bench.million import copy_pages, many_pages
from headwater.store.scan_index.filters import FACETS
from headwater.store.scan_index.index import SORTS

FOLDER = Path(__file__).parent.parent / ".build" / "web"
ROUNDS = 5
WATCHERS = 50
WATCHED_PAGES = 6000
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def main() -> None:
    """Print the slowest response of each kind, then the export and the watchers."""
    pages = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not (FOLDER / "web.db").exists():
        many_pages(FOLDER / "web.db", pages)
    backends = sys.argv[3:] or ["sqlite", "postgres"]
    if web_load.SITE.is_dir():
        web_load.measure_site(web_load.SITE)
    if "sqlite" in backends:
        measure_store("sqlite", pages)
        watch()
    if "postgres" in backends:
        own = postgres.start(durable=True)
        try:
            with own.database() as url:
                started = time.perf_counter()
                copy_pages(FOLDER / "web.db", url)
                say(f"web: {pages:,} rows copied to PostgreSQL in {time.perf_counter() - started:.1f} s")
                measure_store("postgres", pages, url)
        finally:
            own.stop()


def measure_store(backend: str, pages: int, db: str = "") -> None:
    """Measure every kind of response over one store."""
    with serving(FOLDER, db=db) as server:
        started = time.perf_counter()
        while server.request("/scans/1/urls").status != 200:
            time.sleep(0.2)
        say(f"web, {backend}: {pages:,} pages; indexed in {time.perf_counter() - started:.1f} s")
        for kind, paths in screens(server).items():
            times = {path: median(server, path) for path in paths}
            slowest = max(times, key=times.__getitem__)
            say(f"  {kind:<28}{times[slowest] * 1000:>7.0f} ms at most   {slowest.partition('?')[2]}")
        treemap(server)
        export(server)


def screens(server: Server) -> dict[str, list[str]]:
    """Return the addresses to measure, by kind: whole screens, as a browser requests them."""
    found = server.request("/api/v1/scans/1/facets").json
    facets = [f"{name}={one['value']}" for name in FACETS for one in found["facets"][name]]
    clusters = [f"cluster={one['number']}" for one in found["clusters"]]
    orders = [f"sort={sign}{name}" for name in SORTS for sign in ("", "-")]
    url = "/scans/1/urls?"
    return {
        "unfiltered": [url],
        "one facet": [url + query for query in facets],
        "one cluster": [url + query for query in clusters[:3] + clusters[-3:]],
        "one sort": [url + query for query in orders],
        "facet and sort": [f"{url}status=404&{query}" for query in orders],
        "text": [f"{url}text={text}" for text in ("river-99", "nowhere", "boat", "section12+99", "e", "zq")],
        "text and sort": [f"{url}text={text}&{query}" for text in ("river-99", "boat") for query in orders],
        "facets of a text": [f"/scans/1/facets?text={text}" for text in ("river-99", "nowhere", "boat")],
        "a page": ["/scans/1/pages/77"],
        "the other screens": [f"/scans/1{name}" for name in ("", "/clusters", "/skipped", "/map?view=graph")],
        "map": ["/scans/1/map", "/api/v1/scans/1/sections?limit=2000"],
    }


def median(server: Server, path: str) -> float:
    """Return the median time of a complete response in seconds."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        assert server.request(path).status == 200, path
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def treemap(server: Server) -> None:
    """Measure the layout of the treemap with 2,000 sections, as the script of the page reports it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.goto(server.link)
        times = []
        for _ in range(ROUNDS):
            tab.goto(f"{server.origin}/scans/1/map?view=treemap")
            picture = tab.locator("#treemap[data-milliseconds]")
            times.append(float(str(picture.get_attribute("data-milliseconds"))))
            boxes = picture.get_attribute("data-boxes")
        browser.close()
    say(f"  treemap in Chromium         {statistics.median(times):>7.0f} ms             {boxes} boxes")


def export(server: Server) -> None:
    """Measure an export of all rows as JSON lines, and the peak memory of the server."""
    started, size = time.perf_counter(), 0
    request = urllib.request.Request(f"{server.origin}/api/v1/scans/1/export?format=jsonl", headers=HEADERS)
    with urllib.request.urlopen(request) as answer:
        while chunk := answer.read(1 << 20):
            size += len(chunk)
    status = Path(f"/proc/{server.command.process.pid}/status").read_text()
    peak = int(status.partition("VmHWM:")[2].split()[0]) // 1024
    seconds = time.perf_counter() - started
    say(f"  export, JSON lines          {seconds:>7.1f} s, {size / 1e6:,.0f} MB; peak memory of the server {peak} MB")


def watch() -> None:
    """Compare a crawl with and without watchers, three times each, alternating."""
    alone, watched = [], []
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        write_site(folder / "site", WATCHED_PAGES)
        with nginx(folder / "site") as origin, serving(folder) as server:
            for _ in range(3):
                alone.append(crawl(server, origin, 0))
                watched.append(crawl(server, origin, WATCHERS))
    slower = statistics.median(watched) / statistics.median(alone) - 1
    say(f"  {WATCHERS} watchers of a crawl        {slower:>+7.1%} time (alone {statistics.median(alone):.2f} s)")


def crawl(server: Server, origin: str, watchers: int) -> float:
    """Return the seconds of a crawl from the command line into the store of the server, with this many watchers."""
    number = len(server.request("/api/v1/scans").json["scans"]) + 1
    command = [str(Path(sys.executable).parent / "headwater"), "crawl", f"{origin}/part0/page0.html", "--quiet"]
    command += ["--db", server.db, "--format", "text", "-o", os.devnull]
    started = time.perf_counter()
    process = subprocess.Popen(command)
    while server.request(f"/api/v1/scans/{number}").status == 404:
        time.sleep(0.02)
    asyncio.run(watch_until_done(server, number, watchers, process))
    return time.perf_counter() - started


async def watch_until_done(server: Server, number: int, watchers: int, process: subprocess.Popen[bytes]) -> None:
    """Follow the scan with this many event streams until its process ends."""
    tasks = [asyncio.create_task(follow(server.origin, number)) for _ in range(watchers)]
    await asyncio.to_thread(process.wait)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def follow(origin: str, number: int) -> None:
    """Read one event stream as a browser does."""
    host = origin.partition("://")[2]
    reader, writer = await asyncio.open_connection(*host.split(":"))
    head = f"GET /api/v1/scans/{number}/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    writer.write(head.encode())
    try:
        while await reader.read(1 << 16):
            pass
    finally:
        writer.close()


def say(line: str) -> None:
    """Print a line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
