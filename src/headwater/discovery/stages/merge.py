"""Classify the pages once all sources are merged: language, clusters, priority."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from headwater.classify import Clustering, Facts, Languages, Signals, is_other_language, priority
from headwater.discovery.stage import StageReport
from headwater.discovery.stages.link_following import follow_links
from headwater.discovery.visits.batching import in_parts
from headwater.store import Classified

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from headwater.discovery.stage import Context, Progress
    from headwater.settings import Settings
    from headwater.store import Store, Told

SLICE = 1000
_DAY = 86_400.0


class Merge:
    """Reads the pages four times: for languages, for clusters, to compare the clusters, and to classify each page."""

    name = "merge"

    def is_needed(self, settings: Settings, progress: Progress) -> bool:
        """Return true: it costs little and everything after it needs it."""
        return True

    async def run(self, context: Context) -> StageReport:
        """Classify every page that is listed."""
        store, scan = context.store, context.scan
        if context.previous is not None:
            store.distrust_sitemaps(scan, context.previous)
        async with context.limits.merge_turn(store.links.numbers(scan).kept):
            await follow_links(store, scan, context.settings.batch_size)
        store.mark_duplicates(scan)
        site = await _learn(store, scan)
        store.forget_clusters(scan)
        async for pages in _in_slices(store, scan):
            rows = (site.classify(page, context.settings.language) for page in pages)
            for part in in_parts(rows, context.settings.batch_size or SLICE):
                store.classify(scan, part)
        return StageReport(self.name, "done", site.pages, note=f"{len(store.clusters(scan)):,} clusters")


@dataclass(slots=True)
class _Site:
    """What all pages together say: languages, clusters, how many pages there are, when the newest changed."""

    languages: Languages = field(default_factory=Languages)
    clustering: Clustering = field(default_factory=Clustering)
    pages: int = 0
    newest: datetime | None = None

    def note(self, page: Told) -> None:
        self.pages += 1
        self.languages.note(page.url, page.language, page.hreflang)
        moment = _moment(page.lastmod)
        if moment is not None and (self.newest is None or moment > self.newest):
            self.newest = moment

    def facts(self, page: Told) -> Facts:
        spoken = self.languages.language_of(page.url, page.language, page.hreflang)
        return Facts(page.url, page.title, spoken.code, page.sources)

    def classify(self, page: Told, wanted_language: str) -> Classified:
        facts = self.facts(page)
        clusters = [(cluster.name, cluster.kind, cluster.title) for cluster in self.clustering.clusters_of(facts)]
        skips = is_other_language(facts.language, wanted_language)
        return Classified(page.identity, priority(self.signals(page)), facts.language, skips, clusters)

    def signals(self, page: Told) -> Signals:
        """Return what counts for a page; age is counted from the newest page, so that it does not change by itself."""
        moment = _moment(page.lastmod)
        return Signals(
            is_front="seed" in page.sources,
            importance=page.importance,
            sources=page.sources,
            depth=page.depth,
            inlinks=page.inlinks,
            content_inlinks=page.content_inlinks,
            site_pages=self.pages,
            sitemap_priority=page.sitemap_priority,
            age_days=(self.newest - moment).total_seconds() / _DAY if moment and self.newest else None,
        )


async def _learn(store: Store, scan: int) -> _Site:
    """Read the pages for their languages, for their clusters, and to compare the clusters."""
    site = _Site()
    async for pages in _in_slices(store, scan):
        for page in pages:
            site.note(page)
    async for pages in _in_slices(store, scan):
        for page in pages:
            site.clustering.note(site.facts(page))
    site.clustering.choose()
    async for pages in _in_slices(store, scan):
        for page in pages:
            site.clustering.compare(site.facts(page))
    site.clustering.drop_duplicates()
    return site


async def _in_slices(store: Store, scan: int) -> AsyncIterator[list[Told]]:
    """Yield the pages some at a time; other tasks, an interruption too, run between two slices."""
    pages = store.told(scan)
    while part := list(islice(pages, SLICE)):
        yield part
        await asyncio.sleep(0)


def _moment(lastmod: str | None) -> datetime | None:
    """Return when the page changed according to its sitemap; None if the date is missing or unreadable."""
    try:
        moment = datetime.fromisoformat(lastmod) if lastmod else None
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
