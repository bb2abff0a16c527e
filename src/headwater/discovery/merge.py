"""Classify the pages once all sources are merged: language, clusters, priority."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from headwater.classify import Clustering, Facts, Languages, Signals, is_other_language, priority
from headwater.discovery.batching import in_parts
from headwater.discovery.stage import StageReport
from headwater.discovery.ways import follow_links
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
        if context.previous is not None:
            context.store.distrust_sitemaps(context.scan, context.previous)
        await follow_links(context.store, context.scan, context.settings.batch_size)
        context.store.mark_duplicates(context.scan)
        store, scan, languages, clustering = context.store, context.scan, Languages(), Clustering()
        async for pages in _in_slices(store, scan):
            for page in pages:
                languages.note(page.url, page.language, page.hreflang)
        async for pages in _in_slices(store, scan):
            for page in pages:
                clustering.note(_facts(page, languages))
        clustering.choose()
        async for pages in _in_slices(store, scan):
            for page in pages:
                clustering.compare(_facts(page, languages))
        clustering.drop_duplicates()
        store.forget_clusters(scan)
        count, now = 0, datetime.now(UTC)
        async for pages in _in_slices(store, scan):
            wanted = context.settings.language
            rows = (_classified(page, languages, clustering, wanted, now) for page in pages)
            for part in in_parts(rows, context.settings.batch_size or SLICE):
                store.classify(scan, part)
            count += len(pages)
        return StageReport(self.name, "done", count, note=f"{len(store.clusters(scan)):,} clusters")


async def _in_slices(store: Store, scan: int) -> AsyncIterator[list[Told]]:
    """Yield the pages some at a time; other tasks, an interruption too, run between two slices."""
    pages = store.told(scan)
    while part := list(islice(pages, SLICE)):
        yield part
        await asyncio.sleep(0)


def _facts(page: Told, languages: Languages) -> Facts:
    spoken = languages.language_of(page.url, page.language, page.hreflang)
    return Facts(page.url, page.title, spoken.code, page.sources)


def _classified(page: Told, languages: Languages, clustering: Clustering, wanted: str, now: datetime) -> Classified:
    facts = _facts(page, languages)
    signals = Signals(
        importance=page.importance,
        sources=page.sources,
        depth=page.depth,
        inlinks=page.inlinks,
        sitemap_priority=page.sitemap_priority,
        age_days=_age(page.lastmod, now),
    )
    clusters = [(cluster.name, cluster.kind, cluster.title) for cluster in clustering.clusters_of(facts)]
    skips = is_other_language(facts.language, wanted)
    return Classified(page.identity, priority(signals), facts.language, skips, clusters)


def _age(lastmod: str | None, now: datetime) -> float | None:
    """Return the days since the page changed according to its sitemap; None if the date is missing or unreadable."""
    try:
        moment = datetime.fromisoformat(lastmod) if lastmod else None
    except ValueError:
        return None
    if moment is None:
        return None
    return max(0.0, (now - (moment if moment.tzinfo else moment.replace(tzinfo=UTC))).total_seconds() / _DAY)
