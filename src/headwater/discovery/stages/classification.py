"""Classify the pages once all sources are merged: language, clusters, priority."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from headwater.classify import (
    Clustering,
    ClusteringInput,
    LanguageClassifier,
    PrioritySignals,
    compute_priority,
    is_other_language,
)
from headwater.discovery.stage import Stage, StageReport
from headwater.discovery.stages.link_analysis import analyze_links
from headwater.discovery.visits.batching import iter_batches
from headwater.store import Classification

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from headwater.discovery.context import ScanContext, ScanProgress
    from headwater.settings import Settings
    from headwater.store import ClassifierInput, Store

BATCH_SIZE = 1000
_SECONDS_PER_DAY = 86_400.0


class ClassificationStage(Stage):
    """Reads the pages four times: for languages, for clusters, to compare clusters, and to classify each page."""

    name = "merge"
    always_runs = True

    def is_needed(self, settings: Settings, progress: ScanProgress) -> bool:
        """Return True: exports and screens need the classification."""
        return True

    async def run(self, context: ScanContext) -> StageReport:
        """Classify every page that is listed."""
        store, scan = context.store, context.scan
        if context.previous is not None:
            store.flag_unreliable_sitemaps(scan, context.previous)
        async with context.limits.get_merge_lock(store.links.next_numbers(scan).kept_links):
            await analyze_links(store, scan, context.settings.batch_size)
        store.mark_duplicates(scan)
        if context.settings.merge_views:
            store.mark_views(scan)
        if context.settings.analyze:
            store.mark_near_duplicates(scan)
        site = await _build_site_model(store, scan)
        store.clear_clusters(scan)
        async for pages in _iter_page_batches(store, scan):
            rows = (site.classify(page, context.settings.language) for page in pages)
            for part in iter_batches(rows, context.settings.batch_size or BATCH_SIZE):
                store.save_classifications(scan, part)
        return StageReport(self.name, "done", site.pages, note=f"{len(store.clusters(scan)):,} clusters")


@dataclass(slots=True)
class _SiteModel:
    """Data about all pages of a site: languages, clusters, number of pages, date of the newest change."""

    languages: LanguageClassifier = field(default_factory=LanguageClassifier)
    clustering: Clustering = field(default_factory=Clustering)
    pages: int = 0
    newest: datetime | None = None

    def note(self, page: ClassifierInput) -> None:
        self.pages += 1
        self.languages.note(page.url, page.language, page.hreflang)
        moment = _parse_lastmod(page.lastmod)
        if moment is not None and (self.newest is None or moment > self.newest):
            self.newest = moment

    def build_clustering_input(self, page: ClassifierInput) -> ClusteringInput:
        language = self.languages.determine_language(page.url, page.language, page.hreflang)
        return ClusteringInput(page.url, page.title, language.code, page.sources)

    def classify(self, page: ClassifierInput, wanted_language: str) -> Classification:
        clustering_input = self.build_clustering_input(page)
        clusters = [
            (cluster.name, cluster.kind, cluster.title) for cluster in self.clustering.get_clusters(clustering_input)
        ]
        is_skipped = is_other_language(clustering_input.language, wanted_language)
        return Classification(
            page.identity, compute_priority(self.build_signals(page)), clustering_input.language, is_skipped, clusters
        )

    def build_signals(self, page: ClassifierInput) -> PrioritySignals:
        """Return the signals of a page; its age is relative to the newest page, so that it does not depend on today."""
        moment = _parse_lastmod(page.lastmod)
        return PrioritySignals(
            is_front_page="seed" in page.sources,
            importance=page.importance,
            sources=page.sources,
            depth=page.depth,
            inlinks=page.inlinks,
            content_inlinks=page.content_inlinks,
            site_pages=self.pages,
            sitemap_priority=page.sitemap_priority,
            age_days=(self.newest - moment).total_seconds() / _SECONDS_PER_DAY if moment and self.newest else None,
        )


async def _build_site_model(store: Store, scan: int) -> _SiteModel:
    """Read the pages for their languages, for their clusters, and to compare the clusters."""
    site = _SiteModel()
    async for pages in _iter_page_batches(store, scan):
        for page in pages:
            site.note(page)
    async for pages in _iter_page_batches(store, scan):
        for page in pages:
            site.clustering.note(site.build_clustering_input(page))
    site.clustering.choose()
    async for pages in _iter_page_batches(store, scan):
        for page in pages:
            site.clustering.count_overlaps(site.build_clustering_input(page))
    site.clustering.drop_duplicates()
    return site


async def _iter_page_batches(store: Store, scan: int) -> AsyncIterator[list[ClassifierInput]]:
    """Yield the pages in batches; other tasks run between two batches."""
    pages = store.classifier_inputs(scan)
    while part := list(islice(pages, BATCH_SIZE)):
        yield part
        await asyncio.sleep(0)


def _parse_lastmod(lastmod: str | None) -> datetime | None:
    """Return the date of a `lastmod`; None if it is missing or invalid."""
    try:
        moment = datetime.fromisoformat(lastmod) if lastmod else None
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
