"""One page, all its sources: a bit each, so that merging two findings of a page is an `or`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from headwater.model import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TITLE_ORDER: tuple[str, ...] = ("navigation", "header", "feed", "sitemap", "content-link", "footer")
"""Whose words name a page best when the page itself was not read."""

_BITS = {name: 1 << position for position, name in enumerate(SOURCES)}


def encode_sources(names: Iterable[str]) -> int:
    """The bits of these sources; names that are no source add nothing."""
    mask = 0
    for name in names:
        mask |= _BITS.get(name, 0)
    return mask


@lru_cache(maxsize=1024)
def decode_sources(mask: int) -> tuple[str, ...]:
    """The sources in a mask, in the order of `SOURCE_BY_REGION`."""
    return tuple(name for name, bit in _BITS.items() if mask & bit)


def choose_title(own: str, texts: Mapping[str, str]) -> str:
    """The page's own title, else the link text of the source that names pages best; `texts` is by source."""
    candidates = (own, *(texts.get(source, "") for source in TITLE_ORDER))
    return next((" ".join(text.split()) for text in candidates if text.strip()), "")
