"""Check that a site can be reached before the stages start, each of which would otherwise wait for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.errors import UnreachableError
from headwater.event_loop import cancel_tasks
from headwater.model import FetchFailure
from headwater.urls.parsing import get_origin

if TYPE_CHECKING:
    from headwater.discovery.context import ScanContext

_REASONS = {
    "refused": "connection refused",
    "dns": "there is no such host",
    "tls": "no secure connection",
    "timeout-connect": "no answer",
}


async def check_reachable(context: ScanContext) -> None:
    """Raise UnreachableError if none of the seeds' hosts accepts a connection.

    Requests robots.txt, which every other request waits for anyway. Raises nothing if the scan ends first.
    """
    await context.deadline.limit(_check_origins(context))


async def _check_origins(context: ScanContext) -> None:
    origins = dict.fromkeys(map(get_origin, context.seed_urls))
    tasks = [asyncio.create_task(_check_origin(origin, context)) for origin in origins]
    try:
        for first in asyncio.as_completed(tasks):
            if not await first:
                return  # one reachable host is enough; hosts that hang are not waited for
        raise UnreachableError("; ".join(task.result() for task in tasks))
    finally:
        await cancel_tasks(tasks)


async def _check_origin(origin: str, context: ScanContext) -> str:
    answer = await context.stack.get_robots(f"{origin}/")
    return _describe_problem(origin, answer.result) if isinstance(answer.result, FetchFailure) else ""


def _describe_problem(origin: str, failure: FetchFailure) -> str:
    """Return `Could not connect to example.com: connection refused`, or an empty string if there was a connection."""
    if failure.status is not None or failure.reason not in _REASONS:
        return ""
    detail = f" ({failure.detail})" if failure.reason == "tls" and failure.detail else ""
    return f"Could not connect to {origin.partition('://')[2]}: {_REASONS[failure.reason]}{detail}"
