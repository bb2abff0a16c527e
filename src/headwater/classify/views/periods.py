"""Find the empty pages of a calendar: those that differ from many others in nothing but the date."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from headwater.urls.variants import find_period_family

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.model import ContentSketch

MIN_EQUAL_PERIODS = 5
"""Pages that must be equal without their dates before they count as empty."""

MAX_PERIODS = 200_000
"""Pages that are compared; further ones stay listed."""


class PeriodPages:
    """Pages that are chosen by a date, by family and template."""

    def __init__(self) -> None:
        self._pages: defaultdict[str, list[tuple[int, str, int]]] = defaultdict(list)
        self._sizes: dict[int, int] = {}
        self._count = 0

    def add(self, identity: int, key: str, sketch: ContentSketch) -> None:
        """Add a page, if it is chosen by a date."""
        if sketch.template and self._count < MAX_PERIODS:
            self._count += 1
            self._pages[find_period_family(key)].append((identity, key, sketch.template))
            self._sizes[sketch.template] = len(sketch.links) + len(sketch.texts) + len(sketch.masked_labels)

    def find_empty(self) -> Iterator[tuple[int, str]]:
        """Yield the identity and key of each empty page: of several templates that repeat, the smallest is empty."""
        for pages in self._pages.values():
            counts = Counter(template for _, _, template in pages)
            repeated = [one for one, count in counts.items() if count >= MIN_EQUAL_PERIODS]
            empty = min(repeated, key=lambda one: (self._sizes[one], one), default=0)
            yield from ((identity, key) for identity, key, template in pages if empty and template == empty)
