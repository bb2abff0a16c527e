"""Stage 2: breadth first over links, from the seeds to the end of the site or of the limits (seeds 002 and 004)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.discovery.stage import StageReport, format_count
from headwater.discovery.stages.soft_404 import detect_soft_404
from headwater.discovery.visits.batching import save_in_batches
from headwater.discovery.visits.crash_record import MAX_CRASHES, CrashRecord
from headwater.discovery.visits.crawl_loop import CrawlLoop
from headwater.fetch.credentials import origin_of
from headwater.model import DiscoveredUrl, Evidence
from headwater.urls import Scope, judge, spell_url
from headwater.urls.identity import compute_identity
from headwater.urls.parsing import parse_seed_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.discovery.stage import ScanContext, ScanProgress
    from headwater.settings import Settings
    from headwater.store import Store


class CrawlStage:
    """Follows links, if the sitemaps did not suffice."""

    name = "crawl"

    def is_needed(self, settings: Settings, progress: ScanProgress) -> bool:
        """Seeds 001 and 004: only when the sitemaps gave fewer URLs than the threshold."""
        return self.name in settings.stages and (
            settings.always_crawl or progress.sitemap_urls < settings.crawl_threshold
        )

    async def run(self, context: ScanContext) -> StageReport:
        """Visit everything within reach."""
        before = context.store.listed(context.scan)
        enqueue_seeds(context.store, context.scan, choose_start_urls(context.seeds, context.settings), context.settings)
        if context.settings.crawl_from in {"sitemaps", "everything"}:
            context.store.enqueue_listed(context.scan, 0 if context.settings.crawl_from == "sitemaps" else None)
        if not context.is_over:
            await context.run_until_deadline(detect_soft_404(context))
        loop = await crawl(context)
        while _enqueue_more(context):
            loop = await crawl(context)
        counts, found = context.store.counts(context.scan), context.store.listed(context.scan) - before
        visited = counts.fetched + counts.failed
        context.progress = context.progress._replace(visited=visited)
        content = {
            "depth_reached": loop.depth, "pages_visited": visited, "urls_found": found,
            "fetched": counts.fetched, "failed": counts.failed, "waiting": counts.waiting, "limit": loop.limit_reached,
        }  # fmt: skip
        context.add_evidence(Evidence("crawl_stats", context.seeds[0], counts.fetched > 0, content=content))
        limit = loop.limit_reached if counts.waiting or counts.held else ""
        return StageReport(self.name, "done", found, note=f"{format_count(visited, 'page')} visited", limit=limit)


def _enqueue_more(context: ScanContext) -> bool:
    """Once all else was visited: what an earlier scan had, and pages that failed under one of their spellings."""
    if context.store.next_depth(context.scan) is not None:
        return False
    return _enqueue_missing(context) or context.store.retry_other_spellings(context.scan) > 0


def _enqueue_missing(context: ScanContext) -> bool:
    """Pages that an earlier scan visited and no link leads to any more are asked for: gone, or only out of sight?

    Where a limit keeps them from being visited too they wait, and the scan with them.
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
    save_in_batches(context.store, context.scan, (), missing, {}, limit=context.settings.batch_size)
    return bool(missing)


def choose_start_urls(seeds: Sequence[str], settings: Settings) -> list[str]:
    """Where the crawl begins: at the seeds, or at the homepages of their hosts (seed 001)."""
    if settings.crawl_from != "homepage":
        return list(seeds)
    return list(dict.fromkeys(f"{origin_of(parse_seed_url(seed))}/" for seed in seeds))


def enqueue_seeds(store: Store, scan: int, seeds: Sequence[str], settings: Settings) -> None:
    """Put the seeds where the loop finds them."""
    found = build_seeds(seeds, Scope.from_settings(seeds, settings))
    save_in_batches(store, scan, (), found, {}, limit=settings.batch_size)


def build_seeds(seeds: Sequence[str], scope: Scope) -> list[DiscoveredUrl]:
    """The seeds as if a page had revealed them."""
    found = []
    for seed in seeds:
        spelling = spell_url(parse_seed_url(seed), scope.policy)
        assert spelling is not None
        fetch_url, url, key = spelling
        found.append(DiscoveredUrl(compute_identity(key), key, url, fetch_url, "page", 0, 0, "", "seed"))
    return found


async def crawl(context: ScanContext) -> CrawlLoop:
    """Visit what waits in the store; gives the loop, which knows how it went."""
    settings, store, scan, listener = context.settings, context.store, context.scan, context.listener
    for url in store.redirected_seeds(scan):  # known when a scan goes on that was interrupted
        context.site.scope = context.site.scope.moved_to(url)
    store.release_held(scan, settings.max_urls_per_source)
    counts = store.counts(scan)
    budget = min((one for one in (settings.max_pages, settings.max_urls) if one is not None), default=None)
    seeds = build_seeds(choose_start_urls(context.seeds, settings), context.site.scope)
    with CrashRecord(f"{store.path}-examining-{scan}" if store.path else "") as blackbox:
        victim = blackbox.take_crashed_page(scan)
        if victim is not None:
            store.record_crash(scan, victim, MAX_CRASHES)
        loop = CrawlLoop(
            context.site,
            context.stack.one_hop,
            store,
            scan,
            parallel=settings.max_parallel,
            batch_size=settings.batch_size,
            max_pages=budget,
            budget_name="max_pages" if budget == settings.max_pages else "max_urls",
            max_depth=settings.max_depth,
            max_urls=settings.max_urls_per_source,
            max_links=settings.max_links,
            max_redirects=settings.max_redirects,
            seeds=[one.identity for one in seeds],
            ready=context.preloaded,
            previous=context.previous,
            blackbox=blackbox,
            renderer=context.renderer,
            budget=context.limits.memory,
            on_found=listener.on_found,
            on_failed=listener.on_failed,
            on_settled=listener.on_saved,
        )
        if counts.known > len(seeds) or counts.waiting < counts.known:
            loop.resume(counts)
        if listener.on_crawl_started:
            listener.on_crawl_started(loop)
        with context.stop_at_deadline(loop):
            await loop.run()
        return loop
