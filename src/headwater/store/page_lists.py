"""The lists that URLs are sorted into. Only this module decides which list a URL belongs to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from headwater.model import LIST_NAMES
from headwater.urls.skip_reasons import UNVISITED_VIEW

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headwater.model import Page
    from headwater.settings import Settings

STATES = ("waiting", "fetched", "failed", "deferred", "skipped", "discovered", "redirected", "duplicate", "held")
"""States, stored as their positions here. Users see both `waiting` and `discovered` as discovered; only `waiting` URLs
will be visited. Pages beyond `max_urls_per_source` are `held` until the limit is raised.
"""

LISTED_STATE_NAMES = frozenset({"waiting", "fetched", "deferred", "discovered"})
"""States of listed pages: they answered with HTML, or were found and not requested yet."""

NOT_CRAWLED_REASONS = frozenset({"query-string", "skipped-path", "robots-disallowed"})
"""Reasons not to visit a page that keep it listed, unverified, if a sitemap names it."""

NOT_HTML = "not-html"
_LIST_BY_REASON = {NOT_HTML: "files", UNVISITED_VIEW: "duplicates"}
_LIST_BY_STATE = {
    "failed": "broken",
    "skipped": "skipped",
    "redirected": "redirects",
    "duplicate": "duplicates",
    "held": "skipped",
}
_PUBLIC_STATES = {"waiting": "discovered", "redirected": "fetched", "duplicate": "fetched", "held": "skipped"}


def _format_states(names: Iterable[str]) -> str:
    return f"({', '.join(str(number) for number, name in enumerate(STATES) if name in names)})"


LISTED_STATES_SQL = _format_states(LISTED_STATE_NAMES)
FETCHED_STATES_SQL = _format_states(
    {"fetched", *(name for name, public in _PUBLIC_STATES.items() if public == "fetched")}
)
LIST_NAME_SQL = (
    "CASE "
    + " ".join(f"WHEN page.reason = '{reason}' THEN '{name}'" for reason, name in _LIST_BY_REASON.items())
    + " "
    + " ".join(f"WHEN page.state = {STATES.index(state)} THEN '{name}'" for state, name in _LIST_BY_STATE.items())
    + " ELSE 'pages' END"
)
"""`get_list_name` as an SQL expression."""


def get_list_name(state: int, reason: str) -> str:
    """Return the name of the list that a URL is in."""
    return _LIST_BY_REASON.get(reason) or _LIST_BY_STATE.get(STATES[state], "pages")


def count_by_list(rows: Iterable[tuple[int, str, int]]) -> dict[str, int]:
    """Return the number of URLs in each list that is not empty, from rows of state, reason and count."""
    counts = Counter[str]()
    for state, reason, count in rows:
        counts[get_list_name(state, reason)] += count
    return {name: counts[name] for name in LIST_NAMES if counts[name]}


def is_listed(state: int) -> bool:
    """Return True if a URL of kind `page` in this state is listed."""
    return STATES[state] in LISTED_STATE_NAMES


def is_selected(page: Page, settings: Settings) -> bool:
    """Return True if `--kinds` and `--list` select a URL."""
    if settings.list not in {"all", page.list_name} and not (settings.list == "skipped" and page.state == "skipped"):
        return False
    return "all" in settings.kinds or page.kind in settings.kinds


def get_public_state(state: int) -> str:
    """Return a state as users see it; redirects and duplicates are fetched."""
    return _PUBLIC_STATES.get(STATES[state], STATES[state])


def get_state_numbers(list_name: str) -> tuple[int, ...]:
    """Return the numbers of the states in a list; files have the same state as other skipped URLs."""
    wanted = "skipped" if list_name == "files" else list_name
    return tuple(number for number in range(len(STATES)) if get_list_name(number, "") == wanted)
