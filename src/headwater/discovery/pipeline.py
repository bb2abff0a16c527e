"""Run the stages of a scan in order, each only if it is needed; a failed stage does not stop the others."""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.discovery.context import ScanContext, ScanState, to_fetch_urls
from headwater.discovery.progress_reporter import report_progress
from headwater.discovery.scan_facts import store_diagnosis
from headwater.discovery.session_check import record_lost_session
from headwater.discovery.stage import TIME_UP, StageReport, run_isolated
from headwater.discovery.stage_names import OPTIONAL_STAGES
from headwater.discovery.stages.classification import ClassificationStage
from headwater.discovery.stages.crawl import CrawlStage
from headwater.discovery.stages.external_links import ExternalLinkStage
from headwater.discovery.stages.nav_scrape import NavigationStage
from headwater.discovery.stages.render import Renderer, RenderStage
from headwater.discovery.stages.sitemaps import SitemapStage
from headwater.examination import SiteState
from headwater.fetch import FetchStack
from headwater.fetch.session_loading import load_session
from headwater.frontier.render_policy import RenderPolicy
from headwater.frontier.session_watch import SessionWatch
from headwater.frontier.traps import TrapDetector
from headwater.model import Evidence
from headwater.pages.documents.login_forms import NO_SIGNS
from headwater.pages.extraction import compile_extractors
from headwater.pages.links.link_filter import LinkFilter
from headwater.store.records import read_extract_setting
from headwater.urls import Scope
from headwater.urls.parsing import parse_seed_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from headwater.discovery.context import ScanProgress, ScanTask
    from headwater.discovery.deadline import ScanDeadline
    from headwater.discovery.stage import Stage
    from headwater.settings import Settings
    from headwater.store import Store

STAGES: tuple[Stage, ...] = (
    NavigationStage(), SitemapStage(), CrawlStage(), RenderStage(), ExternalLinkStage(), ClassificationStage(),
)  # fmt: skip


@asynccontextmanager
async def open_context(task: ScanTask, deadline: ScanDeadline) -> AsyncIterator[ScanContext]:
    """Open the connections of a scan, and close them at the end."""
    seeds, settings, store, scan = task.scan.seeds, task.settings, task.store, task.scan.number
    site = _create_site(seeds, settings)
    previous = store.previous_scan(scan) if site.keeps_hashes else None
    site.reuses_values = previous is None or _read_extract(store, previous) == settings.extract
    credential_urls = [*map(parse_seed_url, seeds), *to_fetch_urls(seeds, site.scope)]
    async with FetchStack(settings, credential_urls, task.may_request) as stack:
        deadline.start(settings.max_time)
        state, renderer = ScanState(), None
        try:
            async with report_progress(task, state) as listener:
                context = ScanContext(
                    seeds, settings, store, scan, site, stack, listener, task.limits, deadline, previous, state=state
                )
                if site.rendering is not None:
                    renderer = Renderer(context)
                yield replace(context, renderer=renderer)
        finally:
            if renderer is not None:
                await renderer.aclose()


def _read_extract(store: Store, scan: int) -> tuple[str, ...]:
    stored = store.scan(scan)
    return read_extract_setting(stored) if stored is not None else ()


def _create_site(seeds: Sequence[str], settings: Settings) -> SiteState:
    is_crawl_only = set(settings.stages) == {CrawlStage.name}
    renders = settings.render == "always" or (settings.render == "auto" and RenderStage.name in settings.stages)
    return SiteState(
        Scope.from_settings(seeds, settings),
        keeps_links=settings.links == "all",
        counts_inlinks=not is_crawl_only,
        keeps_skipped=settings.keep_skipped,
        obeys_meta_robots=settings.meta_robots == "obey",
        keeps_hashes=not is_crawl_only,
        merges_views=settings.merge_views and not is_crawl_only,
        traps=TrapDetector(samples_files=settings.sample_files),
        reads_indexes=bool({"indexes", "apis"} & set(settings.sources)),
        reads_scripts="scripts" in settings.sources,
        reads_forms="forms" in settings.sources,
        rendering=RenderPolicy(renders_all=settings.render == "always") if renders else None,
        link_filter=LinkFilter.from_settings(settings),
        max_links_per_page=settings.max_links_per_page,
        skips_walls=settings.skip_walls or settings.login is not None,
        analyzes_text=settings.analyze,
        extractors=compile_extractors(settings.extract),
        session=SessionWatch() if settings.has_session else None,
        login=load_session(settings).login if settings.login is not None else NO_SIGNS,
    )


