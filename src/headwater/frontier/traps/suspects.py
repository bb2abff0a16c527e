"""Suspects that are not decided on yet, and the links that lead to them.

A URL stays suspect only if every page that links to it could have generated it. Pages are read in any order, so a page
that could not have generated a suspect clears it, no matter if it is read before or after the page that could.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from headwater.frontier.traps.trap_detector import PageTemplate
    from headwater.frontier.url_cache import CachedUrl


class Suspects:
    """Suspects by depth; the numbers of their links show at little cost if a page links to any of them."""

    def __init__(self) -> None:
        self._known: dict[int, list[CachedUrl]] = {}
        self._links: dict[int, dict[int, CachedUrl]] = {}
        self._links_by_template: dict[PageTemplate, set[int]] = {}  # may include links to suspects of earlier rounds
        self.closed_depth = -1
        """The depth down to which suspects are being decided on."""

    def add(self, known: CachedUrl, template: PageTemplate) -> None:
        """Add a suspect that pages of this template could have generated, or move it to its current depth."""
        known.trap_template = template
        self._known.setdefault(known.depth, []).append(known)

    def add_link(self, known: CachedUrl, number: int) -> None:
        """Record that the link with this number leads to the suspect."""
        self._links.setdefault(known.depth, {})[number] = known
        if known.trap_template is not None:
            self._links_by_template.setdefault(known.trap_template, set()).add(number)

    def close(self, depth: int) -> None:
        """Start to decide on the suspects down to this depth: they are no longer cleared."""
        self.closed_depth = depth
        for closed in [one for one in self._known if one <= depth]:
            for known in self._known.pop(closed):
                if known.depth <= depth:
                    known.trap_template = None
        for closed in [one for one in self._links if one <= depth]:
            del self._links[closed]
        if not self._links:
            self._links_by_template.clear()

    def has_linked_suspects(self, numbers: Collection[int]) -> bool:
        """Return True if any of these links leads to a suspect."""
        return any(not links.keys().isdisjoint(numbers) for links in self._links.values())

    def find_linked_suspects(self, numbers: Collection[int], template: PageTemplate) -> list[CachedUrl]:
        """Return the suspects that these links lead to and that a page of this template cannot have generated."""
        others = set(numbers).difference(self._links_by_template.get(template, ()))
        return [
            links[number]
            for links in self._links.values()
            if not links.keys().isdisjoint(others)
            for number in others
            if number in links and links[number].trap_template is not None
        ]

    def forget(self) -> None:
        """Free memory; URLs that are suspect remain so."""
        self._known.clear()
        self.clear_links()

    def clear_links(self) -> None:
        """Free the memory of links; those that are seen again are added again."""
        self._links.clear()
        self._links_by_template.clear()
