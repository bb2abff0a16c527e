"""Settings of processes that scan many sites: lists of sites and workers of a fleet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from headwater.settings.setting import setting
from headwater.settings.value_kinds import Choice, Text, integer, seconds

_many, _worker = (partial(setting, section) for section in ("many", "worker"))


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class WorkerSettings:
    """The settings that decide how many sites are scanned at once, and by which processes."""

    sites: int = _many(
        integer(1, 1000), 10, "Scan this many sites at once; they share --max-parallel, with at least one request each"
    )

    processes: int | None = _worker(
        integer(1, 256, optional=True),
        None,
        "Number of processes; none means one for a worker, and for a list of sites as many as cores and sites allow",
    )
    concurrency: int = _worker(integer(1, 1000), 10, "Number of sites each process scans at once")
    slice_time: float = _worker(seconds(1.0, 3600.0), 60.0, "Scan a site for this long before switching to another")
    stall_limit: float = _worker(
        seconds(2.0, 600.0), 15.0, "Give a worker's sites to other workers after no heartbeat for this long"
    )
    grace: float = _worker(seconds(0.0, 600.0), 20.0, "Wait this long for running scans when a worker is stopped")
    ready_sites: int = _worker(integer(1, 1_000_000), 10_000, "Keep at most this many sites in the queue")
    metrics: str | None = _worker(
        Text(optional=True), None, "Serve /metrics and /health at this address", metavar="HOST:PORT"
    )
    log: Literal["text", "json"] = _worker(Choice(("text", "json")), "text", "Format of the worker's log on stderr")
