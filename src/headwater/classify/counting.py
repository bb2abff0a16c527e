"""Counts in bounded memory: what is frequent is kept, what is rare is forgotten; no count is ever too high."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Key = TypeVar("Key")


class BoundedCounter(Generic[Key]):
    """Counts keys; beyond `capacity` the rarest are dropped, so that frequent ones lose little."""

    def __init__(self, capacity: int = 100_000) -> None:
        self._capacity = capacity
        self._counts: dict[Key, int] = {}

    def add(self, key: Key) -> None:
        self._counts[key] = self._counts.get(key, 0) + 1
        if len(self._counts) > self._capacity:
            self._drop_the_rarest()

    def add_all(self, keys: Iterable[Key]) -> None:
        for key in keys:
            self.add(key)

    def __getitem__(self, key: Key) -> int:
        return self._counts.get(key, 0)

    def __len__(self) -> int:
        return len(self._counts)

    def __iter__(self) -> Iterator[tuple[Key, int]]:
        """Keys with their counts, in the order in which they were first met."""
        return iter(self._counts.items())

    def _drop_the_rarest(self) -> None:
        floor = sorted(self._counts.values())[len(self._counts) // 2]
        kept = {key: count for key, count in self._counts.items() if count > floor}
        self._counts = kept if len(kept) > self._capacity // 10 else self._oldest(floor)

    def _oldest(self, floor: int) -> dict[Key, int]:
        """Keep what is more frequent than `floor`; where most are equally rare, also those that were met first."""
        room = max(1, self._capacity // 2) - sum(count > floor for count in self._counts.values())
        equal = (key for key, count in self._counts.items() if count == floor)
        oldest = set(islice(equal, max(0, room)))
        return {key: count for key, count in self._counts.items() if count > floor or key in oldest}


class Sketch:
    """A sample of a set: its texts of lowest hash. Two sketches sample alike, so shared texts are seen in both."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._hashes: set[int] = set()
        self._ceiling = 1 << 32

    def add(self, text: str) -> None:
        value = crc32(text.encode("utf-8", "surrogatepass"))
        if value < self._ceiling:
            self._hashes.add(value)
            if len(self._hashes) > 2 * self._size:
                self._trim()

    def __len__(self) -> int:
        return len(self._hashes)

    def likeness(self, other: Sketch) -> float:
        """The share of the smaller set that the other has too, as far as both samples reach."""
        ceiling = min(self._ceiling, other._ceiling)
        mine = {value for value in self._hashes if value < ceiling}
        theirs = {value for value in other._hashes if value < ceiling}
        smaller = min(len(mine), len(theirs))
        return len(mine & theirs) / smaller if smaller else 0.0

    def _trim(self) -> None:
        kept = sorted(self._hashes)
        self._ceiling = kept[self._size]
        self._hashes = set(kept[: self._size])
