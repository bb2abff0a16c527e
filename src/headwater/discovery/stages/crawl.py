"""Follow links breadth first from the seeds, until the site is exhausted or a limit is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.discovery.stage import Stage, StageReport
from headwater.discovery.stages.hint_prober import HintProber, list_robots_hints
from headwater.discovery.stages.index_reader import IndexReader, list_usual_files
from headwater.discovery.stages.soft_404 import detect_soft_404
from headwater.discovery.visits.batching import BatchWriter
from headwater.discovery.visits.crash_record import MAX_CRASHES, CrashRecord
from headwater.discovery.visits.crawl_loop import CrawlLoop
from headwater.discovery.visits.crawl_session import CrawlLimits, CrawlSession
from headwater.discovery.visits.hint_queue import HintQueue
from headwater.discovery.visits.index_queue import IndexQueue
from headwater.frontier.hints import HINT_SOURCES
from headwater.model import DiscoveredUrl, Evidence
from headwater.plurals import format_count
from headwater.urls import judge, spell_url
from headwater.urls.identity import compute_identity
from headwater.urls.parsing import get_origin, parse_seed_url

if TYPE_CHECKING:
    from headwater.discovery.context import ScanContext, ScanProgress
    from headwater.settings import Settings
    from headwater.store import Counts

COMPLETE_LIMITS = frozenset({"", "max_depth", "per_shape"})
"""Limits after which the crawl is complete: pages beyond them were excluded on purpose."""


class CrawlStage(Stage):
    """Visits the pages of the site."""

    name = "crawl"

    def is_needed(self, settings: Settings, progress: ScanProgress) -> bool:
        """Return True if the sitemaps listed fewer URLs than the threshold."""
        return self.name in settings.stages and (
            settings.always_crawl or progress.sitemap_urls < settings.crawl_threshold
        )

    def explain_skip(self, settings: Settings) -> str:
        """Return the reason why the stage is not needed."""
        return super().explain_skip(settings) or "the sitemaps list enough URLs"

    async def run(self, context: ScanContext) -> StageReport:
        """Visit every page within the limits."""
        store, scan, settings = context.store, context.scan, context.settings
        before = store.count_listed(scan)
        enqueue_seeds(context)
        if settings.crawl_from in {"sitemaps", "everything"}:
            store.enqueue_listed(scan, 0 if settings.crawl_from == "sitemaps" else None)
        if not context.deadline.is_over:
            await context.deadline.limit(detect_soft_404(context))
        indexes = IndexQueue(store, scan, settings.sources) if settings.sources else None
        if indexes is not None:
            indexes.add(list_usual_files(context))
        hints = HintQueue(store, scan, settings.sources) if HINT_SOURCES.keys() & set(settings.sources) else None
        prober = HintProber(context, hints) if hints is not None else None
        if hints is not None and "robots" in settings.sources:
            hints.add("robots.txt", await context.deadline.limit(list_robots_hints(context)) or ())
        loop = await crawl(context, indexes, hints)
        while (
            await _read_indexes(context, indexes, hints)
            or await _probe_hints(context, prober)
            or _enqueue_more(context)
        ):
            loop = await crawl(context, indexes, hints)
        counts, found = store.counts(scan), store.count_listed(scan) - before
        visited = counts.fetched + counts.failed
        context.state.progress = context.state.progress._replace(visited=visited)
        context.add_evidence(_make_evidence(context, loop, counts, found))
        limit = loop.limit_reached if counts.candidates or counts.held else find_shape_limit(context)
        note = f"{format_count(visited, 'page')} visited"
        return StageReport(self.name, "done", found, note=note, limit=limit, is_complete=limit in COMPLETE_LIMITS)


def _make_evidence(context: ScanContext, loop: CrawlLoop, counts: Counts, found: int) -> Evidence:
    content = {
        "depth_reached": loop.depth, "pages_visited": counts.fetched + counts.failed, "urls_found": found,
        "fetched": counts.fetched, "failed": counts.failed, "waiting": counts.candidates, "limit": loop.limit_reached,
    }  # fmt: skip
    return Evidence("crawl_stats", context.seeds[0], counts.fetched > 0, content=content)


def find_shape_limit(context: ScanContext) -> str:
    """Return `per_shape` if that setting left pages unvisited, else an empty string."""
    is_limited = context.settings.per_shape is not None and context.store.count_unvisited_by_shape(context.scan) > 0
    return "per_shape" if is_limited else ""


async def _read_indexes(context: ScanContext, indexes: IndexQueue | None, hints: HintQueue | None) -> bool:
    """Once no candidates are left, read the index files that pages named; return True if they list new pages."""
    if indexes is None or context.store.next_depth(context.scan) is not None or context.deadline.is_over:
        return False
    if await IndexReader(context, indexes, hints).read_all():
        context.store.enqueue_listed(context.scan, None)
    return context.store.next_depth(context.scan) is not None


async def _probe_hints(context: ScanContext, prober: HintProber | None) -> bool:
    """Once no candidates are left, request URLs that no link leads to; return True if some of them are pages."""
    if prober is None or context.store.next_depth(context.scan) is not None or context.deadline.is_over:
        return False
    counts, max_pages = context.store.counts(context.scan), CrawlLimits.from_settings(context.settings).max_pages
    if counts.held or (max_pages is not None and counts.fetched + counts.failed >= max_pages):
        return False
    return bool(await context.deadline.limit(prober.probe()))


def _enqueue_more(context: ScanContext) -> bool:
    """Once no candidates are left, enqueue pages of the previous scan, then other spellings of failed pages."""
    if context.store.next_depth(context.scan) is not None:
        return False
    return _enqueue_missing(context) or context.store.retry_other_spellings(context.scan) > 0


def _enqueue_missing(context: ScanContext) -> bool:
    """Enqueue pages that the previous scan visited and no link leads to now: they may be gone, or only unlinked.

    If a limit keeps them from being visited, they stay in the frontier and the scan is incomplete.
    """
    if context.previous is None:
        return False
    missing = [
        DiscoveredUrl(
            compute_identity(page.key), page.key, page.url, page.fetch_url, "page", page.depth or 0, 0, "", "previous",
            text=page.text or "", hops=page.hops,
        )
        for page in context.store.unreached_pages(context.scan, context.previous)
        if not page.hops or judge(page.url, context.site.scope, hops=page.hops - 1).allowed
    ]  # fmt: skip
    BatchWriter(context.store, context.scan, context.settings.batch_size).save((), missing, {})
    return bool(missing)


def enqueue_seeds(context: ScanContext) -> None:
    """Put the seeds into the frontier."""
    BatchWriter(context.store, context.scan, context.settings.batch_size).save((), _build_seeds(context), {})


def _build_seeds(context: ScanContext) -> list[DiscoveredUrl]:
    """Return the URLs where the crawl starts: the seeds, or the homepages of their hosts."""
    start_urls = [parse_seed_url(seed) for seed in context.seeds]
    if context.settings.crawl_from == "homepage":
        start_urls = [f"{get_origin(seed)}/" for seed in start_urls]
    found = []
    for start in dict.fromkeys(start_urls):
        spelling = spell_url(start, context.site.scope.policy)
        assert spelling is not None
        fetch_url, url, key = spelling
        found.append(DiscoveredUrl(compute_identity(key), key, url, fetch_url, "page", 0, 0, "", "seed"))
    return found


async def crawl(context: ScanContext, indexes: IndexQueue | None = None, hints: HintQueue | None = None) -> CrawlLoop:
    """Visit all candidates in the store; return the loop, which has the counts."""
    settings, store, scan, listener = context.settings, context.store, context.scan, context.listener
    for url in store.redirected_seeds(scan):  # not empty if the scan was interrupted
        context.site.scope = context.site.scope.extended_to(url)
    store.release_held(scan, settings.max_urls_per_source)
    counts = store.counts(scan)
    seeds = [one.identity for one in _build_seeds(context)]
    with CrashRecord(f"{store.path}-examining-{scan}" if store.path else "") as record:
        crashed_page = record.take_crashed_page(scan)
        if crashed_page is not None:
            store.record_crash(scan, crashed_page, MAX_CRASHES)
        session = CrawlSession(
            store, scan, seeds, context.previous, context.state.preloaded, context.state.wall_targets, indexes, hints,
            record, context.limits.memory,
        )  # fmt: skip
        limits = CrawlLimits.from_settings(settings)
        loop = CrawlLoop(
            session, limits, context.site, context.stack.no_redirect_fetcher, context.renderer, listener=listener
        )
        if counts.known > len(seeds) or counts.candidates < counts.known:
            loop.resume(counts)
        if listener.on_crawl_started:
            listener.on_crawl_started(loop)
        with context.deadline.applied_to(loop):
            await loop.run()
        return loop
