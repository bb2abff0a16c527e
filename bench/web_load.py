"""Response times under load: lists, facets and pages at a fixed rate while another scan runs in the same server.

`python -m bench.web_load [- FOLDER [SECONDS]]`; FOLDER is the site, by default the documentation of OpenJDK 17.
"""

from __future__ import annotations

import asyncio
import http.client
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.sites.nginx import nginx
from tests.web.serving import TOKEN, Server, serving

from headwater.store.scan_index.index import SORTS

if TYPE_CHECKING:
    from collections.abc import Iterator

SITE = Path("/usr/share/doc/openjdk-17-doc")
START = "api/index.html"
BUILD = Path(__file__).parent.parent / ".build" / "web"
RATE = 150
SECONDS = 20
CONNECTIONS = 32
SHARES = {"lists": 0.6, "facets": 0.2, "pages": 0.2}
TEXTS = ("java", "class-use", "swing event", "javax.management", "package-summary", "zq", "e")


class Timing(NamedTuple):
    """Kind of a read, and the seconds between its due time and its response."""

    kind: str
    seconds: float


def main() -> None:
    """Measure the site named on the command line, or the default one."""
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else SITE
    measure_site(folder, int(sys.argv[3]) if len(sys.argv) > 3 else SECONDS)


def measure_site(folder: Path, seconds: int = SECONDS) -> None:
    """Read a scan of the site alone and while a second scan runs, then read that second one."""
    with tempfile.TemporaryDirectory() as text, nginx(folder) as origin:
        shutil.copy(scanned(folder, origin), Path(text) / "web.db")
        with serving(Path(text)) as server:
            sequential(server)
            measure("alone", server, 1, seconds // 2)
            second = server.request("/api/v1/scans", {"urls": [f"{origin}/{START}"]}).json["scan"]
            measure("while a scan runs", server, 1, seconds // 2)
            measure("of the scan that runs", server, second, seconds // 2)
            is_live = server.request(f"/api/v1/scans/{second}").json["is_live"]
            say(f"  the second scan {'still ran' if is_live else 'had ended'} by then")
            server.request(f"/api/v1/scans/{second}/cancel", b"")
            server.wait(second)


def scanned(folder: Path, origin: str) -> Path:
    """Return a store with a scan of the site, which is made once."""
    BUILD.mkdir(parents=True, exist_ok=True)
    store = BUILD / f"load-{folder.name}.db"
    if not store.exists():
        draft = str(store.with_suffix(".draft"))
        command = [str(Path(sys.executable).parent / "headwater"), "discover", f"{origin}/{START}", "--quiet"]
        subprocess.run(
            [*command, "--db", draft, "--format", "text", "-o", os.devnull], stderr=subprocess.DEVNULL, check=True
        )
        Path(draft).rename(store)
    return store


def sequential(server: Server, rounds: int = 200) -> None:
    """Print the response times of sequential requests on one connection."""
    connection = http.client.HTTPConnection(server.origin.partition("://")[2])
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        connection.request("GET", "/health")
        connection.getresponse().read()
        times.append(time.perf_counter() - started)
    connection.close()
    say(f"web_load: /health on one connection {line_of(times)}")


def measure(title: str, server: Server, number: int, seconds: int) -> None:
    """Print the response times of each kind of read at the fixed rate."""
    paths = list(reads(server, number, seconds * RATE))
    before = cpu_of(server)
    timings = asyncio.run(load(server.origin.partition("://")[2], paths))
    cost = (cpu_of(server) - before) / len(timings)
    say(f"  {title}: {len(timings)} reads at {RATE} a second, {cost * 1000:.1f} ms of server CPU each")
    for kind in (*SHARES, "all"):
        say(f"    {kind:<8}{line_of([one.seconds for one in timings if kind in (one.kind, 'all')])}")


def reads(server: Server, number: int, count: int) -> Iterator[tuple[str, str]]:
    """Yield the kind and path of each read, in order."""
    chance = random.Random(1)
    scan = f"/api/v1/scans/{number}"
    found = server.request(f"{scan}/facets").json
    facets = [f"{name}={one['value']}" for name, values in found["facets"].items() for one in values]
    filters = [*facets, *(f"cluster={one['number']}" for one in found["clusters"])]
    filters += [f"text={text.replace(' ', '+')}" for text in TEXTS]
    orders = [f"sort={sign}{name}" for name in SORTS for sign in ("", "-")]
    pages = [one["number"] for one in server.request(f"{scan}/pages?limit=500").json["pages"]]
    for kind in chance.choices(list(SHARES), list(SHARES.values()), k=count):
        if kind == "pages":
            yield kind, f"{scan}/pages/{chance.choice(pages)}"
        elif kind == "facets":
            yield kind, f"{scan}/facets?{chance.choice(filters)}"
        else:
            yield kind, f"{scan}/pages?{chance.choice(filters)}&{chance.choice(orders)}"


async def load(host: str, paths: list[tuple[str, str]]) -> list[Timing]:
    """Start each read when it is due, even if earlier ones are still running."""
    idle: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
    for _ in range(CONNECTIONS):
        idle.put_nowait(await asyncio.open_connection(*host.split(":"), limit=1 << 24))
    timings: list[Timing] = []

    async def read(kind: str, path: str, due: float) -> None:
        reader, writer = await idle.get()
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), (path, head)
        await reader.readexactly(int(head.lower().partition(b"content-length:")[2].split()[0]))
        timings.append(Timing(kind, time.perf_counter() - due))
        idle.put_nowait((reader, writer))

    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for index, (kind, path) in enumerate(paths):
            due = started + index / RATE
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            group.create_task(read(kind, path, due))
    while not idle.empty():
        idle.get_nowait()[1].close()
    return timings


def cpu_of(server: Server) -> float:
    """Return the CPU seconds that the server has used."""
    fields = Path(f"/proc/{server.command.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def line_of(times: list[float]) -> str:
    """Return median, 99th percentile and maximum in milliseconds."""
    p99 = statistics.quantiles(times, n=100)[98]
    return f"p50 {statistics.median(times) * 1000:7.2f} ms   p99 {p99 * 1000:7.1f} ms   max {max(times) * 1000:7.1f} ms"


def say(line: str) -> None:
    """Print a line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
