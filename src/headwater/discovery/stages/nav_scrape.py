"""Stage 0: the root page's own navigation (seed 004): structural links, their texts as titles, importance 1.0."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from headwater.discovery.stage import StageReport, format_count
from headwater.discovery.stages.url_collector import SourceLimits, UrlCollector
from headwater.model import Evidence, FetchFailure, Request, SourceMetadata
from headwater.pages.documents.head import Head
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.navigation import find_navigation_links, find_sitemap_hints
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_href
from headwater.urls.parsing import resolve
from headwater.urls.query_encoding import encode_query, get_query_codec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.discovery.stage import ScanContext, ScanProgress
    from headwater.model import Region, Response
    from headwater.settings import Settings

NAVIGATION_IMPORTANCE = 1.0
MAX_CONCURRENT_PAGES = 10
"""Start pages requested together; one that hangs keeps only these waiting."""

MAX_SECONDS = 60.0
"""Seconds after which no further start pages are requested; the crawl visits them all."""

NOT_MODIFIED = 304
NavigationLinks = list[tuple[str, str, "Region"]]


class NavigationStage:
    """Reads the root page of each seed."""

    name = "nav"

    def is_needed(self, settings: Settings, progress: ScanProgress) -> bool:
        """It always is, where it is wanted."""
        return self.name in settings.stages

    async def run(self, context: ScanContext) -> StageReport:
        """List the navigation of every seed's page."""
        before = context.progress.navigation_urls
        roots, problems = context.seed_urls, []
        clock = asyncio.get_running_loop()
        end = clock.time() + MAX_SECONDS
        while roots and clock.time() < end:
            group, roots = roots[:MAX_CONCURRENT_PAGES], roots[MAX_CONCURRENT_PAGES:]
            requests = [self._request(root, context) for root in group]
            results = await asyncio.gather(*map(context.stack.fetch, requests))
            problems += [self._take(root, result, context) for root, result in zip(group, results, strict=True)]
        urls = context.progress.navigation_urls - before
        note = "; ".join(filter(None, problems))
        if roots:
            note = "; ".join(
                filter(None, (note, f"the time was up, {format_count(len(roots), 'start page')} not read"))
            )
        state = "failed" if all(problems) else "timed-out" if roots else "done"
        return StageReport(self.name, state, urls, note=note)

    def _take(self, root: str, result: Response | FetchFailure, context: ScanContext) -> str:
        """List the navigation of a page; return why there is none."""
        if isinstance(result, FetchFailure):
            context.add_evidence(Evidence("nav_scrape", root, False, result.status, f"{result.reason} {result.detail}"))
            return result.reason
        if result.url != root:
            self._follow(root, result, context)
        context.preloaded[result.url] = result
        context.final_urls.append(result.url)
        links, hints = (
            self._load_navigation(root, context) if result.status == NOT_MODIFIED else _parse_navigation(result)
        )
        context.sitemap_hints += hints
        listing = UrlCollector(
            context,
            "navigation",
            SourceMetadata(importance=NAVIGATION_IMPORTANCE),
            SourceLimits(context.settings),
            result.url,
        )
        for url, text, region in links:
            listing.add(url, text=text, region=region)
        listing.flush()
        context.progress = context.progress._replace(navigation_urls=context.progress.navigation_urls + listing.count)
        content = {
            "links": listing.count, "requested": root, "skipped": dict(listing.refused), "hints": hints, "found": links,
        }  # fmt: skip
        context.add_evidence(Evidence("nav_scrape", result.url, True, result.status, content=content))
        return ""

    def _request(self, root: str, context: ScanContext) -> Request:
        """Ask for what is new only, if an earlier scan kept what the page had."""
        spelling = spell_href(root, context.site.scope.policy)
        if context.renderer is not None and context.renderer.was_opened(spelling.url):
            return Request(root)
        identity = compute_identity(spelling.key)
        was = context.store.visited(context.previous, identity) if context.previous is not None else None
        is_kept = was is not None and bool(_load_previous(root, context))
        return Request(root, "page", was.etag, was.last_modified) if was is not None and is_kept else Request(root)

    def _load_navigation(self, root: str, context: ScanContext) -> tuple[NavigationLinks, list[str]]:
        """What the earlier scan found on the page."""
        kept = _load_previous(root, context)
        links: Any = kept.get("found", [])
        hints: Any = kept.get("hints", [])
        return [(url, text, region) for url, text, region in links], list(hints)

    def _follow(self, root: str, result: Response, context: ScanContext) -> None:
        """A root that redirects to another host takes the scope there, and the evidence says so."""
        scope = context.site.scope
        if not scope.get_base_paths_for_url(result.url):
            context.site.scope = scope.moved_to(result.url)
        hops = [{"url": hop.url, "status": hop.status} for hop in result.hops]
        context.add_evidence(Evidence("redirect", root, True, content={"to": result.url, "hops": hops}))


def restore_navigation(context: ScanContext) -> None:
    """What later stages need of it when an interrupted discovery goes on: hints, and where the scope moved to."""
    for one in context.store.evidence(context.scan, "nav_scrape"):
        hints: Any = one.content.get("hints", [])
        context.sitemap_hints += hints if one.success else []
        if one.success and not context.site.scope.get_base_paths_for_url(one.url):
            context.site.scope = context.site.scope.moved_to(one.url)
        if one.success:
            context.final_urls.append(one.url)


def _load_previous(root: str, context: ScanContext) -> Mapping[str, object]:
    """What the earlier scan noted of this root; nothing if there was none."""
    earlier = context.store.evidence(context.previous, "nav_scrape") if context.previous is not None else []
    return next((one.content for one in earlier if one.success and one.content.get("requested") == root), {})


def _parse_navigation(response: Response) -> tuple[NavigationLinks, list[str]]:
    """The navigation of a page, and the sitemaps and feeds it names."""
    document = parse_html(response.body, response.charset)
    found, codec = find_navigation_links(document), get_query_codec(document.encoding)
    if codec:
        found = [link._replace(href=encode_query(link.href, codec)) for link in found]
    base = resolve(Head.from_document(document).base, response.url) or response.url
    links = [(resolve(link.href, base), link.text, link.region) for link in found]
    hints = [resolve(href, base) for href in find_sitemap_hints(document)]
    return [(url, text, region) for url, text, region in links if url], [url for url in hints if url]
