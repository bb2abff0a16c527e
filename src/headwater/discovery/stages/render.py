"""Open pages that need JavaScript in a browser during the crawl, and examine the rendered documents.

In adaptive mode a page is opened if its static HTML looks script-built; the results decide for other URLs of the
same shape. Hash routes (`#/route`) are separate pages if their text differs from that of the page without the fragment.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from headwater.discovery.stage import Stage, StageReport
from headwater.discovery.stages.nav_scrape import NAVIGATION_IMPORTANCE, NavigationStage
from headwater.discovery.visits.decisions.opened_pages import SAVED, OpenedPages
from headwater.discovery.visits.decisions.sample_gate import SampleGate
from headwater.discovery.visits.memory_guard import run_examination
from headwater.examination import examine_in_steps, examine_routes, merge_findings
from headwater.examination.render_gain import adds_nothing
from headwater.fetch.browser.page_report import iter_reports, parse_region, parse_route_trigger
from headwater.fetch.browser.polite_browser import PoliteBrowser
from headwater.fetch.failure_reasons import RETRYABLE_REASONS
from headwater.fetch.request_limits import HTML_TYPES
from headwater.frontier.route_clicks import RouteClickPolicy
from headwater.model import Evidence, FetchFailure, Findings, Response, ScriptRoute, SourceMetadata
from headwater.pages.documents.script_inspection import PROMISING_PROBES, RENDER_PROBE_REASON
from headwater.pages.text.hashes import hash_content
from headwater.plurals import format_count
from headwater.store.diagnosis import MISSING_BROWSER

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from headwater.discovery.context import ScanContext, ScanProgress
    from headwater.discovery.visits.memory_guard import MemoryGuard
    from headwater.examination import SiteState
    from headwater.fetch.browser.rendered_page import RenderedPage
    from headwater.frontier.url_cache import UrlCache
    from headwater.model import Candidate, DiscoveredUrl
    from headwater.settings import Settings

ROUTE_PREFIXES = ("#/", "#!")
MAX_TEXT_HASHES = 10_000
NOTHING_LEARNED: Mapping[str, object] = {}


class RenderStage(Stage):
    """Reports the number of pages that the browser opened during the crawl."""

    name = "render"

    def is_needed(self, settings: Settings, progress: ScanProgress) -> bool:
        """Return True if the settings allow rendering; the crawl decides which pages need it."""
        return self.name in settings.stages and settings.render != "never"

    def explain_skip(self, settings: Settings) -> str:
        """Return the reason why the stage is not needed."""
        return super().explain_skip(settings) or "--render never"

    async def run(self, context: ScanContext) -> StageReport:
        """Report the number of pages that the browser opened."""
        renderer = context.renderer
        if renderer is None or not (renderer.opened or renderer.saved or renderer.missed or renderer.missed_probes):
            return StageReport(self.name, "skipped", note="no page needed it", is_complete=False)
        if not (renderer.opened or renderer.saved):
            return self._report_missing_browser(context, renderer)
        failed = f", {renderer.failed:,} failed" if renderer.failed else ""
        saved = f", {renderer.saved:,} unchanged since the last scan" if renderer.saved else ""
        note = f"{format_count(renderer.opened, 'page')} opened{failed}{saved}"
        return StageReport(self.name, "done", renderer.added, note=note)

    def _report_missing_browser(self, context: ScanContext, renderer: Renderer) -> StageReport:
        """Store what a browser would have been used for, and report it."""
        problem, built, probes = renderer.browser.unavailable_reason, renderer.missed, renderer.missed_probes
        if context.settings.render == "auto":  # with `always`, nothing is known about the pages
            content = {"built": built, "probes": probes}
            context.add_evidence(Evidence(MISSING_BROWSER, context.seeds[0], False, error=problem, content=content))
        need = f"{format_count(built, 'page')} {'needs' if built == 1 else 'need'} JavaScript"
        may_gain = f"scripts may add links to {format_count(probes, 'page')}"
        return StageReport(self.name, "skipped", note=f"{need if built else may_gain}; {problem}", is_complete=False)


class RouteResult(NamedTuple):
    """The result of opening a hash route.

    `is_same_page` if it shows the same text as its page, `has_click_gain` if clicking on it led to further pages.
    """

    findings: Findings
    status: int | None = None
    is_same_page: bool = False
    has_click_gain: bool = False
    clicked_elements: Sequence[str] = ()


class Renderer:
    """Opens pages in the browser for the crawl.

    Without a browser, `missed` counts pages that scripts build, and `missed_probes` pages with parts that scripts fill
    or that react to clicks.
    """

    def __init__(self, context: ScanContext) -> None:
        self.opened = self.added = self.failed = self.saved = self.missed = self.missed_probes = 0
        self._context = context
        self._texts: dict[str, int] = {}
        self._opened_before = OpenedPages(context.store, context.previous, context.settings)
        self._route_clicks, self._gate = RouteClickPolicy(), SampleGate()
        self.browser = PoliteBrowser(context.stack, context.settings, context.seed_urls)

    def find_reason(self, candidate: Candidate, response: Response, findings: Findings) -> str:
        """Return the reason to open a page; empty if it is not opened."""
        if response.content_type not in HTML_TYPES:
            return ""
        reason = findings.script_reason or (RENDER_PROBE_REASON if findings.max_probes else "")
        rendering = self._context.site.rendering
        if rendering is None or not rendering.is_wanted(
            candidate.identity,
            is_shell=findings.is_shell,
            max_probes=findings.max_probes,
            template=findings.template,
        ):
            return ""
        reason = reason or "--render always"
        if self.browser.unavailable_reason:
            self.missed += bool(findings.script_reason) or rendering.renders_all
            self.missed_probes += not findings.script_reason and findings.max_probes >= PROMISING_PROBES
            return ""
        return reason

    def was_opened(self, url: str) -> bool:
        """Return True if the previous scan opened the page."""
        return self._opened_before.was_opened(url)

    def can_save(self, candidate: Candidate, response: Response, static: Findings, reason: str) -> bool:
        """Return True if a page need not be opened, because that added nothing to the same page before."""
        rendering = self._context.site.rendering
        if rendering is None or rendering.renders_all or static.script_reason:
            return False
        content = self._opened_before.find_saved(candidate.url, response)
        if content is None:
            return False
        rendering.begin(candidate.identity)
        rendering.learn(candidate.identity, frozenset(), self._context.site.traps.round)
        self.saved += 1
        self._context.add_evidence(Evidence(SAVED, candidate.url, content={"reason": reason, **content}))
        return True

    async def render_page(
        self, candidate: Candidate, guard: MemoryGuard, reason: str, response: Response, static: Findings
    ) -> Findings:
        """Open a page; return the findings that the browser adds to those of the response."""
        rendering, site = self._context.site.rendering, self._context.site
        if rendering is not None:
            rendering.begin(candidate.identity)
        result = await self._open(candidate.fetch_url)
        if isinstance(result, FetchFailure):
            if rendering is not None and result.reason in RETRYABLE_REASONS:
                rendering.discount_failed_render(candidate.identity)
            self.failed += 1
            self._add_evidence(candidate.url, reason, result, 0)
            return Findings([])
        rendered = await _examine_guarded(result, candidate, guard)
        self._remember_text(candidate.fetch_url, result)
        new_pages = rendered.new_pages - static.new_pages
        if not static.script_reason:
            new_pages -= _list_own_views(candidate, rendered)
        added = (
            len(new_pages) if rendering is None else rendering.learn(candidate.identity, new_pages, site.traps.round)
        )
        self.added += added
        is_redundant = self._is_redundant(result, static, rendered)
        self._add_evidence(
            candidate.url, reason, result, added, self._opened_before.remember(response) if is_redundant else {}
        )
        if candidate.depth == 0 and NavigationStage.name in self._context.settings.stages:
            rendered = rendered._replace(found=_add_importance(rendered.found))
        return rendered

    def _is_redundant(self, opened: RenderedPage, static: Findings, rendered: Findings) -> bool:
        """Return True if opening a page added nothing to it; only stored links show that."""
        is_complete = self._context.site.keeps_links and not (opened.problem or opened.moved_to or opened.hints)
        return is_complete and not static.script_reason and adds_nothing(static, rendered)

    async def visit_route(self, candidate: Candidate, guard: MemoryGuard) -> RouteResult | FetchFailure:
        """Open a hash route; only a browser can show how it differs from its page."""
        if self.browser.unavailable_reason:
            self.missed += 1
            return FetchFailure(candidate.url, "no-browser", self.browser.unavailable_reason)
        page = candidate.fetch_url.partition("#")[0]
        clicks = self._route_clicks.get_clicks(page)
        if not clicks.take_sample():
            await self._gate.wait(clicks)
            return await self._explore_route(candidate, guard, page, clicks.barren_elements)
        result: RouteResult | FetchFailure | None = None
        try:
            result = await self._explore_route(candidate, guard, page)
            return result
        finally:
            if isinstance(result, RouteResult):
                clicks.add_result(result.clicked_elements, has_gained=result.has_click_gain)
            else:
                clicks.add_result()
            self._gate.open(clicks)

    async def _explore_route(
        self, candidate: Candidate, guard: MemoryGuard, page: str, known_elements: Sequence[str] = ()
    ) -> RouteResult | FetchFailure:
        if page not in self._texts and not isinstance(opened := await self._open(page), FetchFailure):
            self._remember_text(page, opened)
        result = await self._open(candidate.fetch_url, known_elements)
        if isinstance(result, FetchFailure):
            self.failed += 1
            return result
        text = _hash_text(result)
        if text in self._list_known_texts(candidate, page):
            return RouteResult(Findings([]), result.status, True, False, result.clicked_elements)
        self._remember(candidate.fetch_url, text)
        untouched = replace(result, documents=result.documents[:1], routes={}, moved_to="")
        rendered = first = await _examine_guarded(untouched, candidate, guard)
        if result.routes or result.moved_to or len(result.documents) > 1:
            rendered = merge_findings(first, await _examine_guarded(result, candidate, guard))
        added = sum(one.is_new for one in rendered.found)
        self.added += added
        self._add_evidence(candidate.url, "a hash route", result, added)
        has_click_gain = bool(rendered.new_pages - first.new_pages)
        return RouteResult(rendered, result.status, False, has_click_gain, result.clicked_elements)

    async def aclose(self) -> None:
        """Close the browser."""
        await self.browser.aclose()

    async def _open(self, url: str, known_elements: Sequence[str] = ()) -> RenderedPage | FetchFailure:
        self.opened += 1
        return await self.browser.open(url, known_elements=known_elements)

    def _list_known_texts(self, candidate: Candidate, page: str) -> set[int | None]:
        """Return the texts of the page, and of the route without parameters if the route was found there."""
        route = candidate.fetch_url.partition("?")[0] if candidate.is_suspect else page
        return {self._texts.get(page), self._texts.get(route)}

    def _remember_text(self, url: str, opened: RenderedPage) -> None:
        if opened.documents:
            self._remember(url.partition("#")[0], _hash_text(opened))

    def _remember(self, url: str, text: int) -> None:
        if len(self._texts) < MAX_TEXT_HASHES:
            self._texts[url] = text

    def _add_evidence(
        self,
        url: str,
        reason: str,
        result: RenderedPage | FetchFailure,
        added: int,
        learned: Mapping[str, object] = NOTHING_LEARNED,
    ) -> None:
        if isinstance(result, FetchFailure):
            error = f"{result.reason} {result.detail}".strip()
            self._context.add_evidence(Evidence("render", url, False, result.status, error, {"reason": reason}))
            return
        content = {
            "reason": reason, "added": added, "routes": len(result.routes), "clicks": result.clicks,
            "skipped_clicks": result.skipped_clicks, "moved_to": result.moved_to, **learned,
        }  # fmt: skip
        evidence = Evidence("render", url, not result.problem, result.status, result.problem, content)
        self._context.add_evidence(evidence)


async def _examine_guarded(opened: RenderedPage, page: Candidate, guard: MemoryGuard) -> Findings:
    async with guard:
        steps = _examine_opened(opened, page, guard.site, guard.cache)
        return guard.restore_known(await run_examination(steps), page)


def _examine_opened(
    opened: RenderedPage, page: Candidate, site: SiteState, cache: UrlCache
) -> Generator[None, None, Findings]:
    """Examine every document of an opened page in steps, and then the routes of its scripts."""
    findings = Findings([])
    # Only a server that answers other pages with an error shows which of the hints are pages.
    hints = opened.hints if site.soft_404s else frozenset()
    for document in iter_reports(opened.documents[:1] if hints else opened.documents):
        response = Response(document.base, 200, body=document.html.encode("utf-8", "replace"), charset="utf-8")
        rendered = yield from examine_in_steps(response, page, site, cache, is_rendered=True)
        findings = merge_findings(findings, rendered)
        yield
    routes = examine_routes([one for one in _iter_routes(opened) if one.url not in hints], page, site, cache)
    findings = merge_findings(findings, routes)
    title = opened.documents[-1].title if opened.documents else ""
    return findings._replace(
        title=title[:500] or findings.title,
        script_reason="",
        max_probes=0,
        content_hash=_hash_text(opened) if opened.documents else None,
        wall=findings.wall or ("login-required" if site.login.is_start(opened.moved_to) else ""),
    )


def _iter_routes(opened: RenderedPage) -> Iterable[ScriptRoute]:
    """Yield the routes of scripts: locations they set, router tables, fragments that may be pages, and endpoints."""
    if opened.moved_to:
        yield ScriptRoute(opened.moved_to, "location")
    for url, trigger in opened.routes:
        event, region = parse_route_trigger(trigger)
        is_beacon = event == "sendBeacon"
        yield (
            ScriptRoute(url, "POST", kind="endpoint")
            if is_beacon
            else ScriptRoute(url, event, keeps_fragment=_is_route(url), region=region)
        )
    for document in opened.documents:
        here = document.url.partition("#")[0]
        for path, router in document.tables:
            is_hash = path.startswith("#") or "/#" in path
            yield ScriptRoute(here + path[path.index("#") :] if is_hash else path, router, keeps_fragment=is_hash)
        for fragment, has_target, text, region_name in document.fragments:
            if fragment.startswith(ROUTE_PREFIXES) or (document.listens_for_hash and not has_target):
                yield ScriptRoute(here + fragment, "hash", text, keeps_fragment=True, region=parse_region(region_name))
    for url, method in opened.endpoints:
        yield ScriptRoute(url, method, kind="endpoint")


def _is_route(url: str) -> bool:
    return "#" in url and url[url.index("#") :].startswith(ROUTE_PREFIXES)


def _add_importance(found: Sequence[DiscoveredUrl]) -> list[DiscoveredUrl]:
    """Return the URLs found on a start page; its navigation gets the same importance as without a browser."""
    extra = SourceMetadata(importance=NAVIGATION_IMPORTANCE)
    structural = [one for one in found if one.source == "navigation" and one.kind == "page" and not one.reason]
    return [*found, *(one._replace(metadata=extra, is_new=False) for one in structural)]


def _list_own_views(page: Candidate, rendered: Findings) -> set[int]:
    """Return the URLs of a page with another query; they show the same page in another state."""
    path = page.url.partition("?")[0]
    return {one.identity for one in rendered.found if one.url.partition("?")[0] == path}


def _hash_text(opened: RenderedPage) -> int:
    """Return a hash of the visible text."""
    text = opened.documents[0].text if opened.documents else ""
    return hash_content(" ".join(text.split()).encode("utf-8", "surrogatepass"))
