"""Compute the priority of a page, from 0 to 1; more or better evidence never lowers it.

    priority = 0.40 place + 0.20 content + 0.15 links + 0.10 importance + 0.05 sources + 0.05 sitemap + 0.05 freshness

Each part is between 0 and 1; an unknown part is 0:

    place        0.85 for pages that the front page links to, then 0.3, 0.2 and less with every click
    content      pages whose content links to it, as log(1 + n) / log(1 + pages of the site)
    links        pages that link to it from anywhere, menus included, in the same way
    importance   as given: 1 for pages in the navigation of the site
    sources      1 − Π (1 − SOURCE_WEIGHTS[s]) over the sources s of the page
    sitemap      the sitemap's <priority>
    freshness    ½ to the power of (age in years, counted from the newest page)

The front page has 1 for place, content, links and importance.
"""

from __future__ import annotations

from math import log1p, prod
from typing import NamedTuple

WEIGHTS: dict[str, float] = {
    "place": 0.40,
    "content": 0.20,
    "links": 0.15,
    "importance": 0.10,
    "sources": 0.05,
    "sitemap": 0.05,
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
    "index": 0.2,
    "parent": 0.2,
    "script": 0.1,
    "form": 0.1,
    "robots": 0.1,
    "wayback": 0.05,
    "commoncrawl": 0.05,
}

DEPTH_SCORES = (1.0, 0.85, 0.3, 0.2)
MIN_SITE_PAGES = 10
"""Minimum number of pages that is assumed for a site, so that one link on a tiny site does not count too much."""

DAYS_PER_YEAR = 365.0


class PrioritySignals(NamedTuple):
    """The facts that decide the priority of a page; None is unknown. `site_pages` counts the pages of the site."""

    is_front_page: bool = False
    importance: float | None = None
    sources: tuple[str, ...] = ()
    depth: int | None = None
    inlinks: int = 0
    content_inlinks: int = 0
    site_pages: int = 0
    sitemap_priority: float | None = None
    age_days: float | None = None


def compute_priority(signals: PrioritySignals) -> float:
    """Return the weighted sum of the parts, rounded to four digits."""
    is_front = float(signals.is_front_page)
    parts = {
        "place": is_front or _score_depth(signals.depth),
        "content": is_front or _score_links(signals.content_inlinks, signals.site_pages),
        "links": is_front or _score_links(signals.inlinks, signals.site_pages),
        "importance": is_front or _clamp(signals.importance),
        "sources": _score_sources(signals.sources),
        "sitemap": _clamp(signals.sitemap_priority),
        "freshness": _score_age(signals.age_days),
    }
    return round(sum(WEIGHTS[name] * part for name, part in parts.items()), 4)


def _score_depth(depth: int | None) -> float:
    if depth is None:
        return 0.0
    clicks = max(0, depth)
    return DEPTH_SCORES[clicks] if clicks < len(DEPTH_SCORES) else DEPTH_SCORES[-1] * (len(DEPTH_SCORES) - 1) / clicks


def _score_links(links: int, pages: int) -> float:
    return _clamp(log1p(max(0, links)) / log1p(max(MIN_SITE_PAGES, pages)))


def _score_sources(sources: tuple[str, ...]) -> float:
    return 1 - prod(1 - SOURCE_WEIGHTS.get(source, 0.0) for source in sorted(set(sources)))


def _score_age(age_days: float | None) -> float:
    """Return the freshness of a page; a date in the future counts as today."""
    if age_days is None or age_days != age_days:  # noqa: PLR0124  (not a number)
        return 0.0
    return float(0.5 ** (max(0.0, age_days) / DAYS_PER_YEAR))


def _clamp(value: float | None) -> float:
    return min(1.0, value) if value is not None and value > 0 else 0.0
