"""The waterfall: stage after stage, each only if it is needed, each isolated; then all is merged and classified."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from headwater.discovery.progress_reporter import report_progress
from headwater.discovery.stage import Listener, ScanContext, StageReport, run_isolated, to_fetch_urls
from headwater.discovery.stages.classification import ClassificationStage
from headwater.discovery.stages.crawl import CrawlStage
from headwater.discovery.stages.nav_scrape import NavigationStage, restore_navigation
from headwater.discovery.stages.render import Renderer, RenderStage
from headwater.discovery.stages.sitemaps import SitemapStage
from headwater.examination import SiteState
from headwater.fetch import FetchStack
from headwater.fetch.reasons import UNRESPONSIVE
from headwater.frontier.render_policy import RenderPolicy
from headwater.model import Evidence
from headwater.pages.links.link_filter import LinkFilter
from headwater.urls import Scope
from headwater.urls.parsing import parse_seed_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from headwater.discovery.process_limits import ProcessLimits
    from headwater.discovery.stage import ScanProgress, Stage
    from headwater.settings import Settings
    from headwater.store import Counts, Store

STAGES: tuple[Stage, ...] = (NavigationStage(), SitemapStage(), CrawlStage(), RenderStage())
FINAL_STAGE: Stage = ClassificationStage()
INTERRUPTIBLE_STAGES = frozenset({NavigationStage.name, SitemapStage.name})
"""Stages that end when the time is up; the crawl ends by itself, and what follows it makes no requests."""

SITEMAP_LIMITS = frozenset(
    {"sitemaps_deadline", "sitemaps_idle_timeout", "max_sitemap_files", "max_sitemap_failures", UNRESPONSIVE}
)
TRUNCATING_LIMITS = SITEMAP_LIMITS | {"max_time", "max_urls_per_source"}
"""Limits that may leave pages unknown: a scan they cut short is incomplete even if no known URL waits."""


@asynccontextmanager
async def open_context(
    store: Store,
    scan: int,
    seeds: Sequence[str],
    settings: Settings,
    listener: Listener | None = None,
    *,
    may_request: Callable[[], bool] | None = None,
    limits: ProcessLimits | None = None,
) -> AsyncIterator[ScanContext]:
    """What the stages of one discovery are given; its connections are closed at the end.

    `may_request` is asked before every single request; once it says no, the discovery ends with FencedError. `limits`
    are those of the process, where several scans run in it.
    """
    site = SiteState(
        Scope.from_settings(seeds, settings),
        keeps_links=settings.links == "all",
        counts_inlinks=set(settings.stages) != {"crawl"},
        keeps_skipped=settings.keep_skipped,
        obeys_meta_robots=settings.meta_robots == "obey",
        keeps_hashes=set(settings.stages) != {"crawl"},
        link_filter=LinkFilter.from_settings(settings),
        max_links_per_page=settings.max_links_per_page,
    )
    previous = store.previous_scan(scan) if site.keeps_hashes else None
    secrets_for = [*map(parse_seed_url, seeds), *to_fetch_urls(seeds, site.scope)]
    async with FetchStack(settings, secrets_for, may_request) as stack:
        context = ScanContext(
            tuple(seeds), settings, store, scan, site, stack, listener or Listener(), previous=previous
        )
        context.limits = limits or context.limits
        if settings.max_time is not None:
            context.deadline = asyncio.get_running_loop().time() + settings.max_time
        if settings.render == "always" or (settings.render == "auto" and "render" in settings.stages):
            context.renderer, site.rendering = Renderer(context), RenderPolicy(renders_all=settings.render == "always")
        try:
            async with report_progress(context):
                yield context
        finally:
            if context.renderer is not None:
                await context.renderer.aclose()


async def discover_site(context: ScanContext) -> list[StageReport]:
    """Run what is needed; stages that an earlier, interrupted run finished are not run again."""
    done = _load_finished_stages(context)
    if context.store.next_depth(context.scan) is not None:
        done.pop(CrawlStage.name, None)  # what it could not have then waits again
    context.store.release_held(context.scan, context.settings.max_urls_per_source)
    reports = []
    for stage in (*STAGES, FINAL_STAGE):
        if stage.name in done and stage is not FINAL_STAGE:
            context.progress = _restore_progress(context.progress, done[stage.name])
            if stage.name == NavigationStage.name:
                restore_navigation(context)
            reports.append(_restore_report(stage.name, done[stage.name]))
            continue
        reports.append(await _run_stage(stage, context))
    _summarize(context, reports)
    return reports


def _load_finished_stages(context: ScanContext) -> dict[str, Evidence]:
    """Stages that are complete, and those that an earlier slice of the same run ended; `resume_scan` tries the latter again.

    A run that came to its end has left a summary.
    """
    summaries = context.store.evidence(context.scan, "discovery_summary")
    ended = summaries[-1].number if summaries else 0
    stages = context.store.evidence(context.scan, "stage")
    return {one.url: one for one in stages if one.success or (one.url in INTERRUPTIBLE_STAGES and one.number > ended)}


async def _run_stage(stage: Stage, context: ScanContext) -> StageReport:
    if not stage.is_needed(context.settings, context.progress):
        return _publish_report(context, StageReport(stage.name, "skipped", note=_explain_skip(stage, context.settings)))
    _publish_report(context, StageReport(stage.name, "running"))
    started = time.monotonic()
    if stage.name in INTERRUPTIBLE_STAGES:
        ended = await context.run_until_deadline(run_isolated(stage, context))
        report = ended or StageReport(stage.name, "timed-out", note="its time was up", limit=context.stop_reason)
    else:
        report = await run_isolated(stage, context)
    report = report._replace(seconds=round(time.monotonic() - started, 3))
    content = {**report._asdict(), "progress": context.progress._asdict()}
    is_complete = report.limit in {"", "max_depth"}  # what lies deeper was not wanted; it waits, and that is known
    is_done = report.state in {"done", "timed-out"} and is_complete and not _is_robots_missing(stage, context)
    context.add_evidence(
        Evidence("stage", stage.name, is_done, error="" if is_done else report.note or report.limit, content=content)
    )
    return _publish_report(context, report)


def _is_robots_missing(stage: Stage, context: ScanContext) -> bool:
    """Whether a robots.txt that could not be had may name sitemaps that nobody has read."""
    return stage.name == SitemapStage.name and bool(context.robots_unreachable)


def _explain_skip(stage: Stage, settings: Settings) -> str:
    if stage.name not in settings.stages:
        return "not among --stages"
    return "--render never" if stage.name == RenderStage.name else "the sitemaps sufficed"


def _publish_report(context: ScanContext, report: StageReport) -> StageReport:
    context.store.add_event(context.scan, "stage", report._asdict())
    if context.listener.on_stage:
        context.listener.on_stage(report)
    return report


def _restore_progress(now: ScanProgress, stage: Evidence) -> ScanProgress:
    stored = stage.content.get("progress")
    return now._replace(**stored) if isinstance(stored, dict) else now


def _restore_report(name: str, stage: Evidence) -> StageReport:
    urls = stage.content.get("urls", 0)
    count = urls if isinstance(urls, int) else 0
    if stage.success:
        return StageReport(name, "done", count, note="done before the interruption")
    state, limit = str(stage.content.get("state", "failed")), str(stage.content.get("limit", ""))
    return StageReport(name, state, count, note=stage.error, limit=limit)


def _summarize(context: ScanContext, reports: Sequence[StageReport]) -> None:
    """Seed 001: counts by source, and which stage carried the discovery."""
    sources = context.store.source_counts(context.scan)
    by_stage = {report.name: report.urls for report in reports}
    counts = context.store.counts(context.scan)
    content = {
        "urls_from_robots": _count_robots_sitemaps(context),
        "urls_from_sitemap": context.progress.sitemap_urls,
        "urls_from_crawl": by_stage.get("crawl", 0),
        "urls_from_navigation": context.progress.navigation_urls,
        "total": context.store.count_listed(context.scan),
        "sources": sources,
        "source": find_main_source(context.progress, by_stage.get("crawl", 0)),
        "skipped": dict(counts.skipped),
    }
    context.add_evidence(Evidence("discovery_summary", context.seeds[0], content["total"] != 0, content=content))


def compute_end_state(counts: Counts, limit: str) -> str:
    """How a scan ended; what a limit stopped, or what could not be had, `headwater resume` may go on with."""
    if limit == "interrupted":
        return limit
    if counts.held or (limit and (counts.candidates or limit in TRUNCATING_LIMITS)):
        return "limited"
    return "incomplete" if counts.deferred else "done"


def find_incomplete_stages(reports: Sequence[StageReport]) -> list[StageReport]:
    """The stages that failed, or did not read everything they should have."""
    return [one for one in reports if one.state in {"failed", "timed-out"} or one.limit in SITEMAP_LIMITS]


def find_limit(reports: Sequence[StageReport], counts: Counts | None = None) -> str:
    """The limit that cost most: the one that ended the crawl, or an earlier stage, or one that holds pages back."""
    held_by = "max_urls_per_source" if counts is not None and counts.held else ""
    return next((report.limit for report in reversed(reports) if report.limit), held_by)


def find_main_source(progress: ScanProgress, crawled: int) -> str:
    """Which stage carried the discovery: `sitemap`, `crawl`, both, or `navigation` alone."""
    if progress.sitemap_urls and progress.visited > 1 and crawled:
        return "sitemap+crawl"
    if progress.sitemap_urls:
        return "sitemap"
    return "crawl" if progress.visited else "navigation" if progress.navigation_urls else "none"


def _count_robots_sitemaps(context: ScanContext) -> int:
    robots = context.store.evidence(context.scan, "robots_txt")
    return sum(len(named) for one in robots if isinstance(named := one.content.get("sitemaps_found"), list))
