"""List the links in the navigation of the start pages; their texts become titles, their importance is 1.0."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from headwater.discovery.stage import Stage, StageReport
from headwater.discovery.stages.url_collector import SourceLimits, UrlCollector
from headwater.discovery.visits.visit_results import is_reusable
from headwater.model import Evidence, FetchFailure, Request, SourceMetadata
from headwater.pages.documents.access_walls import identify_protection
from headwater.pages.documents.head import Head
from headwater.pages.documents.html_parser import parse_html
from headwater.pages.links.navigation import find_navigation_links, find_sitemap_hints
from headwater.plurals import format_count
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_href
from headwater.urls.parsing import resolve
from headwater.urls.query_encoding import encode_query, get_query_codec
from headwater.urls.recognition.access_urls import find_redirect_wall
from headwater.urls.redirects import extend_to_host

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.discovery.context import ScanContext
    from headwater.model import Region, Response

NAVIGATION_IMPORTANCE = 1.0
MAX_CONCURRENT_PAGES = 10
"""Start pages requested at once; one that hangs delays only these."""

MAX_SECONDS = 60.0
"""Seconds after which no more start pages are requested here; the crawl visits all of them anyway."""

NOT_MODIFIED = 304
NavigationLinks = list[tuple[str, str, "Region"]]


class NavigationStage(Stage):
    """Reads the page of each seed."""

    name = "nav"
    ends_at_deadline = True

    async def run(self, context: ScanContext) -> StageReport:
        """List the navigation of every seed's page."""
        before = context.state.progress.navigation_urls
        roots, problems = context.seed_urls, []
        clock = asyncio.get_running_loop()
        end = clock.time() + MAX_SECONDS
        while roots and clock.time() < end:
            group, roots = roots[:MAX_CONCURRENT_PAGES], roots[MAX_CONCURRENT_PAGES:]
            requests = [self._build_request(root, context) for root in group]
            results = await asyncio.gather(*map(context.stack.fetch, requests))
            problems += [
                self._add_navigation(root, result, context) for root, result in zip(group, results, strict=True)
            ]
        urls = context.state.progress.navigation_urls - before
        unread = f"out of time, {format_count(len(roots), 'start page')} not read" if roots else ""
        note = "; ".join(filter(None, (*problems, unread)))
        state = "failed" if all(problems) else "timed-out" if roots else "done"
        return StageReport(self.name, state, urls, note=note, is_complete=state != "failed")

    def restore(self, context: ScanContext) -> None:
        """Load the sitemap hints of the start pages, and the URLs they redirected to."""
        for one in context.store.evidence(context.scan, "nav_scrape"):
            if one.success:
                hints: Any = one.content.get("hints", [])
                context.state.sitemap_hints += hints
                context.state.final_urls.append(one.url)
                context.site.scope = extend_to_host(context.site.scope, one.url)

    def _add_navigation(self, root: str, result: Response | FetchFailure, context: ScanContext) -> str:
        """List the navigation of a page; return the reason if it could not be loaded."""
        if isinstance(result, FetchFailure):
            protection = identify_protection(result.status, result.headers)
            facts = {"protection": protection} if protection else {}
            error = f"{result.reason} {result.detail}"
            context.add_evidence(Evidence("nav_scrape", root, False, result.status, error, facts))
            return result.reason
        if wall := self._find_wall(root, result, context):
            context.add_evidence(Evidence("nav_scrape", root, False, result.status, f"{wall} {result.url}"))
            return wall
        if result.url != root:
            self._follow(root, result, context)
        context.state.preloaded[result.url] = result
        context.state.final_urls.append(result.url)
        links, hints = (
            self._load_navigation(root, context) if result.status == NOT_MODIFIED else _parse_navigation(result)
        )
        context.state.sitemap_hints += hints
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
        progress = context.state.progress
        context.state.progress = progress._replace(navigation_urls=progress.navigation_urls + listing.count)
        content = {
            "links": listing.count, "requested": root, "skipped": dict(listing.skipped), "hints": hints, "found": links,
        }  # fmt: skip
        context.add_evidence(Evidence("nav_scrape", result.url, True, result.status, content=content))
        return ""

    def _find_wall(self, root: str, result: Response, context: ScanContext) -> str:
        """Return why a start page led to a login or consent page of another host, which is not scanned."""
        is_other_host = not context.site.scope.get_base_paths_for_url(result.url)
        return find_redirect_wall(root, result.url) if context.settings.skip_walls and is_other_host else ""

    def _build_request(self, root: str, context: ScanContext) -> Request:
        """Return a conditional request if an earlier scan stored the navigation of the page."""
        spelling = spell_href(root, context.site.scope.policy)
        if context.renderer is not None and context.renderer.was_opened(spelling.url):
            return Request(root)
        identity = compute_identity(spelling.key)
        previous_visit = (
            context.store.previous_visit(context.previous, identity) if context.previous is not None else None
        )
        if previous_visit is None or not (is_reusable(previous_visit, context.site) and _load_previous(root, context)):
            return Request(root)
        return Request(root, "page", previous_visit.etag, previous_visit.last_modified)

    def _load_navigation(self, root: str, context: ScanContext) -> tuple[NavigationLinks, list[str]]:
        """Return the navigation links and sitemap hints that the previous scan found on the page."""
        kept = _load_previous(root, context)
        links: Any = kept.get("found", [])
        hints: Any = kept.get("hints", [])
        return [(url, text, region) for url, text, region in links], list(hints)

    def _follow(self, root: str, result: Response, context: ScanContext) -> None:
        """Extend the scope to the host that a start page redirected to, and store the redirect as evidence."""
        context.site.scope = extend_to_host(context.site.scope, result.url)
        hops = [{"url": hop.url, "status": hop.status} for hop in result.hops]
        context.add_evidence(Evidence("redirect", root, True, content={"to": result.url, "hops": hops}))


def _load_previous(root: str, context: ScanContext) -> Mapping[str, object]:
    """Return the evidence that the previous scan stored for this start page."""
    earlier = context.store.evidence(context.previous, "nav_scrape") if context.previous is not None else []
    return next((one.content for one in earlier if one.success and one.content.get("requested") == root), {})


def _parse_navigation(response: Response) -> tuple[NavigationLinks, list[str]]:
    """Return the navigation links of a page, and the sitemaps and feeds it names."""
    document = parse_html(response.body, response.charset)
    found, codec = find_navigation_links(document), get_query_codec(document.encoding)
    if codec:
        found = [link._replace(href=encode_query(link.href, codec)) for link in found]
    base = resolve(Head.from_document(document).base, response.url) or response.url
    links = [(resolve(link.href, base), link.text, link.region) for link in found]
    hints = [resolve(href, base) for href in find_sitemap_hints(document)]
    return [(url, text, region) for url, text, region in links if url], [url for url in hints if url]
