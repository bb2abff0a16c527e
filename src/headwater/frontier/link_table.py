"""Number the distinct links of a scan, so that the links of a page are stored as a list of small numbers.

Most links of a page are on many pages of its site: the same target, placement and text get the same number. After
`forget` a link may get a second number, which only costs space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import LinkBlock

if TYPE_CHECKING:
    from headwater.model import LinkPlacement


MAX_LINK_TEXT = 500
CHARACTERS_PER_ENTRY = 100
"""Characters of an entry that count as one entry of the memory budget."""


class LinkTable:
    """Assigns numbers, and keeps the links that are new since the last `take_new_links`."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, LinkPlacement, str], int] = {}
        self._next = self._first = 1
        self._new: list[tuple[int, LinkPlacement, str]] = []
        self.size = 0
        """Entries that count towards the memory budget."""

    def resume_at(self, number: int) -> None:
        """Continue a scan whose links have numbers below this one."""
        self._next = self._first = number

    def number_of(self, target: int, place: LinkPlacement, text: str) -> int:
        """Return the number of a link; a new link gets the next number."""
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
        """Free memory; numbers that were assigned remain valid."""
        self._numbers.clear()
        self.size = 0
