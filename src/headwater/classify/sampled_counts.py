"""Count in bounded memory. The result depends only on the set of pages, not on the order they are counted in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable

Key = TypeVar("Key")

_LEVELS = 32


def hash_text(text: str) -> int:
    """Return a 32-bit hash of a text, which is the same on every machine."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def sampling_level(text: str) -> int:
    """Return the level of a page: half of all pages have level 0, a quarter level 1, and so on."""
    value = hash_text(text) | 1 << (_LEVELS - 1)
    return (value & -value).bit_length() - 1


class SampledCounter(Generic[Key]):
    """Counts keys over pages; when memory is full, the pages of the lowest level are dropped.

    Counts are separate by level of the page, so that a level can be dropped as if its pages had never been counted.
    The remaining levels depend only on the number of different keys in each.
    """

    def __init__(self, capacity: int = 100_000) -> None:
        self._capacity = capacity
        self._levels: list[dict[Key, int]] = [{} for _ in range(_LEVELS)]
        self._lowest = 0
        self._size = 0

    def add(self, key: Key, level: int) -> None:
        """Count a key of a page of this level."""
        if level < self._lowest:
            return
        counts = self._levels[level]
        if key in counts:
            counts[key] += 1
            return
        counts[key] = 1
        self._size += 1
        while self._size > self._capacity and self._lowest < _LEVELS - 1:
            self._size -= len(self._levels[self._lowest])
            self._levels[self._lowest] = {}
            self._lowest += 1

    def add_all(self, keys: Iterable[Key], level: int) -> None:
        """Count several keys of one page."""
        for key in keys:
            self.add(key, level)

    def __len__(self) -> int:
        """Return the number of counts in memory; a key may have one in each level."""
        return self._size

    def totals(self) -> dict[Key, int]:
        """Return the count of each key, estimated from the remaining pages if some were dropped."""
        totals: dict[Key, int] = {}
        for counts in self._levels[self._lowest :]:
            for key, count in counts.items():
                totals[key] = totals.get(key, 0) + (count << self._lowest)
        return totals


class Sketch:
    """A sample of a set: the texts with the lowest hashes. Texts that two sets share are therefore in both samples."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._hashes: set[int] = set()
        self._ceiling = 1 << 32

    def add(self, text: str) -> None:
        """Add a text, which is kept if its hash is among the lowest."""
        value = hash_text(text)
        if value < self._ceiling:
            self._hashes.add(value)
            if len(self._hashes) > 2 * self._size:
                kept = sorted(self._hashes)[: self._size]
                self._hashes, self._ceiling = set(kept), kept[-1]

    def __len__(self) -> int:
        return min(self._size, len(self._hashes))

    def overlap_with(self, other: Sketch) -> float:
        """Return the share of the smaller set that is in the other too, up to the hash that both samples cover."""
        mine, theirs = self._lowest(), other._lowest()
        ceiling = min(_reach(mine, self._size), _reach(theirs, other._size))
        shared = {value for value in mine if value <= ceiling}
        others = {value for value in theirs if value <= ceiling}
        smaller = min(len(shared), len(others))
        return len(shared & others) / smaller if smaller else 0.0

    def _lowest(self) -> list[int]:
        """Return the lowest hashes; the set may hold more of them, depending on the order of additions."""
        return sorted(self._hashes)[: self._size]


def _reach(lowest: list[int], size: int) -> int:
    """Return the hash up to which a sample is complete."""
    return lowest[-1] if len(lowest) == size else 1 << 32
