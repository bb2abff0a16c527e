"""Whether a site can be reached at all: asked before the stages, each of which would wait for it in vain."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.errors import UnreachableError
from headwater.fetch.credentials import origin_of
from headwater.model import Outcome

if TYPE_CHECKING:
    from headwater.discovery.stage import Context

_REASONS = {
    "refused": "connection refused",
    "dns": "there is no such host",
    "tls": "no secure connection",
    "timeout-connect": "no answer",
}


async def check_reachable(context: Context) -> None:
    """Raise UnreachableError if no connection to any of the seeds' hosts can be made.

    Asks for robots.txt, which every other request waits for anyway. If the scan ends meanwhile, nothing is known.
    """
    await context.in_time(_ask(context))


async def _ask(context: Context) -> None:
    origins = dict.fromkeys(map(origin_of, context.roots))
    tasks = [asyncio.create_task(_problem_of(origin, context)) for origin in origins]
    try:
        for first in asyncio.as_completed(tasks):
            if not await first:
                return  # one is enough; nobody waits for hosts that hang
        raise UnreachableError("; ".join(task.result() for task in tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _problem_of(origin: str, context: Context) -> str:
    answer = await context.stack.robots(f"{origin}/")
    return _problem(origin, answer.result) if isinstance(answer.result, Outcome) else ""


def _problem(origin: str, outcome: Outcome) -> str:
    """`Could not connect to example.com: connection refused`; empty if there was a connection."""
    if outcome.status is not None or outcome.reason not in _REASONS:
        return ""
    detail = f" ({outcome.detail})" if outcome.reason == "tls" and outcome.detail else ""
    return f"Could not connect to {origin.partition('://')[2]}: {_REASONS[outcome.reason]}{detail}"
