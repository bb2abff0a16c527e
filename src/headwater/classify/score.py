"""How much a page matters, from 0 to 1; more or better evidence never lowers it.

    priority = 0.30 importance + 0.25 sources + 0.15 depth + 0.15 inlinks + 0.10 sitemap + 0.05 freshness

Each part lies between 0 and 1, and what is unknown counts 0:

    importance   as given: 1 for what the site's own navigation names
    sources      1 − Π (1 − SOURCE_WEIGHTS[s]) over the page's sources s: strong ones weigh more, several add up
    depth        1 / (1 + clicks from the seed)
    inlinks      log(1 + pages that link to it) / log(1 + 1000), at most 1
    sitemap      the sitemap's <priority>
    freshness    ½ to the power of (age in years)
"""

from __future__ import annotations

from math import log1p, prod
from typing import NamedTuple

WEIGHTS: dict[str, float] = {
    "importance": 0.30,
    "sources": 0.25,
    "depth": 0.15,
    "inlinks": 0.15,
    "sitemap": 0.10,
    "freshness": 0.05,
}

SOURCE_WEIGHTS: dict[str, float] = {
    "seed": 0.9,
    "navigation": 0.8,
    "header": 0.6,
    "sitemap": 0.5,
    "sitemap-index": 0.5,
    "feed": 0.4,
    "content-link": 0.3,
    "footer": 0.25,
    "redirect": 0.2,
    "render": 0.2,
    "previous": 0.1,
}

MANY_INLINKS = 1000
DAYS_A_YEAR = 365.0


class Signals(NamedTuple):
    """What is known of one page; None is unknown."""

    importance: float | None = None
    sources: tuple[str, ...] = ()
    depth: int | None = None
    inlinks: int = 0
    sitemap_priority: float | None = None
    age_days: float | None = None


def priority(signals: Signals) -> float:
    """The weighted sum of the parts, to four digits."""
    parts = {
        "importance": _share(signals.importance),
        "sources": _evidence(signals.sources),
        "depth": 0.0 if signals.depth is None else 1 / (1 + max(0, signals.depth)),
        "inlinks": _share(log1p(max(0, signals.inlinks)) / log1p(MANY_INLINKS)),
        "sitemap": _share(signals.sitemap_priority),
        "freshness": _freshness(signals.age_days),
    }
    return round(sum(WEIGHTS[name] * part for name, part in parts.items()), 4)


def _evidence(sources: tuple[str, ...]) -> float:
    return 1 - prod(1 - SOURCE_WEIGHTS.get(source, 0.0) for source in sorted(set(sources)))


def _freshness(age_days: float | None) -> float:
    """A date in the future, and there are such, is as fresh as today."""
    if age_days is None or age_days != age_days:  # noqa: PLR0124  (not a number)
        return 0.0
    return float(0.5 ** (max(0.0, age_days) / DAYS_A_YEAR))


def _share(value: float | None) -> float:
    return min(1.0, value) if value is not None and value > 0 else 0.0
