"""Records of the API about a fleet; a site is the `SiteRow` of the store."""

from collections.abc import Mapping

from headwater.store.postgres.fleet import WorkerStatus
from headwater.store.postgres.fleet_view import FailingSite, SiteRow
from headwater.web.records import Record, restore_record


class QueueCounts(Record):
    """Number of jobs by state."""

    waiting: int
    doing: int
    failed: int


class WorkerView(Record):
    """A worker process and the sites it works on."""

    name: str
    age: float
    silent: float
    pages: int
    slices: int
    sites: int
    rate: float
    working: tuple[str, ...]

    @staticmethod
    def make(worker: WorkerStatus, seeds: tuple[str, ...]) -> "WorkerView":
        """Return the last report of a worker with the seeds of its sites."""
        return restore_record(worker._asdict(), WorkerView, working=seeds)


class FleetSummary(Record):
    """Sites by state, job queue, workers, and sites that are stuck or failed."""

    sites: Mapping[str, int]
    due: int
    queue: QueueCounts
    pages_per_second: float
    workers: tuple[WorkerView, ...]
    trouble: tuple[FailingSite, ...]


class SiteList(Record):
    """Sites of a fleet, newest first."""

    sites: tuple[SiteRow, ...]
    cursor: str | None
