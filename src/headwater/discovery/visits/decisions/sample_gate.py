"""Let visits wait for the results of samples, so that decisions do not depend on the order of responses."""

from __future__ import annotations

import asyncio
from typing import Protocol


class Sample(Protocol):
    """A decision that depends on samples, which have started already."""

    @property
    def is_decided(self) -> bool:
        """Return True if all samples have a result."""


class SampleGate:
    """The visits that wait for decisions."""

    def __init__(self) -> None:
        self._waiting: dict[Sample, list[asyncio.Future[None]]] = {}

    async def wait(self, sample: Sample) -> None:
        """Wait until a decision can be taken."""
        if not sample.is_decided:
            waiting = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(sample, []).append(waiting)
            await waiting

    def open(self, sample: Sample) -> None:
        """Let the visits continue that wait for a decision, if it can be taken now."""
        for waiting in self._waiting.pop(sample, []) if sample.is_decided else ():
            if not waiting.done():
                waiting.set_result(None)
