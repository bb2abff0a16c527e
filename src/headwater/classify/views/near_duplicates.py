"""Find texts that have most of their words in common.

Texts are compared if their simhashes share two of their eight bytes, as those of near duplicates nearly always do.
Simhash and minhash then estimate the share in common. Their errors are independent, and the lower estimate counts.
"""

from __future__ import annotations

import math
from itertools import combinations, groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BITS = 64
MAX_DISTANCE = 12
"""Bits in which the simhashes of texts with nine tenths in common differ, with a margin."""

MIN_SIMILARITY = 0.9
"""Share of the runs of words that near duplicates have in common."""

MAX_COMPARED = 100
"""Texts that each is compared with among those that share the same two bytes."""

NO_RUN = 0xFF
_MASK = (1 << BITS) - 1
_BYTES = BITS // 8


class HashedText(NamedTuple):
    """The hashes of a text."""

    simhash: int
    minhash: bytes


class NearDuplicate(NamedTuple):
    """A text at `position`, an earlier text, and the share that they have in common."""

    position: int
    original: int
    similarity: float


def find_near_duplicates(texts: Sequence[HashedText]) -> Iterator[NearDuplicate]:
    """Yield each text that is a near duplicate of an earlier one, if possible of the first of its group."""
    originals: dict[int, int] = {}
    for later, earlier in sorted(_find_earliest_neighbors(texts).items()):
        first = originals.get(earlier, earlier)
        similarity = estimate_similarity(texts[later], texts[first])
        if similarity < MIN_SIMILARITY:
            first, similarity = earlier, estimate_similarity(texts[later], texts[earlier])
        originals[later] = first
        yield NearDuplicate(later, first, similarity)


def estimate_similarity(first: HashedText, second: HashedText) -> float:
    """Return the share of runs that texts have in common, the lower of two estimates; 0 if it is surely small."""
    distance = ((first.simhash ^ second.simhash) & _MASK).bit_count()
    if distance > MAX_DISTANCE:
        return 0.0
    pairs = [pair for pair in zip(first.minhash, second.minhash, strict=True) if pair != (NO_RUN, NO_RUN)]
    equal = sum(one == other for one, other in pairs) / max(1, len(pairs))
    return round(min(math.cos(math.pi * distance / BITS), 2 * equal / (1 + equal)), 2)


def _find_earliest_neighbors(texts: Sequence[HashedText]) -> dict[int, int]:
    """Return for each text the first one that it has most in common with, by position."""
    earliest: dict[int, int] = {}
    for first, second in combinations(range(_BYTES), 2):
        mask = 0xFF << 8 * first | 0xFF << 8 * second
        for low, high in _pair_positions([text.simhash & mask for text in texts]):
            is_earlier = low < earliest.get(high, high)
            if is_earlier and estimate_similarity(texts[low], texts[high]) >= MIN_SIMILARITY:
                earliest[high] = low
    return earliest


def _pair_positions(keys: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Yield the positions of equal keys in pairs, the lower one first."""
    for _, group in groupby(sorted(range(len(keys)), key=keys.__getitem__), keys.__getitem__):
        members = list(group)
        for index, low in enumerate(members):
            for high in members[index + 1 : index + 1 + MAX_COMPARED]:
                yield low, high
