"""Request pages with a slash at the end of their path where the site would redirect to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.discovery.visits.decisions.sample_gate import SampleGate
from headwater.model import REDIRECT_STATUSES, FetchFailure
from headwater.urls.redirects import get_redirect_target

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from headwater.frontier.slash_habits import SlashHabit, SlashHabits
    from headwater.model import Response

    Fetch = Callable[[str], Awaitable[Response | FetchFailure]]

FIRST_ERROR_STATUS = 400


class SlashPrediction:
    """Predicts the URL at which pages answer; the first pages of each section are requested as they are linked."""

    def __init__(self, habits: SlashHabits) -> None:
        self._habits, self._gate = habits, SampleGate()

    async def fetch(self, url: str, fetch: Fetch) -> Response | FetchFailure:
        """Return the response of a page, with a slash added to its URL if the pages of its section redirect to that."""
        habit = self._habits.get_habit(url)
        if habit is None:
            return await fetch(url)
        if habit.take_sample():
            return await self._fetch_sample(habit, url, fetch)
        await self._gate.wait(habit)
        if habit.adds_slash:
            result = await fetch(f"{url}/")
            if not _is_missing(result) and not _leads_to(result, url):
                return result
        return await fetch(url)

    async def _fetch_sample(self, habit: SlashHabit, url: str, fetch: Fetch) -> Response | FetchFailure:
        adds_slash: bool | None = None
        try:
            result = await fetch(url)
            adds_slash = None if isinstance(result, FetchFailure) else _leads_to(result, f"{url}/")
            return result
        finally:
            habit.add_result(adds_slash=adds_slash)
            self._gate.open(habit)


def _leads_to(result: Response | FetchFailure, url: str) -> bool:
    if isinstance(result, FetchFailure) or result.status not in REDIRECT_STATUSES:
        return False
    return get_redirect_target(result) == url


def _is_missing(result: Response | FetchFailure) -> bool:
    is_error = result.status is not None and result.status >= FIRST_ERROR_STATUS
    return isinstance(result, FetchFailure) and (is_error or result.reason == "robots-disallowed")
