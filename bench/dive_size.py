"""Search a large store, and print the medians of wall time and CPU time, and the peak memory."""

from __future__ import annotations

import asyncio
import resource
import statistics
import sys
import time

from headwater.dive.retrieval.minilm import MiniLmEmbedder
from headwater.dive.retrieval.searcher import Searcher
from headwater.settings import Settings
from headwater.store import SqliteStore

QUERIES = (
    "how do i open a file for writing", "what is a generator", "convert a string to a number", "sort a list of tuples",
    "why are default values shared between objects", "read one line from a socket", "parse command line arguments",
    "difference between a thread and a process", "how do i copy an object", "format a date with a time zone",
)  # fmt: skip


async def main() -> None:
    """Run every query once to warm up, then three times."""
    searcher = Searcher(SqliteStore(sys.argv[1]).dives, Settings(db=sys.argv[1]), MiniLmEmbedder())
    times, cpu = [], []
    for turn in range(4):
        for query in QUERIES:
            started, cpu_started = time.perf_counter(), time.process_time()
            results = await searcher.search(query)
            assert len(results.hits) == 10
            assert not results.note
            times += [time.perf_counter() - started] if turn else []
            cpu += [time.process_time() - cpu_started] if turn else []
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{statistics.median(times) * 1000:.1f} {statistics.median(cpu) * 1000:.1f} {rss:.0f}")


if __name__ == "__main__":
    asyncio.run(main())
