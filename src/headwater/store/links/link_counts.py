"""Count the hyperlinks to and from each page of a scan."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from headwater.model import LinkCounts

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from headwater.model import LinkBlock, PageLinks

HYPERLINKS = frozenset({"a", "area"})
_NOT_COUNTED = 0


class _Targets:
    """The page that each hyperlink of a scan leads to, by the number of the link."""

    def __init__(self, blocks: Iterable[LinkBlock]) -> None:
        self._pages: list[int] = [_NOT_COUNTED]
        for block in blocks:
            pairs = zip(block.targets, block.places, strict=True)
            self._pages += [target if place.element in HYPERLINKS else _NOT_COUNTED for target, place in pairs]

    def count(self, links: Sequence[int], page: int) -> Counter[int]:
        """Return the number of links to each other page."""
        counts = Counter(map(self._pages.__getitem__, links))
        del counts[_NOT_COUNTED], counts[page]
        return counts


def count_links(
    blocks: Iterable[LinkBlock], lists: Iterable[PageLinks], internal: Container[int], external: Container[int]
) -> dict[int, LinkCounts]:
    """Return the counts of every page with a link to or from it; other targets, such as images, are not counted."""
    targets = _Targets(blocks)
    inlinks: Counter[int] = Counter()
    linking_pages: Counter[int] = Counter()
    counts: dict[int, LinkCounts] = {}
    for one in lists:
        found = targets.count(one.links, one.page)
        inside = {target: number for target, number in found.items() if target in internal}
        outside = [number for target, number in found.items() if target in external]
        inlinks.update(inside)
        linking_pages.update(inside.keys())
        counts[one.page] = LinkCounts(
            outlinks=sum(inside.values()), unique_outlinks=len(inside),
            external_outlinks=sum(outside), unique_external_outlinks=len(outside),
        )  # fmt: skip
    for page, number in inlinks.items():
        known = counts.get(page, LinkCounts())
        counts[page] = known._replace(inlinks=number, unique_inlinks=linking_pages[page])
    return counts
