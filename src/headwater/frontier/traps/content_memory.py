"""Remember the content of visited pages by round, to tell if a suspect has content that no earlier page had.

Only pages of earlier rounds count, because those of the same round respond in any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_TEXTS = 1_000_000
MAX_SKETCHES = 20_000
"""Limits for the texts and sketches in memory; forgetting them only means that more views are visited."""


class ContentMemory:
    """Texts and packed sketches of visited pages, with the round in which they were first seen."""

    def __init__(self) -> None:
        self._texts: dict[int, int] = {}
        self._sketches: dict[str, tuple[int, bytes]] = {}
        self._contents: dict[tuple[str, bytes], int] = {}

    def begin_round(self) -> None:
        """Free memory, if there is too much in it; only here, so that results do not depend on timing."""
        if len(self._texts) > MAX_TEXTS:
            self._texts.clear()
        if len(self._sketches) > MAX_SKETCHES:
            self._sketches.clear()
            self._contents.clear()

    def add(self, key: str, sketch: bytes, texts: Iterable[int], round_number: int) -> None:
        """Add the content of a page."""
        self._sketches.setdefault(key, (round_number, sketch))
        self._contents.setdefault((key.partition("?")[0], sketch), round_number)
        for text in texts:
            self._texts.setdefault(text, round_number)

    def find_new_texts(self, texts: Iterable[int], round_number: int) -> frozenset[int]:
        """Return the texts that no page of an earlier round has."""
        return frozenset(one for one in texts if self._texts.get(one, round_number) >= round_number)

    def find_sketch(self, key: str, round_number: int) -> bytes | None:
        """Return the sketch of a page that was visited in an earlier round."""
        found = self._sketches.get(key)
        return found[1] if found is not None and found[0] < round_number else None

    def has_equal(self, key: str, sketch: bytes, round_number: int) -> bool:
        """Return True if a page of the same path had the same content in an earlier round."""
        return self._contents.get((key.partition("?")[0], sketch), round_number) < round_number
