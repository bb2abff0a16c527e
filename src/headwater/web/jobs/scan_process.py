"""Process that runs one scan; it reads its job from standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from headwater.errors import ScanStoppedError
from headwater.event_loop import create_runner
from headwater.fetch.login.login import log_in
from headwater.runner.scan_runner import ScanRunner, ScanTask
from headwater.settings import build_settings
from headwater.store.factory import open_browse_store
from headwater.web.jobs.job_process import read_job

if TYPE_CHECKING:
    from headwater.store.browse_store import BrowseStore
    from headwater.web.jobs.job_process import JobInput


def main() -> int:
    """Run the scan until it ends or a signal stops it; the pages found so far are kept."""
    job = read_job()
    store = open_browse_store(job.db)
    try:
        return _run(store, job)
    finally:
        store.close()


def _run(store: BrowseStore, job: JobInput) -> int:
    scan = store.scan(job.scan)
    if scan is None or scan.state != "queued":
        return 0  # cancelled, or interrupted by the next server, while this process started
    store.add_event(job.scan, "started", {"is_resumed": job.is_resumed})  # without a recent event it would be stalled
    store.set_scan_state(job.scan, "running")
    if job.is_resumed:
        store.retry_deferred(job.scan)
    try:
        settings = build_settings(job.settings)
        with create_runner() as runner:
            runner.run(log_in(settings, scan.seeds))
            runner.run(ScanRunner(ScanTask(store, scan, settings)).run())
    except (KeyboardInterrupt, ScanStoppedError):
        return 130
    except Exception as error:
        store.add_event(job.scan, "failure", {"message": f"{type(error).__name__}: {error}"[:500]})
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
