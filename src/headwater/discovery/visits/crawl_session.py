"""Inputs of a crawl loop: its scan, its limits, and the counters that its parts share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headwater.discovery.visits.crash_record import CrashRecord
from headwater.frontier.memory_budget import MemoryBudget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.discovery.visits.hint_queue import HintQueue
    from headwater.discovery.visits.index_queue import IndexQueue
    from headwater.model import Response
    from headwater.settings import Settings
    from headwater.store import Store

DEFAULT_BATCH_SIZE = 50
"""Pages written in one transaction unless a setting limits them."""


@dataclass(frozen=True, slots=True)
class CrawlSession:
    """The scan that a crawl works on.

    `seeds` are the identities of the pages it starts from, `previous` is the number of the previous scan of the site.
    `preloaded` holds responses by URL that an earlier stage fetched; the crawl takes them out.
    """

    store: Store
    scan: int
    seeds: Sequence[int] = ()
    previous: int | None = None
    preloaded: dict[str, Response] = field(default_factory=dict)
    wall_targets: dict[str, str] = field(default_factory=dict)
    indexes: IndexQueue | None = None
    hints: HintQueue | None = None
    crash_record: CrashRecord = field(default_factory=CrashRecord)
    memory: MemoryBudget = field(default_factory=MemoryBudget)


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """Limits of one crawl; `max_pages_name` is the setting that `max_pages` comes from."""

    parallel: int = 10
    batch_limit: int | None = 1000
    max_pages: int | None = None
    max_pages_name: str = "max_pages"
    max_depth: int | None = None
    per_shape: int | None = None
    max_urls_per_source: int | None = None
    max_redirects: int = 10
    max_links: int | None = None

    @classmethod
    def from_settings(cls, settings: Settings) -> CrawlLimits:
        """Return the limits that the settings ask for; of `max_pages` and `max_urls` the smaller one counts."""
        limits = [one for one in (settings.max_pages, settings.max_urls) if one is not None]
        max_pages = min(limits, default=None)
        return cls(
            parallel=settings.max_parallel,
            batch_limit=settings.batch_size,
            max_pages=max_pages,
            max_pages_name="max_pages" if max_pages == settings.max_pages else "max_urls",
            max_depth=settings.max_depth,
            per_shape=settings.per_shape,
            max_urls_per_source=settings.max_urls_per_source,
            max_redirects=settings.max_redirects,
            max_links=settings.max_links,
        )

    @property
    def batch_size(self) -> int:
        """The number of pages to write together."""
        return self.batch_limit or DEFAULT_BATCH_SIZE


@dataclass(slots=True)
class CrawlCounters:
    """Counts of one crawl; a page counts as visited when its request starts. `limit_reached` names a setting."""

    visited: int = 0
    failed: int = 0
    known: int = 0
    limit_reached: str = ""
