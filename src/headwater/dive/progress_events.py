"""A dive told as it goes: how far each stage has come, among the events of its scan, for those who watch elsewhere."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from headwater.dive.pipeline import run_dive

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.dive.pipeline import Progress
    from headwater.settings import Settings
    from headwater.store import Dive, Store

STAGES = ("reading", "cutting", "embedding")
EVENT_INTERVAL = 0.5
LONG_DIVE_EVENT_INTERVAL = 2.0
"""Seconds between two events: in the first minutes, and in a dive that takes long."""

LONG_DIVE_SECONDS = 300.0
HEARTBEAT_INTERVAL = 5.0
"""Seconds after which an event is written though nothing changed, so that a dive that died can be told."""


def format_event_kind(dive: int) -> str:
    """What the events of a dive are called; each holds the whole picture, so the last one is enough."""
    return f"dive-{dive}"


async def run_dive_with_events(
    store: Store, dive: Dive, settings: Settings, on_progress: Callable[[Progress], None] | None = None
) -> Dive:
    """Carry a dive to its end as `run` does, and write down how far it is."""
    telling = ProgressRecorder(store, dive)

    def hear(progress: Progress) -> None:
        telling.record_progress(progress)
        if on_progress:
            on_progress(progress)

    alive = asyncio.create_task(telling.keep_alive())
    try:
        ended = await run_dive(store, dive, settings, hear)
    except BaseException as error:
        telling.end("interrupted", str(error) if isinstance(error, Exception) else "")
        raise
    finally:
        alive.cancel()
    telling.end("done")
    return ended


class ProgressRecorder:
    """Keeps the stages' numbers and times, and writes them down now and then."""

    def __init__(self, store: Store, dive: Dive) -> None:
        self._store, self._dive = store, dive
        self._began = self._written_at = time.monotonic()
        self._stage = STAGES[0]
        self._stages: dict[str, dict[str, Any]] = {
            name: {"name": name, "state": "waiting", "done": 0, "total": 0, "seconds": 0.0} for name in STAGES
        }
        self._stages["reading"] |= {"state": "running", "done": dive.pages - dive.waiting, "total": dive.pages}
        self._stage_started_at = self._began
        self._write_event()

    def record_progress(self, progress: Progress) -> None:
        """Take in how far it is; write it down if that is due."""
        is_new = progress.stage != self._stage
        if is_new:
            self._leave("done")
            self._stage, self._stage_started_at = progress.stage, time.monotonic()
        self._stages[progress.stage] |= {"state": "running", "done": progress.done, "total": progress.total}
        now = time.monotonic()
        if is_new or now - self._written_at >= (LONG_DIVE_EVENT_INTERVAL if now - self._began > LONG_DIVE_SECONDS else EVENT_INTERVAL):
            self._write_event()

    async def keep_alive(self) -> None:
        """Say that it goes on, also while nothing is finished."""
        while True:
            await asyncio.sleep(HEARTBEAT_INTERVAL)
            if time.monotonic() - self._written_at >= HEARTBEAT_INTERVAL:
                self._write_event()

    def end(self, state: str, failure: str = "") -> None:
        """Write down how it ended; what never began was not needed, or not reached."""
        self._leave("done" if state == "done" else "interrupted")
        for stage in self._stages.values():
            if stage["state"] == "waiting" and state == "done":
                stage["state"] = "skipped"
        self._write_event(failure[:500])

    def _leave(self, state: str) -> None:
        stage = self._stages[self._stage]
        stage |= {"state": state, "seconds": self._seconds()}
        if state == "done":
            stage["done"] = stage["total"]

    def _write_event(self, failure: str = "") -> None:
        self._written_at = time.monotonic()
        running = self._stages[self._stage]
        if running["state"] == "running":
            running["seconds"] = self._seconds()
        told = {"stages": list(self._stages.values()), "failure": failure}
        self._store.add_event(self._dive.scan, format_event_kind(self._dive.number), told)

    def _seconds(self) -> float:
        return round(time.monotonic() - self._stage_started_at, 2)
