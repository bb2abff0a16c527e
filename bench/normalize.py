"""Normalize a million URLs with `headwater normalize`, the bare parser and common libraries."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from tests.commands import HEADWATER

from bench.measure import measure_usage, say

COUNT = 1_000_000
PEER_COUNT = 100_000
WORDS = (
    "guide intro docs api reference library tutorial install about team blog news item user Config page index".split()
)
HOSTS = ["docs.example.com", "www.example.org", "EXAMPLE.com", "shop.example.net:8080", "xn--mnchen-3ya.example"]

LOOP = """
import sys
{setup}
for line in sys.stdin:
    sys.stdout.write({expression} + "\\n")
"""
BARE = ("bare can_ada", "import can_ada", "can_ada.parse(line).href")
PEERS = (
    ("w3lib", "from w3lib.url import canonicalize_url", "canonicalize_url(line.strip())"),
    ("courlan", "from courlan import normalize_url", "normalize_url(line.strip())"),
    ("url-normalize", "from url_normalize import url_normalize", "url_normalize(line.strip())"),
)


def main() -> None:
    """Print one line for each program, with its ratio to ours."""
    peers = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        many, some = Path(folder) / "many.txt", Path(folder) / "some.txt"
        write_urls(many, COUNT)
        write_urls(some, PEER_COUNT)
        ours, rss = cost([HEADWATER, "normalize"], many)
        say(f"normalize: {COUNT:,} URLs")
        report("headwater normalize", ours / COUNT, ours / COUNT, rss)
        bare, rss = cost([sys.executable, "-c", loop(BARE)], many)
        report(BARE[0], bare / COUNT, ours / COUNT, rss)
        for peer in PEERS:
            seconds, rss = cost([peers, "-c", loop(peer)], some)
            report(peer[0], seconds / PEER_COUNT, ours / COUNT, rss)


def write_urls(path: Path, count: int) -> None:
    """Write URLs like those of real sites: some with queries, fragments, escapes, ports and trailing slashes."""
    chance = random.Random(1)
    with path.open("w") as file:
        for number in range(count):
            segments = "/".join(chance.choices(WORDS, k=chance.randint(1, 5)))
            ending = chance.choice(["", "/", f"/{number}.html"])
            query = f"?page={number % 97}&sort={chance.choice(WORDS)}" if chance.random() < 0.3 else ""
            fragment = "#" + chance.choice(WORDS) if chance.random() < 0.15 else ""
            escaped = segments.replace("o", "%6f", 2) if chance.random() < 0.05 else segments
            scheme = chance.choice(["http", "https", "https"])
            file.write(f"{scheme}://{chance.choice(HOSTS)}/{escaped}{ending}{query}{fragment}\n")


def loop(program: tuple[str, str, str]) -> str:
    """Return a program of five lines that does the same as our command with a library."""
    return LOOP.format(setup=program[1], expression=program[2])


def cost(command: list[str], urls: Path) -> tuple[float, int]:
    """Return CPU seconds and peak RSS in MB of a command that reads the file."""
    with urls.open("rb") as stdin:
        usage = measure_usage(command, stdin)
    return usage.cpu, usage.rss


def report(name: str, seconds: float, ours: float, rss: int) -> None:
    """Print one line of the table."""
    say(f"  {name:<20} {1 / seconds:>9,.0f} URLs/s of CPU   {seconds / ours:>6.1f} × ours   peak RSS {rss} MB")


if __name__ == "__main__":
    main()