async def discover_site(context: ScanContext) -> list[StageReport]:
    """Run the stages that are needed, except those that an interrupted run of the same scan completed."""
    completed = _load_completed_stages(context)
    if context.store.next_depth(context.scan) is not None:
        completed.pop(CrawlStage.name, None)  # URLs that it deferred are candidates again
    context.store.release_held(context.scan, context.settings.max_urls_per_source)
    reports = []
    for stage in _list_stages(context.settings):
        if stage.name in completed and not stage.always_runs:
            reports.append(_restore_stage(stage, completed[stage.name], context))
        else:
            reports.append(await _run_stage(stage, context))
    _summarize(context, reports)
    store_diagnosis(context, reports)
    await record_lost_session(context)
    return reports


def _list_stages(settings: Settings) -> tuple[Stage, ...]:
    """Return the stages of a scan, without optional ones that no setting asks for."""
    left_out = {name for name, setting in OPTIONAL_STAGES.items() if not getattr(settings, setting)}
    return tuple(stage for stage in STAGES if stage.name not in left_out)


def _load_completed_stages(context: ScanContext) -> dict[str, Evidence]:
    """Return the stages that are complete, and those that an earlier slice of this run ended at a deadline.

    A run that ended has stored a summary; a scan resumed after that runs incomplete stages again.
    """
    summaries = context.store.evidence(context.scan, "discovery_summary")
    last_summary = summaries[-1].number if summaries else 0
    ended = {stage.name for stage in STAGES if stage.ends_at_deadline}
    stages = context.store.evidence(context.scan, "stage")
    return {one.url: one for one in stages if one.success or (one.url in ended and one.number > last_summary)}


def _restore_stage(stage: Stage, evidence: Evidence, context: ScanContext) -> StageReport:
    stored = evidence.content.get("progress")
    if isinstance(stored, dict):
        context.state.progress = context.state.progress._replace(**stored)
    stage.restore(context)
    return _restore_report(stage.name, evidence)


async def _run_stage(stage: Stage, context: ScanContext) -> StageReport:
    if not stage.is_needed(context.settings, context.state.progress):
        return _publish_report(context, StageReport(stage.name, "skipped", note=stage.explain_skip(context.settings)))
    _publish_report(context, StageReport(stage.name, "running"))
    started = time.monotonic()
    report = await _run_until_deadline(stage, context)
    report = report._replace(seconds=round(time.monotonic() - started, 3))
    error = "" if report.is_complete else report.note or report.limit
    content = {**report._asdict(), "progress": context.state.progress._asdict()}
    context.add_evidence(Evidence("stage", stage.name, report.is_complete, error=error, content=content))
    return _publish_report(context, report)


async def _run_until_deadline(stage: Stage, context: ScanContext) -> StageReport:
    if not stage.ends_at_deadline:
        return await run_isolated(stage, context)
    report = await context.deadline.limit(run_isolated(stage, context))
    limit = context.deadline.stop_reason
    return report or StageReport(stage.name, "timed-out", note=TIME_UP, limit=limit, is_complete=False)


def _publish_report(context: ScanContext, report: StageReport) -> StageReport:
    context.store.add_event(context.scan, "stage", report._asdict())
    if context.listener.on_stage:
        context.listener.on_stage(report)
    return report


def _restore_report(name: str, evidence: Evidence) -> StageReport:
    urls = evidence.content.get("urls", 0)
    count = urls if isinstance(urls, int) else 0
    if evidence.success:
        return StageReport(name, "done", count, note="done before the interruption")
    state, limit = str(evidence.content.get("state", "failed")), str(evidence.content.get("limit", ""))
    return StageReport(name, state, count, note=evidence.error, limit=limit, is_complete=False)


def _summarize(context: ScanContext, reports: Sequence[StageReport]) -> None:
    """Store the number of URLs by source, and the name of the stage that found most."""
    progress = context.state.progress
    crawled = next((report.urls for report in reports if report.name == CrawlStage.name), 0)
    content = {
        "urls_from_robots": _count_robots_sitemaps(context),
        "urls_from_sitemap": progress.sitemap_urls,
        "urls_from_crawl": crawled,
        "urls_from_navigation": progress.navigation_urls,
        "total": context.store.count_listed(context.scan),
        "sources": context.store.source_counts(context.scan),
        "source": find_main_source(progress, crawled),
        "skipped": dict(context.store.counts(context.scan).skipped),
    }
    context.add_evidence(Evidence("discovery_summary", context.seeds[0], content["total"] != 0, content=content))


def find_main_source(progress: ScanProgress, crawled: int) -> str:
    """Return the main source of URLs: `sitemap`, `crawl`, `sitemap+crawl`, `navigation` or `none`."""
    if progress.sitemap_urls and progress.visited > 1 and crawled:
        return "sitemap+crawl"
    if progress.sitemap_urls:
        return "sitemap"
    return "crawl" if progress.visited else "navigation" if progress.navigation_urls else "none"


def _count_robots_sitemaps(context: ScanContext) -> int:
    robots = context.store.evidence(context.scan, "robots_txt")
    return sum(len(named) for one in robots if isinstance(named := one.content.get("sitemaps_found"), list))
