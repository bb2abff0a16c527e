"""Records of the API about a fleet."""

from collections.abc import Mapping
from typing import get_type_hints

from headwater.store.postgres.fleet import FailingSite, SubmitResult, WorkerStatus
from headwater.store.postgres.fleet_view import RecentScan, SiteRow
from headwater.web.records import Record, restore_record


class QueueCounts(Record):
    """Number of jobs by state."""

    waiting: int
    doing: int
    failed: int


class WorkerView(Record):
    """A worker process and the sites it works on."""

    __annotations__ = get_type_hints(WorkerStatus) | {"working": tuple[str, ...]}

    @staticmethod
    def make(worker: WorkerStatus, seeds: tuple[str, ...]) -> "WorkerView":
        """Return the last report of a worker with the seeds of its sites."""
        return restore_record(worker._asdict(), WorkerView, working=seeds)


class FailingSiteView(Record):
    """A site that is stuck or failed last time."""

    __annotations__ = get_type_hints(FailingSite)


class FleetSummary(Record):
    """Sites by state, job queue, workers, and sites that are stuck or failed."""

    sites: Mapping[str, int]
    due: int
    queue: QueueCounts
    pages_per_second: float
    workers: tuple[WorkerView, ...]
    failing_sites: tuple[FailingSiteView, ...]


class RecentScanView(Record):
    """A recent scan of a site."""

    __annotations__ = get_type_hints(RecentScan)


class SiteView(Record):
    """A site with its schedule, counts and recent scans."""

    __annotations__ = get_type_hints(SiteRow) | {"recent": tuple[RecentScanView, ...]}

    @staticmethod
    def make(row: SiteRow) -> "SiteView":
        """Return a site of the store."""
        recent = tuple(RecentScanView(*scan) for scan in row.recent)
        return restore_record(row._asdict(), SiteView, recent=recent)


class SubmittedSites(Record):
    """Number of submitted sites that are new, that wait again, and that were waiting or running already."""

    __annotations__ = get_type_hints(SubmitResult)


class SiteList(Record):
    """Sites of a fleet, newest first."""

    sites: tuple[SiteView, ...]
    cursor: str | None
