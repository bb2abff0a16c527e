"""Record the progress of a dive among the events of its scan, so that other processes can follow it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from headwater.dive.pipeline import run_dive

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.dive.pipeline import Progress
    from headwater.settings import Settings
    from headwater.store import Dive, Store

STAGES = ("reading", "chunking", "embedding")
EVENT_INTERVAL = 0.5
LONG_DIVE_EVENT_INTERVAL = 2.0
"""Seconds between events after the first LONG_DIVE_SECONDS."""

LONG_DIVE_SECONDS = 300.0
HEARTBEAT_INTERVAL = 5.0
"""Seconds after which an event is written without a change, so that a dive whose process died is recognised."""


def format_event_kind(dive: int) -> str:
    """Return the kind of a dive's events; each event contains all stages, so the last one is enough."""
    return f"dive-{dive}"


async def run_dive_with_events(
    store: Store, dive: Dive, settings: Settings, on_progress: Callable[[Progress], None] | None = None
) -> Dive:
    """Run a dive to its end as `run_dive` does, and record its progress."""
    recorder = ProgressRecorder(store, dive)

    def record(progress: Progress) -> None:
        recorder.record_progress(progress)
        if on_progress:
            on_progress(progress)

    heartbeat = asyncio.create_task(recorder.keep_alive())
    try:
        ended = await run_dive(store, dive, settings, record)
    except BaseException as error:
        recorder.end("interrupted", str(error) if isinstance(error, Exception) else "")
        raise
    finally:
        heartbeat.cancel()
    recorder.end("done")
    return ended


@dataclass(slots=True)
class StageProgress:
    """The progress of one stage; `state` is waiting, running, done, interrupted or skipped."""

    name: str
    state: str = "waiting"
    done: int = 0
    total: int = 0
    seconds: float = 0.0


class ProgressRecorder:
    """Writes events with the progress of all stages, at limited rate."""

    def __init__(self, store: Store, dive: Dive) -> None:
        self._store, self._dive = store, dive
        self._started_at = self._stage_started_at = self._written_at = time.monotonic()
        self._stages = {name: StageProgress(name) for name in STAGES}
        self._stage = self._stages[STAGES[0]]
        self._stage.state, self._stage.done, self._stage.total = "running", dive.pages - dive.pending, dive.pages
        self._write_event()

    def record_progress(self, progress: Progress) -> None:
        """Update the stage, and write an event if one is due."""
        is_new = progress.stage != self._stage.name
        if is_new:
            self._end_stage("done")
            self._stage, self._stage_started_at = self._stages[progress.stage], time.monotonic()
        self._stage.state, self._stage.done, self._stage.total = "running", progress.done, progress.total
        now = time.monotonic()
        is_long = now - self._started_at > LONG_DIVE_SECONDS
        if is_new or now - self._written_at >= (LONG_DIVE_EVENT_INTERVAL if is_long else EVENT_INTERVAL):
            self._write_event()

    async def keep_alive(self) -> None:
        """Write an event at regular intervals, even if there is no progress."""
        while True:
            await asyncio.sleep(HEARTBEAT_INTERVAL)
            if time.monotonic() - self._written_at >= HEARTBEAT_INTERVAL:
                self._write_event()

    def end(self, state: str, failure: str = "") -> None:
        """Write the last event; stages that a finished dive did not need are skipped."""
        self._end_stage("done" if state == "done" else "interrupted")
        for stage in self._stages.values():
            if stage.state == "waiting" and state == "done":
                stage.state = "skipped"
        self._write_event(failure[:500])

    def _end_stage(self, state: str) -> None:
        self._stage.state, self._stage.seconds = state, self._measure_seconds()
        if state == "done":
            self._stage.done = self._stage.total

    def _write_event(self, failure: str = "") -> None:
        self._written_at = time.monotonic()
        if self._stage.state == "running":
            self._stage.seconds = self._measure_seconds()
        event = {"stages": [asdict(stage) for stage in self._stages.values()], "failure": failure}
        self._store.add_event(self._dive.scan, format_event_kind(self._dive.number), event)

    def _measure_seconds(self) -> float:
        return round(time.monotonic() - self._stage_started_at, 2)
