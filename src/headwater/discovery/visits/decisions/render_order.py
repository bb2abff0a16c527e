"""Decide which pages a browser opens, in the order in which their visits started."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.urls.shapes import shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.frontier.render_policy import RenderPolicy
    from headwater.model import Candidate


class RenderOrder:
    """Active visits that decisions on rendering depend on; without a policy, no visit waits."""

    def __init__(self, rendering: RenderPolicy | None) -> None:
        self._rendering = rendering
        self._waiting: list[asyncio.Future[None]] = []

    def enter(self, candidate: Candidate) -> None:
        """Note the start of a visit."""
        if self._rendering is not None:
            self._rendering.enter(candidate.identity, shape(candidate.key))

    def leave(self, candidate: Candidate) -> None:
        """Note the end of a visit; waiting visits check again whether it is their turn."""
        if self._rendering is not None:
            self._rendering.leave(candidate.identity)
        while self._waiting:
            waiting = self._waiting.pop()
            if not waiting.done():
                waiting.set_result(None)

    async def wait(self, is_turn: Callable[[RenderPolicy], bool]) -> None:
        """Wait until `is_turn` returns True, because the earlier visits are decided."""
        while self._rendering is not None and not is_turn(self._rendering):
            waiting = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            await waiting
