"""Decide which hints are requested: URLs that a source suggests, and that are listed only if they prove to be pages.

Sources of hints share a small budget until one of them gains a page, so that a plain site costs few requests. A source
that gains may miss more often. Decisions are taken in the order of the hints and do not depend on timing.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING

from headwater.urls.shapes import shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from headwater.model import Hint

MAX_MISSES = 6
"""Requests that may gain nothing: of all sources without a gain together, and of a source beyond its gains."""

MAX_SHAPE_MISSES = 2
"""Hints of one URL shape that may miss before the others of the shape are dropped, unless one of them gained."""

MAX_SCRIPT_FILES = 2
"""Script files that are read before strings in scripts gain a page; afterwards as many as pages gained."""

ARCHIVES = ("wayback", "commoncrawl")
MAX_ARCHIVE_MISSES = 100
MAX_ARCHIVE_SHAPE_MISSES = 10
"""Limits for web archives: most of what they have of an old site is gone, and a user has asked for the rest."""

SEPARATE_SOURCES = frozenset({"forms", *ARCHIVES})
"""Sources with a budget of their own; a plain site has none of them."""

HINT_SOURCES: Mapping[str, str] = {
    "forms": "form", "robots": "robots", "parents": "parent", "indexes": "index", "scripts": "script",
    **{name: name for name in ARCHIVES},
}  # fmt: skip
"""Names in the setting `sources`, in the order in which hints are taken in turn, with the sources of their pages."""


_ERROR_PAGES = frozenset({"404", "403", "500", "_error", "_not-found", "not-found", "error-404"})
"""Names of the pages that a site shows for errors; routers and manifests name them, but they are not content."""


def is_error_page(url: str) -> bool:
    """Return True if a URL has the name of an error page."""
    name = url.partition("?")[0].rstrip("/").rpartition("/")[2]
    return name.lower().removesuffix(".html").removesuffix(".htm") in _ERROR_PAGES


class HintBudget:
    """Gains and misses by source and by shape."""

    def __init__(self) -> None:
        self._gains: Counter[str] = Counter()
        self._misses: Counter[str] = Counter()
        self._shape_gains: Counter[str] = Counter()
        self._shape_misses: Counter[str] = Counter()
        self._scripts = 0

    def record(self, hint: Hint, *, is_gain: bool) -> None:
        """Count the result of a hint; a script file counts as a miss."""
        self._scripts += hint.is_script
        (self._gains if is_gain else self._misses)[hint.source] += 1
        (self._shape_gains if is_gain else self._shape_misses)[shape(hint.url)] += 1

    def is_spent(self, source: str, pending: Sequence[Hint] = ()) -> bool:
        """Return True if no hint of a source may be requested, even if all pending hints miss."""
        misses = self._misses + Counter(hint.source for hint in pending)
        if self._gains[source] or source in SEPARATE_SOURCES:
            limit = MAX_ARCHIVE_MISSES if source in ARCHIVES else MAX_MISSES
            return misses[source] >= limit + self._gains[source]
        sharing = (one for one in misses if not self._gains[one] and one not in SEPARATE_SOURCES)
        return sum(misses[one] for one in sharing) >= MAX_MISSES

    def is_barren(self, hint: Hint, pending: Sequence[Hint] = ()) -> bool:
        """Return True if hints of this shape have only missed, or enough script files are read or pending."""
        if hint.is_script:
            scripts = self._scripts + sum(one.is_script for one in pending)
            return scripts >= MAX_SCRIPT_FILES + self._gains[hint.source]
        name = shape(hint.url)
        limit = MAX_ARCHIVE_SHAPE_MISSES if hint.source in ARCHIVES else MAX_SHAPE_MISSES
        return not self._shape_gains[name] and self._shape_misses[name] >= limit


class HintSelection:
    """Hints that are not requested yet, by source."""

    def __init__(self, hints: Iterable[Hint], budget: HintBudget) -> None:
        self._budget = budget
        self._queues: dict[str, deque[Hint]] = {source: deque() for source in HINT_SOURCES}
        self._turns = deque(HINT_SOURCES)
        for hint in hints:
            self._queues[hint.source].append(hint)

    def take(self, limit: int) -> list[Hint]:
        """Return the hints to request next, one of each source in turn; empty if none may be requested."""
        batch: list[Hint] = []
        passed = 0
        while len(batch) < limit and passed < len(self._turns):
            source = self._turns[0]
            self._turns.rotate(-1)
            hint = None if self._budget.is_spent(source, batch) else self._next(self._queues[source], batch)
            if hint is not None:
                batch.append(hint)
            passed = 0 if hint is not None else passed + 1
        return batch

    def _next(self, queue: deque[Hint], pending: Sequence[Hint]) -> Hint | None:
        while queue:
            hint = queue.popleft()
            if not self._budget.is_barren(hint, pending):
                return hint
        return None
