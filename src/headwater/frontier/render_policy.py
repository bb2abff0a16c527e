"""Decide which pages to open in a browser, by their markup and by the gain of opening pages of the same shape.

The decisions are those of a crawler that visits one page after another in the given order. A page that may be opened
waits for the pages of its shape that started before it, unless their results no longer matter. So the decisions do not
depend on the number of requests in flight or the order of responses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

MAX_PROBES = 2
"""Pages of a shape that are opened, although they have links and text, to check if scripts add links."""

INSPECTED_PAGES = 3
"""Pages of a shape that are inspected for signs of an application; the rest only if opening one of them gained."""

MAX_BARREN_RENDERS = 3
"""Pages of a shape that are opened without gain before no more pages of the shape are opened."""

MAX_SHAPES = 10_000


class ShapeVisit(NamedTuple):
    """A page that is being visited: its shape, and the number of pages of the shape that started before it."""

    shape: str
    number: int


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

    def enter(self, identity: int, shape: str) -> None:
        """Start the visit of a page; visits must start in an order that does not depend on responses."""
        known = self._shapes.get(shape)
        if known is None:
            if len(self._shapes) >= MAX_SHAPES:
                return
            known = self._shapes[shape] = _ShapeStatistics()
        known.in_progress.add(known.visits)
        self._visits[identity] = ShapeVisit(shape, known.visits)
        known.visits += 1

    def leave(self, identity: int) -> None:
        """End the visit of a page, with any outcome."""
        visit = self._visits.pop(identity, None)
        if visit is not None:
            self._shapes[visit.shape].in_progress.discard(visit.number)

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

    def can_decide_rendering(self, identity: int) -> bool:
        """Return True if `is_wanted` can be decided: earlier pages of the shape are done, or one of them gained."""
        visit = self._visits.get(identity)
        if visit is None or self.renders_all:
            return True
        known = self._shapes[visit.shape]
        return bool(known.gained) or min(known.in_progress) == visit.number

    def is_wanted(self, identity: int, *, looks_scripted: bool, may_gain: bool) -> bool:
        """Return True if the page should be opened."""
        if self.renders_all:
            return True
        visit = self._visits.get(identity)
        known = _ShapeStatistics() if visit is None else self._shapes[visit.shape]
        if looks_scripted:
            return bool(known.gained) or known.barren < MAX_BARREN_RENDERS
        return may_gain and (known.opened < MAX_PROBES or known.gained > 0)

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
        known.is_gaining = known.is_gaining or (added > 0 and visit.number < INSPECTED_PAGES)
        return added
