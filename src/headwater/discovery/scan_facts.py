"""Gather the facts that explain why a scan found few pages, and store the explanation with the scan."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from headwater.diagnosis import FEW_PAGES, ScanFacts, diagnose
from headwater.model import Evidence
from headwater.store.diagnosis import DIAGNOSIS
from headwater.store.rows import SITEMAP_SOURCES
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_href
from headwater.urls.parsing import get_authority

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.discovery.context import ScanContext
    from headwater.discovery.stage import StageReport
    from headwater.model import Page

MAX_ROWS = 20_000
"""URLs that are read; the others would hardly change the explanation."""

MAX_REDIRECTS = 20
FIRST_ERROR_STATUS = 400
_FOLLOWED_STATES = frozenset({"fetched"})


def store_diagnosis(context: ScanContext, reports: Sequence[StageReport]) -> None:
    """Explain the scan if it found few pages and neither a limit nor the user ended it."""
    is_ended_early = any(report.limit for report in reports) or context.deadline.is_over
    if is_ended_early or context.store.count_listed(context.scan) > FEW_PAGES:
        return
    found = diagnose(gather_facts(context))
    content = {"causes": [one._asdict() for one in found]}
    context.add_evidence(Evidence(DIAGNOSIS, context.seeds[0], content=content))


def gather_facts(context: ScanContext) -> ScanFacts:
    """Return the facts of a scan, from its store and from what the stages noted."""
    rows = list(islice(context.store.pages(context.scan), MAX_ROWS))
    seed = context.seed_urls[0]
    start, redirected_to = _find_start(context, seed)
    evidence = context.store.evidence(context.scan)
    sitemaps = [one for one in evidence if one.kind == "sitemap_fetch"]
    robots = [one for one in evidence if one.kind == "robots_txt"]
    read = [one for one in sitemaps if one.success]
    failed_start = start is not None and start.state not in _FOLLOWED_STATES
    return ScanFacts(
        seed=seed,
        pages=context.store.count_listed(context.scan),
        start_reason=(start.reason or "") if start is not None and failed_start else "",
        start_status=start.status if start is not None else None,
        start_type=(start.content_type or "") if start is not None else "",
        redirected_to=redirected_to,
        protection=next((str(text) for one in evidence if (text := one.content.get("protection"))), ""),
        has_robots=any(one.success for one in robots),
        names_sitemap=any(bool(one.content.get("sitemaps_found")) for one in robots),
        reads_sitemaps="sitemaps" in context.settings.stages,
        sitemap_files=len(read),
        sitemap_urls=sum(count for one in read if isinstance(count := one.content.get("urls_found"), int)),
        blocked_sitemap=next((_describe(one) for one in sitemaps if one.content.get("meaning") == "blocked"), ""),
        link_hosts=_count_hosts(rows, is_listed=False),
        sitemap_hosts=_count_hosts(rows, is_listed=True),
        reasons=_count_reasons(context, rows),
        scripted=context.site.scripted_pages,
        opened=context.renderer.opened if context.renderer is not None else 0,
        browser_problem=_find_browser_problem(context),
        render=context.settings.render,
        posts=sum(page.kind == "endpoint" and page.attribute == "POST" for page in rows),
        nofollow=context.site.nofollow_pages,
        has_session=context.settings.has_session,
    )


def _find_start(context: ScanContext, seed: str) -> tuple[Page | None, str]:
    """Return the page that the seed leads to, and its URL if the seed redirected to it."""
    policy, url, page = context.site.scope.policy, seed, None
    for _ in range(MAX_REDIRECTS):
        page = context.store.page(context.scan, compute_identity(spell_href(url, policy).key))
        if page is None or not page.redirect_to:
            break
        url = page.redirect_to
    wall_targets = context.state.wall_targets
    if page is not None and page.url in wall_targets:
        return page, wall_targets[page.url]
    return page, url if url != seed else ""


def _count_hosts(rows: Sequence[Page], *, is_listed: bool) -> Counter[str]:
    """Count the URLs of other hosts that sitemaps list, or that pages link to."""
    return Counter(
        get_authority(page.fetch_url)
        for page in rows
        if page.kind == "external" and page.reason == "other-host"
        and any(source in SITEMAP_SOURCES for source in page.sources) == is_listed
    )  # fmt: skip


def _count_reasons(context: ScanContext, rows: Sequence[Page]) -> Counter[str]:
    reasons = Counter(context.store.counts(context.scan).skipped)
    reasons.update(page.reason for page in rows if page.kind == "page" and page.state == "failed" and page.reason)
    return reasons


def _find_browser_problem(context: ScanContext) -> str:
    renderer = context.renderer
    return renderer.browser.unavailable_reason if renderer is not None and renderer.missed else ""


def _describe(sitemap: Evidence) -> str:
    is_error = sitemap.status is not None and sitemap.status >= FIRST_ERROR_STATUS
    return f"{sitemap.url} {f'answered {sitemap.status}' if is_error else 'is a check for robots'}"
