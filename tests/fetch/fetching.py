"""Shortcuts for fetching in tests."""

from __future__ import annotations

import asyncio
import selectors
from typing import Any

from headwater import Settings
from headwater.fetch import FetchStack, HttpFetcher
from headwater.model import FetchFailure, Request, Response
from tests.commands import PATIENCE

PATIENT = {"timeout": PATIENCE, "idle_timeout": int(PATIENCE)}


class CountingSelector(selectors.DefaultSelector):
    """A selector that counts its calls, so that a test can tell an idle event loop from one that spins."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for events."""
        self.calls += 1
        return super().select(timeout)

    def new_loop(self) -> asyncio.AbstractEventLoop:
        """Return an event loop that waits with this selector."""
        return asyncio.SelectorEventLoop(self)


def exchange(
    *requests: Request | str, seeds: list[str] | None = None, **settings: Any
) -> list[Response | FetchFailure]:
    """Send the requests one after another with one HttpFetcher."""
    return asyncio.run(_run(HttpFetcher, requests, seeds, settings))


def fetch(*requests: Request | str, seeds: list[str] | None = None, **settings: Any) -> list[Response | FetchFailure]:
    """Send the requests one after another through the whole stack."""
    return asyncio.run(_run(FetchStack, requests, seeds, settings))


async def _run(kind: Any, requests: tuple[Request | str, ...], seeds: list[str] | None, settings: Any) -> Any:
    wanted = [Request(request) if isinstance(request, str) else request for request in requests]
    named = [wanted[0].url] if seeds is None else seeds
    async with kind(Settings(**(PATIENT | settings)), seeds=named) as fetcher:
        return [await fetcher.fetch(request) for request in wanted]


def reason(result: Response | FetchFailure) -> str:
    """Return the reason of a failure; empty for a response."""
    return result.reason if isinstance(result, FetchFailure) else ""


def body(result: Response | FetchFailure) -> str:
    """Return the text of a response."""
    assert isinstance(result, Response), result
    return result.body.decode()
