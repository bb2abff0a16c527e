"""Which list a URL stands in: the pages, or one of the lists of URLs that are no pages. The only definition of both."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from headwater.model import LIST_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headwater.model import Page
    from headwater.settings import Settings

STATES = ("waiting", "fetched", "failed", "deferred", "skipped", "discovered", "redirected", "duplicate", "held")
"""As numbers in the tables. `waiting` and `discovered` are both shown as discovered; only the first will be visited.

Pages beyond `max_urls_per_source` are `held` until the limit is raised.
"""

LISTED_STATE_NAMES = frozenset({"waiting", "fetched", "deferred", "discovered"})
"""A page answered with HTML, or was found and not requested yet."""

NOT_CRAWLED_REASONS = frozenset({"query-string", "skipped-path", "robots-disallowed"})
"""Reasons not to visit a page that leave it in the list if a sitemap names it; it stays unverified."""

NOT_HTML = "not-html"
_LIST_BY_STATE = {
    "failed": "broken",
    "skipped": "skipped",
    "redirected": "redirects",
    "duplicate": "duplicates",
    "held": "skipped",
}
_PUBLIC_STATES = {"waiting": "discovered", "redirected": "fetched", "duplicate": "fetched", "held": "skipped"}

LISTED_STATES_SQL = f"({', '.join(str(number) for number, name in enumerate(STATES) if name in LISTED_STATE_NAMES)})"
"""Stands for $LISTED in the queries."""


def get_list_name(state: int, reason: str) -> str:
    """Return the name of the list that a URL stands in."""
    if reason == NOT_HTML:
        return "files"
    return _LIST_BY_STATE.get(STATES[state], "pages")


def count_by_list(rows: Iterable[tuple[int, str, int]]) -> dict[str, int]:
    """Return how many URLs stand in each list, from how many have which state and reason; empty lists are left out."""
    counts = Counter[str]()
    for state, reason, count in rows:
        counts[get_list_name(state, reason)] += count
    return {name: counts[name] for name in LIST_NAMES if counts[name]}


def is_listed(state: int) -> bool:
    """Return whether a URL of kind `page` stands in the list of pages."""
    return STATES[state] in LISTED_STATE_NAMES


def is_selected(page: Page, settings: Settings) -> bool:
    """Return whether a URL is of a kind and in a list that `--kinds` and `--list` ask for."""
    if settings.list not in {"all", page.list_name} and not (settings.list == "skipped" and page.state == "skipped"):
        return False
    return "all" in settings.kinds or page.kind in settings.kinds


def get_public_state(state: int) -> str:
    """Return a state as people see it; redirects and duplicates were fetched."""
    return _PUBLIC_STATES.get(STATES[state], STATES[state])


def get_state_numbers(list_name: str) -> tuple[int, ...]:
    """Return the numbers of the states in a list; files share theirs with other skipped URLs."""
    wanted = "skipped" if list_name == "files" else list_name
    return tuple(number for number in range(len(STATES)) if get_list_name(number, "") == wanted)
