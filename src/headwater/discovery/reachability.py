"""Whether a site can be reached at all: asked before the stages, each of which would wait for it in vain."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.errors import UnreachableError
from headwater.model import FetchFailure
from headwater.urls.parsing import get_origin

if TYPE_CHECKING:
    from headwater.discovery.stage import ScanContext

_REASONS = {
    "refused": "connection refused",
    "dns": "there is no such host",
    "tls": "no secure connection",
    "timeout-connect": "no answer",
}


async def check_reachable(context: ScanContext) -> None:
    """Raise UnreachableError if no connection to any of the seeds' hosts can be made.

    Asks for robots.txt, which every other request waits for anyway. If the scan ends meanwhile, nothing is known.
    """
    await context.run_until_deadline(_check_origins(context))


async def _check_origins(context: ScanContext) -> None:
    origins = dict.fromkeys(map(get_origin, context.seed_urls))
    tasks = [asyncio.create_task(_check_origin(origin, context)) for origin in origins]
    try:
        for first in asyncio.as_completed(tasks):
            if not await first:
                return  # one is enough; nobody waits for hosts that hang
        raise UnreachableError("; ".join(task.result() for task in tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _check_origin(origin: str, context: ScanContext) -> str:
    answer = await context.stack.get_robots(f"{origin}/")
    return _describe_problem(origin, answer.result) if isinstance(answer.result, FetchFailure) else ""


def _describe_problem(origin: str, outcome: FetchFailure) -> str:
    """`Could not connect to example.com: connection refused`; empty if there was a connection."""
    if outcome.status is not None or outcome.reason not in _REASONS:
        return ""
    detail = f" ({outcome.detail})" if outcome.reason == "tls" and outcome.detail else ""
    return f"Could not connect to {origin.partition('://')[2]}: {_REASONS[outcome.reason]}{detail}"
