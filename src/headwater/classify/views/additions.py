"""Find views that add the same few labels to many pages, such as a currency sign or a link back to a list.

What a parameter adds to every page does not belong to any of them.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from headwater.urls.shapes import shape
from headwater.urls.variants import split_query

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_EQUAL_ADDITIONS = 5
"""Pages to which the same parameters must add the same labels."""

MAX_ADDITIONS = 200_000
"""Pages that are compared; further ones stay listed."""


class Addition(NamedTuple):
    """A page, the page with fewer parameters, and the labels that only the first has, without digits."""

    view: int
    key: str
    base: str
    labels: frozenset[int]


class CommonAdditions:
    """Additions by the parameters and the labels that are added."""

    def __init__(self) -> None:
        self._found: defaultdict[tuple[str, frozenset[str], frozenset[int]], list[tuple[int, str]]] = defaultdict(list)
        self._count = 0

    def add(self, addition: Addition) -> None:
        """Add a page that has a few labels more than another."""
        if self._count < MAX_ADDITIONS:
            self._count += 1
            added = frozenset(split_query(addition.key)[1]) - frozenset(split_query(addition.base)[1])
            group = (shape(addition.base), added, addition.labels)
            self._found[group].append((addition.view, addition.base))

    def find_views(self) -> Iterator[tuple[int, str]]:
        """Yield each view and the key of its page, if the same was added to several pages."""
        for pages in self._found.values():
            if len({base for _, base in pages}) >= MIN_EQUAL_ADDITIONS:
                yield from pages
