"""Numbers for the different links of a scan, so that a page's links are kept as a list of small numbers.

Most links of a page stand on many pages of its site: the same target, place and text get the same number. After
`forget` a link may get a second number, which costs space and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import LinkBlock

if TYPE_CHECKING:
    from headwater.model import LinkPlacement


MAX_LINK_TEXT = 500
CHARACTERS_PER_ENTRY = 100
"""Characters that an entry may have before it counts as several."""


class LinkTable:
    """Hands out numbers, and remembers which links are new since the store was last told."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, LinkPlacement, str], int] = {}
        self._next = self._first = 1
        self._new: list[tuple[int, LinkPlacement, str]] = []
        self.size = 0
        """Entries that count towards the limit of memory."""

    def resume_at(self, number: int) -> None:
        """Continue a scan whose links have numbers below this one."""
        self._next = self._first = number

    def number_of(self, target: int, place: LinkPlacement, text: str) -> int:
        """Return the number of a link; a link that has none gets the next one."""
        link = (target, place, text)
        number = self._numbers.get(link)
        if number is None:
            number = self._numbers[link] = self._next
            self._next += 1
            self._new.append(link)
            self.size += 1 + len(text) // CHARACTERS_PER_ENTRY
        return number

    def take_new_links(self) -> LinkBlock | None:
        """Return the links that got a number since the last call."""
        if not self._new:
            return None
        targets, places, texts = zip(*self._new, strict=True)
        block = LinkBlock(self._first, targets, places, texts)
        self._first, self._new = self._next, []
        return block

    def forget(self) -> None:
        """Free memory; numbers that were handed out stay valid."""
        self._numbers.clear()
        self.size = 0
