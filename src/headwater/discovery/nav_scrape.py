"""Stage 0: the root page's own navigation (seed 004): structural links, their texts as titles, importance 1.0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.discovery.listing import Caps, Listing
from headwater.discovery.stage import StageReport
from headwater.model import Evidence, Extra, Outcome, Request
from headwater.pages.html import parse_html
from headwater.pages.navigation import navigation_links, sitemap_hints
from headwater.urls.parse import resolve, seed_url

if TYPE_CHECKING:
    from headwater.discovery.stage import Context, Progress
    from headwater.model import Response
    from headwater.settings import Settings

IMPORTANCE = 1.0


class NavScrape:
    """Reads the root page of each seed."""

    name = "nav"

    def is_needed(self, settings: Settings, progress: Progress) -> bool:
        """It always is, where it is wanted."""
        return self.name in settings.stages

    async def run(self, context: Context) -> StageReport:
        """List the navigation of every seed's page."""
        before = context.progress.navigation_urls
        problems = [problem for seed in context.seeds if (problem := await self._scrape(seed_url(seed), context))]
        urls = context.progress.navigation_urls - before
        is_failed = len(problems) == len(context.seeds)
        return StageReport(self.name, "failed" if is_failed else "done", urls, note="; ".join(problems))

    async def _scrape(self, root: str, context: Context) -> str:
        result = await context.stack.fetch(Request(root))
        if isinstance(result, Outcome):
            context.add_evidence(Evidence("nav_scrape", root, False, result.status, f"{result.reason} {result.detail}"))
            return result.reason
        if result.url != root:
            self._follow(root, result, context)
        context.ready[result.url] = result
        document = parse_html(result.body, result.charset)
        context.hints += [url for href in sitemap_hints(document) if (url := resolve(href, result.url))]
        listing = Listing(context, "navigation", Extra(importance=IMPORTANCE), Caps(context.settings), result.url)
        for link in navigation_links(document):
            url = resolve(link.href, result.url)
            if url is not None:
                listing.add(url, text=link.text, region=link.region)
        listing.flush()
        context.progress = context.progress._replace(navigation_urls=context.progress.navigation_urls + listing.count)
        content = {"links": listing.count, "requested": root, "skipped": dict(listing.refused)}
        context.add_evidence(Evidence("nav_scrape", result.url, True, result.status, content=content))
        return ""

    def _follow(self, root: str, result: Response, context: Context) -> None:
        """A root that redirects to another host takes the scope there, and the evidence says so."""
        scope = context.site.scope
        if not scope.base_paths_of(result.url):
            context.site.scope = scope.moved_to(result.url)
        hops = [{"url": hop.url, "status": hop.status} for hop in result.hops]
        context.add_evidence(Evidence("redirect", root, True, content={"to": result.url, "hops": hops}))
