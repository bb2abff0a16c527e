"""Suspects that are not decided on yet, and the links that lead to them.

A URL stays suspect only if every page that links to it could have made it. Pages are read in any order, so a page that
could not have made a suspect clears it, whether it is read before or after the page that could.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from headwater.frontier.traps import PageTemplate
    from headwater.frontier.url_cache import CachedUrl


class Suspects:
    """Suspects by depth; the numbers of their links tell at little cost whether a page has any of them."""

    def __init__(self) -> None:
        self._known: dict[int, list[CachedUrl]] = {}
        self._links: dict[int, dict[int, CachedUrl]] = {}
        self._links_by_template: dict[
            PageTemplate, set[int]
        ] = {}  # numbers of links, some of them to suspects of earlier rounds
        self.closed_depth = -1
        """The depth down to which suspects are being decided on."""

    def add(self, known: CachedUrl, maker: PageTemplate) -> None:
        """Add a suspect, or move it to the depth that it has now."""
        known.trap_template = maker
        self._known.setdefault(known.depth, []).append(known)

    def add_link(self, known: CachedUrl, number: int) -> None:
        """Note that the link with this number leads to the suspect."""
        links = self._links.get(known.depth)
        if links is None:
            links = self._links[known.depth] = {}
        links[number] = known
        if known.trap_template is not None:
            self._links_by_template.setdefault(known.trap_template, set()).add(number)

    def close(self, depth: int) -> None:
        """Begin to decide on the suspects down to this depth: they stay what they are."""
        self.closed_depth = depth
        for closed in [one for one in self._known if one <= depth]:
            for known in self._known.pop(closed):
                if known.depth <= depth:
                    known.trap_template = None
        for closed in [one for one in self._links if one <= depth]:
            del self._links[closed]
        if not self._links:
            self._links_by_template.clear()

    @property
    def has_links(self) -> bool:
        """Whether any link leads to a suspect."""
        return bool(self._links)

    def find_linked_suspects(self, numbers: Collection[int], maker: PageTemplate) -> list[CachedUrl]:
        """Return the suspects that links with these numbers lead to, and that a page of this kind did not make."""
        others = set(numbers).difference(self._links_by_template.get(maker, ()))
        return [
            links[number]
            for links in self._links.values()
            if not links.keys().isdisjoint(others)
            for number in others
            if number in links and links[number].trap_template is not None
        ]

    def forget(self) -> None:
        """Free memory; what is suspect stays so."""
        self._known.clear()
        self.clear_links()

    def clear_links(self) -> None:
        """Free the memory of links; those that are met again are added again."""
        self._links.clear()
        self._links_by_template.clear()
