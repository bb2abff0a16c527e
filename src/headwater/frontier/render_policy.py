"""Decide which pages to open in a browser, by their markup and by the gain of opening pages of the same shape.

An empty shell, which scripts fill, is opened until its shape proves barren; then every tenth is. A page with links and
text of its own is a *probe*: of each shape and template one page is opened to see if its scripts add links, within a
budget for the whole site. If it gains, the shape is opened until a whole window of its pages gains nothing.

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
"""Probes of a site that may gain nothing: three, one more for every hundred pages, and never more than twenty.

A page that shows no sign of an application is opened only if no more than the one for every hundred pages was barren.
"""

INSPECTED_PAGES = 3
"""Pages of a shape that are inspected for signs of an application; the rest only if opening one of them gained."""

MAX_BARREN_RENDERS = 3
SHELL_INTERVAL = 10
"""Shells of a shape that are opened without gain before only one in `SHELL_INTERVAL` is opened."""

GAIN_WINDOW = 4
"""Consecutive pages of a gaining shape; if none of them gains, no more pages of the shape are opened."""

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
    barren: int = 0
    discounted: int = 0
    is_gaining: bool = False  # judged by the first pages
    round: int = -1
    counted: set[int] = field(default_factory=set)  # pages that counted as gained in this round
    gains: _GainWindows | None = None


class _GainWindows:
    """Results of the pages after the first one that gained, in windows, so that a window can be opened at once."""

    def __init__(self, first: int, round_number: int, counted: AbstractSet[int]) -> None:
        self._start = first + 1
        self._results: dict[int, tuple[int, AbstractSet[int]]] = {}
        self._round, self._counted = round_number, set(counted)
        self._judged, self._has_ended = 0, False

    def get_window_start(self, number: int) -> int:
        """Return the number of the first page of a page's window; the decision depends on all pages before it."""
        return self._start + max(0, number - self._start) // GAIN_WINDOW * GAIN_WINDOW

    def add(self, number: int, round_number: int, new_pages: AbstractSet[int]) -> None:
        """Add the pages that were found by opening a page."""
        self._results[number] = round_number, new_pages

    def is_open(self, number: int) -> bool:
        """Return True unless all opened pages of an earlier window were barren."""
        while not self._has_ended and self._start + (self._judged + 1) * GAIN_WINDOW <= self.get_window_start(number):
            self._judge_window()
        return not self._has_ended

    def _judge_window(self) -> None:
        """Judge the results of the next window in the order of the visits: a page that several lead to counts once."""
        first = self._start + self._judged * GAIN_WINDOW
        results = [self._results.pop(one) for one in range(first, first + GAIN_WINDOW) if one in self._results]
        has_gained = False
        for round_number, new_pages in results:
            if round_number != self._round:
                self._round = round_number
                self._counted.clear()
            has_gained = has_gained or bool(new_pages - self._counted)
            self._counted |= new_pages
        self._has_ended = bool(results) and not has_gained
        self._judged += 1


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
        self._probes: dict[int, tuple[str, int]] = {}
        self._barren_probes = 0
        self._barren_templates: set[tuple[str, int]] = set()

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
            self._probes.pop(identity, None)

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

    def can_decide_rendering(self, identity: int, *, is_shell: bool, max_probes: int) -> bool:
        """Return True if `is_wanted` no longer depends on pages in progress."""
        visit = self._visits.get(identity)
        if visit is None or self.renders_all:
            return True
        known = self._shapes[visit.shape]
        if known.gains is not None:
            return is_shell or min(known.in_progress) >= known.gains.get_window_start(visit.number)
        if min(known.in_progress) != visit.number:
            return False
        is_spent = self._is_budget_spent(visit, max_probes)
        can_be_probe = not is_shell and visit.order in self._possible_probes and not is_spent
        return not can_be_probe or min(self._possible_probes) == visit.order

    def is_wanted(self, identity: int, *, is_shell: bool, max_probes: int, template: int = 0) -> bool:
        """Return True if the page should be opened.

        `max_probes` and `template` are from the inspection of a page that is no shell.
        """
        if self.renders_all:
            return True
        visit = self._visits.get(identity)
        if visit is None:
            return is_shell
        known = self._shapes[visit.shape]
        if is_shell:
            is_sample = known.barren < MAX_BARREN_RENDERS or visit.number % SHELL_INTERVAL == 0
            return known.gains is not None or is_sample
        if known.gains is not None:
            return max_probes > 0 and known.gains.is_open(visit.number)
        family = visit.shape.rpartition("/")[0], template
        is_probe = visit.number < INSPECTED_PAGES and known.opened < max_probes and family not in self._barren_templates
        if is_probe := is_probe and not self._is_budget_spent(visit, max_probes):
            self._probes[identity] = family
        return is_probe

    def _is_budget_spent(self, visit: ShapeVisit, max_probes: int) -> bool:
        """Return True if too many probes gained nothing. Once spent, more pages are needed before another probe."""
        first_budget = MIN_BARREN_PROBES if max_probes > 1 else 1
        return self._barren_probes >= min(MAX_BARREN_PROBES, first_budget + visit.order // VISITS_PER_BARREN_PROBE)

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
        known.barren += added == 0
        known.is_gaining = known.is_gaining or (added > 0 and visit.number < INSPECTED_PAGES)
        if known.gains is not None:
            known.gains.add(visit.number, round_number, new_pages)
        elif added:
            known.gains = _GainWindows(visit.number, round_number, known.counted)
        elif identity in self._probes:
            self._add_barren_probe(identity, visit)
        return added

    def _add_barren_probe(self, identity: int, visit: ShapeVisit) -> None:
        """Count a probe that gained nothing; similar pages are not opened. The seed differs from pages beside it."""
        self._barren_probes += 1
        if visit.order:
            self._barren_templates.add(self._probes[identity])
