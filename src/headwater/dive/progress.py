"""A dive told as it goes: how far each stage has come, among the events of its scan, for those who watch elsewhere."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from headwater.dive.dive import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.dive.dive import Progress
    from headwater.settings import Settings
    from headwater.store import Dive, Store

STAGES = ("reading", "cutting", "embedding")
INTERVAL = 0.5
LONG_INTERVAL = 2.0
"""Seconds between two events: in the first minutes, and in a dive that takes long."""

LONG = 300.0
SIGN_OF_LIFE = 5.0
"""Seconds after which an event is written though nothing changed, so that a dive that died can be told."""


def kind_of(dive: int) -> str:
    """What the events of a dive are called; each holds the whole picture, so the last one is enough."""
    return f"dive-{dive}"


async def run_told(
    store: Store, dive: Dive, settings: Settings, on_progress: Callable[[Progress], None] | None = None
) -> Dive:
    """Carry a dive to its end as `run` does, and write down how far it is."""
    telling = Telling(store, dive)

    def hear(progress: Progress) -> None:
        telling.hear(progress)
        if on_progress:
            on_progress(progress)

    alive = asyncio.create_task(telling.keep_alive())
    try:
        ended = await run(store, dive, settings, hear)
    except BaseException as error:
        telling.end("interrupted", str(error) if isinstance(error, Exception) else "")
        raise
    finally:
        alive.cancel()
    telling.end("done")
    return ended


class Telling:
    """Keeps the stages' numbers and times, and writes them down now and then."""

    def __init__(self, store: Store, dive: Dive) -> None:
        self._store, self._dive = store, dive
        self._began = self._told_at = time.monotonic()
        self._phase = STAGES[0]
        self._stages: dict[str, dict[str, Any]] = {
            name: {"name": name, "state": "waiting", "done": 0, "total": 0, "seconds": 0.0} for name in STAGES
        }
        self._stages["reading"] |= {"state": "running", "done": dive.pages - dive.pending, "total": dive.pages}
        self._entered = self._began
        self._tell()

    def hear(self, progress: Progress) -> None:
        """Take in how far it is; write it down if that is due."""
        is_new = progress.phase != self._phase
        if is_new:
            self._leave("done")
            self._phase, self._entered = progress.phase, time.monotonic()
        self._stages[progress.phase] |= {"state": "running", "done": progress.done, "total": progress.total}
        now = time.monotonic()
        if is_new or now - self._told_at >= (LONG_INTERVAL if now - self._began > LONG else INTERVAL):
            self._tell()

    async def keep_alive(self) -> None:
        """Say that it goes on, also while nothing is finished."""
        while True:
            await asyncio.sleep(SIGN_OF_LIFE)
            if time.monotonic() - self._told_at >= SIGN_OF_LIFE:
                self._tell()

    def end(self, state: str, failure: str = "") -> None:
        """Write down how it ended; what never began was not needed, or not reached."""
        self._leave("done" if state == "done" else "interrupted")
        for stage in self._stages.values():
            if stage["state"] == "waiting" and state == "done":
                stage["state"] = "skipped"
        self._tell(failure[:500])

    def _leave(self, state: str) -> None:
        stage = self._stages[self._phase]
        stage |= {"state": state, "seconds": self._seconds()}
        if state == "done":
            stage["done"] = stage["total"]

    def _tell(self, failure: str = "") -> None:
        self._told_at = time.monotonic()
        running = self._stages[self._phase]
        if running["state"] == "running":
            running["seconds"] = self._seconds()
        told = {"stages": list(self._stages.values()), "failure": failure}
        self._store.add_event(self._dive.scan, kind_of(self._dive.number), told)

    def _seconds(self) -> float:
        return round(time.monotonic() - self._entered, 2)
