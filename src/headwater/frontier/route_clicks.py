"""Decide which elements are clicked on the hash routes of an application.

Routes share their frame, so what clicks reveal on one of them is mostly the same on all. Elements that led to nothing
on the first routes of a page, in the order in which their visits start, are not clicked on the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_SAMPLES = 3
MAX_PAGES = 10_000


class RouteClicks:
    """The elements that were clicked on the first routes of one page."""

    def __init__(self) -> None:
        self._started = self._finished = 0
        self._barren: set[str] = set()
        self._gaining: set[str] = set()

    def take_sample(self) -> bool:
        """Return True if the next route is a sample, on which all elements are clicked."""
        self._started += 1
        return self._started <= MAX_SAMPLES

    def add_result(self, elements: Iterable[str] = (), *, has_gained: bool = False) -> None:
        """Add the elements that were clicked on a sample; nobody knows which of them gained."""
        self._finished += 1
        (self._gaining if has_gained else self._barren).update(elements)

    @property
    def is_decided(self) -> bool:
        """Return True if all samples have a result."""
        return self._finished >= MAX_SAMPLES

    @property
    def barren_elements(self) -> list[str]:
        """The elements that need not be clicked again."""
        return sorted(self._barren - self._gaining)


class RouteClickPolicy:
    """The results by page."""

    def __init__(self) -> None:
        self._pages: dict[str, RouteClicks] = {}

    def get_clicks(self, page: str) -> RouteClicks:
        """Return the results of a page's routes; of too many pages, none are kept."""
        if page not in self._pages and len(self._pages) >= MAX_PAGES:
            return RouteClicks()
        return self._pages.setdefault(page, RouteClicks())
