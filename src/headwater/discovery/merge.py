"""Stage 3: what the pages are once all sources are merged: language, clusters, priority (seed 004)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from headwater.classify import Clustering, Facts, Languages, Signals, is_other_language, priority
from headwater.discovery.stage import StageReport
from headwater.store import Classified

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.discovery.stage import Context, Progress
    from headwater.settings import Settings
    from headwater.store import Told

_DAY = 86_400.0


class Merge:
    """Goes through the pages twice: to count, then to say of each what it is."""

    name = "merge"

    def is_needed(self, settings: Settings, progress: Progress) -> bool:
        """Always: it costs little and everything behind it needs it."""
        return True

    async def run(self, context: Context) -> StageReport:
        """Classify every page that is listed."""
        if context.previous is not None:
            context.store.distrust_sitemaps(context.scan, context.previous)
        languages, clustering = Languages(), Clustering()
        for page in context.store.told(context.scan):
            languages.note(page.url, page.language, page.hreflang)
        for page in context.store.told(context.scan):
            clustering.note(_facts(page, languages))
        clustering.choose()
        count = 0

        def classified() -> Iterator[Classified]:
            nonlocal count
            now = datetime.now(UTC)
            for page in context.store.told(context.scan):
                count += 1
                yield _classified(page, languages, clustering, context.settings.language, now)

        context.store.classify(context.scan, classified())
        clusters = len(context.store.clusters(context.scan))
        return StageReport(self.name, "done", count, note=f"{clusters:,} clusters")


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
    """Days since the page changed, as its sitemap says; a date nobody can read says nothing."""
    try:
        moment = datetime.fromisoformat(lastmod) if lastmod else None
    except ValueError:
        return None
    if moment is None:
        return None
    return max(0.0, (now - (moment if moment.tzinfo else moment.replace(tzinfo=UTC))).total_seconds() / _DAY)
