"""Encode the sources of a page as bits, so that merging two records of a page is an `or`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from headwater.model import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterable

_BITS = {name: 1 << position for position, name in enumerate(SOURCES)}


def encode_sources(names: Iterable[str]) -> int:
    """Return the bits of these sources; unknown names are ignored."""
    mask = 0
    for name in names:
        mask |= _BITS.get(name, 0)
    return mask


@lru_cache(maxsize=1024)
def decode_sources(mask: int) -> tuple[str, ...]:
    """Return the sources in a mask, in the order of `SOURCES`."""
    return tuple(name for name, bit in _BITS.items() if mask & bit)
