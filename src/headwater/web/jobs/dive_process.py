"""Process that runs one dive; it reads its job from standard input."""

from __future__ import annotations

import asyncio
import sys

from headwater.dive import find_dive, run_dive_with_events
from headwater.settings import build_settings
from headwater.store import open_store
from headwater.web.jobs.job_process import read_job


def main() -> int:
    """Run the dive until it ends or a signal stops it; the pages read so far are kept."""
    job = read_job()
    store = open_store(job.db)
    try:
        asyncio.run(run_dive_with_events(store, find_dive(store.dives, job.dive), build_settings(job.settings)))
    except KeyboardInterrupt:
        return 130
    finally:
        store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
