"""Measure CPU per request of the whole fetch stack, a bare libcurl loop, aiohttp and httpx on the same pages."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.sites.nginx import nginx

from bench.measure import measure_usage, say

COUNT = 8000
PARALLEL = 32
ROUNDS = 5
SHARES = {"with_httpx": 8}  # it is slow, so it sends an eighth of the requests
NAMES = {
    "bare": "bare pycurl + asyncio",
    "ours": "headwater, whole stack",
    "with_aiohttp": "aiohttp, bare",
    "with_httpx": "httpx, bare",
}
CLIENTS = Path(__file__).parent / "clients"


def main() -> None:
    """Print one line for each client, with its ratios to the bare loop and to ours."""
    peers = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        write_site(Path(folder))
        with nginx(Path(folder)) as origin:
            costs = measure(
                origin, {"bare": sys.executable, "ours": sys.executable, "with_aiohttp": peers, "with_httpx": peers}
            )
    say(f"fetch: {COUNT:,} pages of 15 KB, {PARALLEL} parallel, a robots.txt of 20 rules")
    for client, name in NAMES.items():
        ratios = f"{costs[client] / costs['bare']:>6.2f} × bare {costs[client] / costs['ours']:>7.2f} × ours"
        say(f"  {name:<24} {costs[client] * 1e6:>7.0f} µs of CPU a request {ratios}")


def write_site(folder: Path) -> None:
    """Write a hundred pages of 15 KB and a robots.txt that allows them all."""
    for number in range(100):
        links = "".join(f'<p><a href="{other}.html">page {other} of the same site</a></p>\n' for other in range(290))
        (folder / f"{number}.html").write_text(f"<title>{number}</title>{links}"[:15_000])
    rules = "".join(f"Disallow: /private{number}/\n" for number in range(20))
    (folder / "robots.txt").write_text("User-agent: *\n" + rules)


def measure(origin: str, clients: dict[str, str]) -> dict[str, float]:
    """Return CPU seconds per request of each client without start-up, the minimum of several rounds in turn."""
    start_up, total = dict.fromkeys(clients, 9e9), dict.fromkeys(clients, 9e9)
    for _ in range(ROUNDS):
        for client, python in clients.items():
            command = [python, str(CLIENTS / f"{client}.py"), origin]
            start_up[client] = min(start_up[client], measure_usage([*command, "1", "1"]).cpu)
            count = COUNT // SHARES.get(client, 1)
            used = measure_usage([*command, str(count), str(PARALLEL)]).cpu
            total[client] = min(total[client], used * COUNT / count)
    return {client: (total[client] - start_up[client] * SHARES.get(client, 1)) / COUNT for client in clients}


if __name__ == "__main__":
    main()
