"""Measure whether cost grows linearly: CPU per page of generated sites of 2,000 and of 20,000 pages."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from tests.commands import HEADWATER
from tests.sites.nginx import nginx

from bench.measure import measure_usage, say

SIZES = (2_000, 20_000)
LINKS = 60
ROUNDS = 3


def main() -> None:
    """Print the cost of a page at both sizes without start-up, compared to the bare libraries.

    Their cost grows too: data that fits into the CPU caches at 2,000 pages does not at 20,000.
    """
    costs: dict[int, float] = {}
    floors: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as text:
        for size in SIZES:
            folder = Path(text) / str(size)
            write_site(folder / "site", size)
            with nginx(folder / "site") as origin:
                start_up = min(cost(origin, 1, folder) for _ in range(ROUNDS))
                costs[size] = (min(cost(origin, size, folder) for _ in range(ROUNDS)) - start_up) / size
                floors[size] = min(floor_cost(origin, folder) for _ in range(ROUNDS)) / size
    say("growth: generated sites crawled whole, 60 links a page")
    for size, seconds in costs.items():
        ratios = f"{seconds / costs[SIZES[0]]:.2f} × the smaller (the floor: {floors[size] / floors[SIZES[0]]:.2f} ×)"
        say(f"  {size:>7,} pages {seconds * 1e6:>6.0f} µs of CPU a page   {ratios}")


def write_site(folder: Path, count: int) -> None:
    """Write pages in folders of a hundred; each links to some dozens of others, all reachable from the first."""
    chance = random.Random(1)
    for number in range(count):
        path = folder / page(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        targets = [number * 2 + 1, number * 2 + 2, *(chance.randrange(count) for _ in range(LINKS - 2))]
        links = "".join(
            f'<li><a href="/{page(target)}">Page {target}</a></li>\n' for target in targets if target < count
        )
        path.write_text(f"<!doctype html><title>Page {number}</title><h1>{number}</h1><ul>{links}</ul>")


def page(number: int) -> str:
    """Return the path of a page."""
    return f"part{number // 100}/page{number}.html"


def floor_cost(origin: str, folder: Path) -> float:
    """Return CPU seconds of the bare libraries for the whole site."""
    program = Path(__file__).parent / "clients" / "floor.py"
    return measure_usage([sys.executable, str(program), f"{origin}/{page(0)}", "10", str(folder / "floor.txt")]).cpu


def cost(origin: str, count: int, folder: Path) -> float:
    """Return CPU seconds of a crawl that stops after a number of pages."""
    store = folder / "growth.db"
    for file in folder.glob("growth.db*"):
        file.unlink()
    command = [HEADWATER, "crawl", f"{origin}/{page(0)}", "--quiet", "--db", str(store)]
    return measure_usage([*command, "--max-pages", str(count), "--format", "text", "-o", str(folder / "out.txt")]).cpu


if __name__ == "__main__":
    main()
