"""Count in bounded memory. The result depends on the set of pages alone, never on the order they are counted in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable

Key = TypeVar("Key")

_LEVELS = 32


def hash_text(text: str) -> int:
    """Return 32 bits that are the same for the same text on every machine."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def sampling_level(text: str) -> int:
    """Return the level of a page: half of all pages have level 0, a quarter level 1, and so on."""
    value = hash_text(text) | 1 << (_LEVELS - 1)
    return (value & -value).bit_length() - 1


class SampledCounter(Generic[Key]):
    """Counts keys over pages; when memory is full, the pages of the lowest level are left out.

    Counts are kept apart by the level of the page, so that a level can be removed later as if its pages had never been
    counted. Which levels remain depends only on how many different keys each of them has.
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
        """Return how many counts are kept, of which a key may have several."""
        return self._size

    def totals(self) -> dict[Key, int]:
        """Return the counts, estimated from the remaining pages once some have been left out."""
        totals: dict[Key, int] = {}
        for counts in self._levels[self._lowest :]:
            for key, count in counts.items():
                totals[key] = totals.get(key, 0) + (count << self._lowest)
        return totals


class Sketch:
    """A sample of a set: the texts of lowest hash. Two sketches sample alike, so shared texts are seen in both."""

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
        """Return the share of the smaller set that the other has too, as far as both samples reach."""
        mine, theirs = self._lowest(), other._lowest()
        ceiling = min(_reach(mine, self._size), _reach(theirs, other._size))
        shared = {value for value in mine if value <= ceiling}
        others = {value for value in theirs if value <= ceiling}
        smaller = min(len(shared), len(others))
        return len(shared & others) / smaller if smaller else 0.0

    def _lowest(self) -> list[int]:
        """Return the texts of lowest hash; when it is trimmed, and so what else is kept, depends on the order."""
        return sorted(self._hashes)[: self._size]


def _reach(lowest: list[int], size: int) -> int:
    """Return the hash up to which a sample is complete."""
    return lowest[-1] if len(lowest) == size else 1 << 32
