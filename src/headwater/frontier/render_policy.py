"""Decide which pages to open in a browser, by their markup and by the gain of opening pages of the same shape.

A page that scripts obviously fill is opened until its shape proves barren. A page with links and text of its own is a
*probe*: a few pages of each shape are opened to see if their scripts add links, within a budget for the whole site.

The decisions are those of a crawler that visits one page after another in the given order. A page that may be opened
waits for the pages of its shape that started before it, and a probe for all earlier probes, unless their results no
longer matter. So the decisions do not depend on the number of requests in flight or the order of responses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

MIN_BARREN_PROBES = 3
MAX_BARREN_PROBES = 20
VISITS_PER_BARREN_PROBE = 100
"""Probes of a site that may gain nothing: three, one more for every hundred pages, and never more than twenty."""

INSPECTED_PAGES = 3
"""Pages of a shape that are inspected for signs of an application; the rest only if opening one of them gained."""

MAX_BARREN_RENDERS = 3
"""Pages of a shape that are opened without gain before no more pages of the shape are opened."""

MAX_SHAPES = 10_000


class ShapeVisit(NamedTuple):
    """A page that is being visited: its shape, and the numbers of pages that started before it.

    `number` counts pages of the same shape, `order` all pages.
    """

    shape: str
    number: int
    order: int


@dataclass(slots=True)
class _ShapeStatistics:
    visits: int = 0
    in_progress: set[int] = field(default_factory=set)
    opened: int = 0
    gained: int = 0
    barren: int = 0
    discounted: int = 0
    is_gaining: bool = False  # judged by the first pages
    round: int = -1
    counted: set[int] = field(default_factory=set)  # pages that counted as gained in this round


class RenderPolicy:
    """Results by shape; failed pages do not count.

    With `renders_all` every page is opened, regardless of the results.
    """

    def __init__(self, *, renders_all: bool = False) -> None:
        self.renders_all = renders_all
        self._shapes: dict[str, _ShapeStatistics] = {}
        self._visits: dict[int, ShapeVisit] = {}
        self._started = 0
        self._possible_probes: set[int] = set()
        self._probes: set[int] = set()
        self._barren_probes = 0

    def enter(self, identity: int, shape: str) -> None:
        """Start the visit of a page; visits must start in an order that does not depend on responses."""
        known = self._shapes.get(shape)
        if known is None:
            if len(self._shapes) >= MAX_SHAPES:
                return
            known = self._shapes[shape] = _ShapeStatistics()
        visit = self._visits[identity] = ShapeVisit(shape, known.visits, self._started)
        known.in_progress.add(visit.number)
        if visit.number < INSPECTED_PAGES:
            self._possible_probes.add(visit.order)
        known.visits += 1
        self._started += 1

    def leave(self, identity: int) -> None:
        """End the visit of a page, with any outcome."""
        visit = self._visits.pop(identity, None)
        if visit is not None:
            self._shapes[visit.shape].in_progress.discard(visit.number)
            self._possible_probes.discard(visit.order)
            self._probes.discard(identity)

    def can_decide_inspection(self, identity: int) -> bool:
        """Return True if `should_inspect` no longer depends on pages in progress."""
        visit = self._visits.get(identity)
        if visit is None or visit.number < INSPECTED_PAGES:
            return True
        return all(number >= INSPECTED_PAGES for number in self._shapes[visit.shape].in_progress)

    def should_inspect(self, identity: int) -> bool:
        """Return True if the page is inspected for signs of an application."""
        visit = self._visits.get(identity)
        return visit is not None and (visit.number < INSPECTED_PAGES or self._shapes[visit.shape].is_gaining)

    def can_decide_rendering(self, identity: int, *, looks_scripted: bool) -> bool:
        """Return True if `is_wanted` no longer depends on pages in progress."""
        visit = self._visits.get(identity)
        if visit is None or self.renders_all:
            return True
        known = self._shapes[visit.shape]
        if known.gained:
            return True
        if min(known.in_progress) != visit.number:
            return False
        can_be_probe = not looks_scripted and visit.order in self._possible_probes and not self._is_budget_spent(visit)
        return not can_be_probe or min(self._possible_probes) == visit.order

    def is_wanted(self, identity: int, *, looks_scripted: bool, max_probes: int) -> bool:
        """Return True if the page should be opened.

        `max_probes` is the number of pages that are opened of a shape which does not look built by scripts.
        """
        if self.renders_all:
            return True
        visit = self._visits.get(identity)
        if visit is None:
            return looks_scripted
        known = self._shapes[visit.shape]
        if looks_scripted:
            return bool(known.gained) or known.barren < MAX_BARREN_RENDERS
        if known.gained:
            return max_probes > 0
        is_probe = visit.number < INSPECTED_PAGES and known.opened < max_probes and not self._is_budget_spent(visit)
        if is_probe:
            self._probes.add(identity)
        return is_probe

    def _is_budget_spent(self, visit: ShapeVisit) -> bool:
        """Return True if too many probes gained nothing. Once spent, more pages are needed before another probe."""
        budget = min(MAX_BARREN_PROBES, MIN_BARREN_PROBES + visit.order // VISITS_PER_BARREN_PROBE)
        return self._barren_probes >= budget

    def begin(self, identity: int) -> None:
        """Record that the page is being opened."""
        visit = self._visits.get(identity)
        if visit is not None:
            self._shapes[visit.shape].opened += 1

    def discount_failed_render(self, identity: int) -> None:
        """Record that opening failed for a reason unrelated to the page; only a few such failures are not counted."""
        visit = self._visits.get(identity)
        known = None if visit is None else self._shapes[visit.shape]
        if known is not None and known.discounted < MAX_BARREN_RENDERS:
            known.discounted += 1
            known.opened -= 1

    def learn(self, identity: int, new_pages: AbstractSet[int], round_number: int) -> int:
        """Add the pages that were found by opening this one and that no page of a round before `round_number` had.

        Returns the number of them that no other page of the shape led to.
        """
        visit = self._visits.get(identity)
        if visit is None:
            return len(new_pages)
        known = self._shapes[visit.shape]
        if known.round != round_number:
            known.round = round_number
            known.counted.clear()
        added = len(new_pages - known.counted)
        known.counted |= new_pages
        known.gained += added > 0
        known.barren += added == 0
        self._barren_probes += added == 0 and identity in self._probes
        known.is_gaining = known.is_gaining or (added > 0 and visit.number < INSPECTED_PAGES)
        return added
