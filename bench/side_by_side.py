"""Scan many generated sites at once, and print how the memory of all processes grows.

`python -m bench.side_by_side SITES PAGES` scans SITES sites of PAGES pages each at the same time. `make bench` does not
include this benchmark: a million pages take more than an hour.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

from tests.commands import HEADWATER

from bench.child_server import child_server
from bench.measure import read_cpu_seconds, say
from bench.wide_site import Connection

SITES, PAGES, LINKS = 100, 10_000, 60
STEPS = 20
ALLOWED = 1024
"""MiB, summed over processes."""

HEAD = "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\r\n"
HITS = b"/hits"
MISSING = HEAD.format(status="404 Not Found", length=0).encode()


def main() -> None:
    """Scan all sites, print the memory on the way, and fail above 1 GiB."""
    numbers = [int(one) for one in sys.argv[1:] if one.isdecimal()]
    sites, pages = (*numbers, *(SITES, PAGES)[len(numbers) :])
    with (
        child_server("bench.side_by_side", sites, pages, host=get_address(0)) as port,
        tempfile.TemporaryDirectory() as folder,
    ):
        peak, cpu = scan([f"http://{get_address(number)}:{port}/" for number in range(sites)], pages, folder)
    say(f"  peak {peak:,.0f} MiB, {cpu / sites / pages * 1e3:.2f} ms of CPU a page")
    assert peak <= ALLOWED, f"more than {ALLOWED} MiB"


def scan(origins: list[str], pages: int, folder: str) -> tuple[float, float]:
    """Scan all sites and print the memory on the way; return its peak and the CPU time."""
    listed = Path(folder) / "sites.txt"
    listed.write_text("\n".join(origins))
    command = [HEADWATER, "discover", "--file", str(listed), "--db", f"{folder}/x.db", "--sites", str(len(origins))]
    limits = ["--stages", "nav,crawl", "--render", "never", "--max-depth", "none", "--max-pages", "none"]
    flags = ["--quiet", "--format", "text", "-o", f"{folder}/out.txt", "--slice-time", "3600"]
    process = subprocess.Popen([*command, *limits, *flags])
    peak, began, shown, cpu = 0.0, time.monotonic(), 0, 0.0
    say(f"{len(origins)} sites of {pages:,} pages at once, {LINKS} links a page")
    while process.poll() is None:
        time.sleep(1)
        pids = list_processes(process.pid)
        memory = [measure_pss(pid) for pid in pids]
        peak, cpu = max(peak, sum(memory)), max(cpu, sum(map(read_cpu_seconds, pids)))
        done = count_hits(origins[0])
        if done >= shown + len(origins) * pages // STEPS:
            shown = done
            parts = " + ".join(f"{one:.0f}" for one in memory)
            line = f"{done:>9,} pages {time.monotonic() - began:>6,.0f} s {sum(memory):>6,.0f} MiB = {parts}"
            say(f"  {line}   cpu {cpu:.0f} s")
    assert process.returncode == 0, process.returncode
    return peak, cpu


def count_hits(origin: str) -> int:
    """Return the number of pages served so far."""
    with urlopen(origin + HITS.decode()[1:]) as answer:
        return int(answer.read())


def list_processes(pid: int) -> list[int]:
    """Return the ids of a process and all its descendants."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for child in children for one in list_processes(int(child)))]


def measure_pss(pid: int) -> float:
    """Return the memory of a process in MiB; memory that processes share is divided between them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


class Pages:
    """The pages, which all sites share and which are built once, so that the server uses little CPU."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._answers: dict[str, bytes] = {}
        self.hits = 0

    def answer(self, path: str) -> bytes:
        """Return the whole answer for a path."""
        if path == HITS.decode():
            body = str(self.hits).encode()
            return HEAD.format(status="200 OK", length=len(body)).encode() + body
        answer = self._answers.get(path)
        if answer is None:
            answer = self._answers[path] = self._make(path)
        self.hits += answer is not MISSING
        return answer

    def _make(self, path: str) -> bytes:
        number = 0 if path == "/" else int(path.rpartition("-")[2] or -1) if path.startswith("/part/") else -1
        if not 0 <= number < self._count:
            return MISSING
        chance = random.Random(number)
        own = [number * 20 + place for place in range(1, 21)]
        shared = [(one, f"Page {one} of this site") for one in (*own, *range(1, 11)) if one < self._count]
        chosen = chance.choices(range(self._count), k=LINKS - 30)
        others = [(one, f"See page {one}, said page {number}") for one in chosen]
        links = "".join(f'<li><a href="{page(one)}">{text}</a></li>\n' for one, text in (*shared, *others))
        text = "word " * chance.choice((20, 200, 1000, 3000))
        body = f"<!doctype html><title>Page {number}</title><h1>{number}</h1><ul>{links}</ul><p>{text}</p>".encode()
        return HEAD.format(status="200 OK", length=len(body)).encode() + body


def page(number: int) -> str:
    """Return the path of a page."""
    return f"/part/{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}/about-a-thing-{number}" if number else "/"


def get_address(number: int) -> str:
    """Return the loopback address of a site."""
    return f"127.0.{1 + number // 250}.{1 + number % 250}"


async def serve(port: int, sites: int, pages: int) -> None:
    """Serve each site on its own loopback address until terminated."""
    answer, hosts = Pages(pages).answer, [get_address(number) for number in range(sites)]
    server = await asyncio.get_running_loop().create_server(lambda: Connection(answer), hosts, port, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        asyncio.run(serve(*map(int, sys.argv[2:5])))
    else:
        main()
