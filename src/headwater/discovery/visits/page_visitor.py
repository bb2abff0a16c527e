"""Visit one page: fetch it, examine the response, open it in a browser if needed, and record the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.discovery.visits.decisions.render_order import RenderOrder
from headwater.discovery.visits.decisions.suspect_samples import (
    build_redirect_sample,
    build_sample,
    note_content,
    restore_content,
)
from headwater.discovery.visits.memory_guard import run_examination
from headwater.discovery.visits.visit_results import (
    build_page_result,
    build_redirect_result,
    build_unchanged_result,
    build_wall_result,
    identify_target,
)
from headwater.examination import examine_in_steps, examine_redirect, examine_unchanged, merge_findings
from headwater.frontier.traps import SampleResult
from headwater.model import REDIRECT_STATUSES, FetchFailure, Findings, Response
from headwater.pages.site_indexes import find_feed_links, find_feed_response
from headwater.store import VisitResult
from headwater.urls import judge
from headwater.urls.recognition.access_urls import find_redirect_wall
from headwater.urls.redirects import (
    extend_to_target,
    get_redirect_target,
    make_loop_failure,
    make_redirect_failure,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from headwater.discovery.stages.render import Renderer
    from headwater.discovery.visits.crawl_frontier import CrawlFrontier
    from headwater.discovery.visits.crawl_session import CrawlSession
    from headwater.discovery.visits.memory_guard import MemoryGuard
    from headwater.discovery.visits.page_fetcher import PageFetcher
    from headwater.discovery.visits.visit_recorder import VisitRecorder
    from headwater.model import Candidate, IndexFile

NOT_MODIFIED = 304
REFUSED_STATUSES = frozenset({401, 403})


class PageVisitor:
    """Visits the candidates of one crawl."""

    def __init__(
        self,
        session: CrawlSession,
        fetcher: PageFetcher,
        renderer: Renderer | None,
        guard: MemoryGuard,
        frontier: CrawlFrontier,
        *,
        recorder: VisitRecorder,
    ) -> None:
        self._session, self._fetcher, self._renderer = session, fetcher, renderer
        self._guard, self._frontier, self._recorder = guard, frontier, recorder
        self._site, self._cache = guard.site, guard.cache
        self.order = RenderOrder(guard.site.rendering)
        self._seeds = set(session.seeds)
        self._redirect_chains: dict[int, tuple[int, ...]] = {}  # the redirects that led to pages not yet visited

    async def visit(self, candidate: Candidate) -> None:
        """Visit a page and record the result; the caller notes its start and end in `order`."""
        self._guard.note_visit(candidate)
        chain = self._redirect_chains.pop(candidate.identity, ())
        if "#" in candidate.fetch_url:
            await self._visit_route(candidate)
            return
        result = await self._fetcher.fetch(candidate)
        if isinstance(result, FetchFailure):
            if self._site.session is not None and result.status in REFUSED_STATUSES:
                self._site.session.add(is_refused=True)
            if candidate.is_suspect and result.reason == "not-html":
                self._frontier.add_result(candidate, SampleResult(0, is_file=True))
            self._recorder.add_failed(candidate, result)
            self._queue_files(find_feed_response(result))
        elif result.status in REDIRECT_STATUSES:
            self._handle_redirect(candidate, result, (*chain, candidate.identity))
        elif result.status == NOT_MODIFIED and self._session.previous is not None:
            self._handle_not_modified(candidate, result, self._session.previous)
        else:
            await self._handle_page(candidate, result)

    async def _handle_page(self, candidate: Candidate, response: Response) -> None:
        """Examine a page, open it in a browser if needed, and record it, or why it is not a page."""
        findings = self._recorder.limit_sources(await self._examine(response, candidate))
        self._note_facts(findings)
        if findings.is_soft_404:
            self._note_session(candidate, is_refused=False)
            self._recorder.add(VisitResult(candidate, "failed", response.status, "soft-404", findings.title))
            return
        if findings.wall:
            self._handle_wall(candidate, response, findings)
            return
        self._queue_files((*findings.index_files, *find_feed_links(findings.found, response.url)))
        if findings.hints and self._session.hints is not None:
            self._session.hints.add(candidate.url, findings.hints)
        if self._renderer is not None:
            findings = await self._render(self._renderer, candidate, response, findings)
            if findings.wall:
                self._handle_wall(candidate, response, findings)
                return
        self._note_session(candidate, is_refused=False)
        if candidate.is_suspect:
            self._frontier.add_result(candidate, build_sample(candidate, findings, self._site))
        note_content(candidate, findings, self._site)
        self._finish(build_page_result(candidate, response, findings, self._site), findings)

    def _handle_wall(self, candidate: Candidate, response: Response, findings: Findings) -> None:
        """Record a response that was shown instead of a page; a login page may link to pages that need no login."""
        self._note_session(candidate, is_refused=findings.wall == "login-required")
        self._frontier.add_found(findings.found)
        self._recorder.add_wall(build_wall_result(candidate, response, findings, self._site), findings)

    def _note_facts(self, findings: Findings) -> None:
        """Count pages that later explain why a scan found few pages."""
        self._site.scripted_pages += bool(findings.script_reason)
        self._site.nofollow_pages += findings.nofollow

    def _note_session(self, candidate: Candidate, *, is_refused: bool) -> None:
        """Count a page that shows if the session still works; the redirect that led to it has been counted."""
        if self._site.session is not None and not candidate.redirects:
            self._site.session.add(is_refused=is_refused)

    def _queue_files(self, files: Sequence[IndexFile]) -> None:
        """Queue files that list pages, to be read after the crawl."""
        if files and self._session.indexes is not None:
            self._session.indexes.add(files)

    async def _render(
        self, renderer: Renderer, candidate: Candidate, response: Response, findings: Findings
    ) -> Findings:
        """Open the page in a browser if the policy asks for it; return all findings."""
        if findings.is_shell or findings.max_probes:
            identity, is_shell, max_probes = candidate.identity, findings.is_shell, findings.max_probes
            await self.order.wait(
                lambda policy: policy.can_decide_rendering(identity, is_shell=is_shell, max_probes=max_probes)
            )
        reason = renderer.find_reason(candidate, response, findings)
        if not reason or renderer.can_save(candidate, response, findings, reason):
            return findings
        page = candidate._replace(fetch_url=response.url)  # another spelling may redirect
        rendered = await renderer.render_page(page, self._guard, reason, response, findings)
        if not findings.script_reason:
            rendered = rendered._replace(content_hash=None)  # what the server sent tells this page from others
        merged = merge_findings(findings, self._recorder.limit_sources(rendered))
        return merged._replace(found=self._cache.apply_cleared_suspects(merged.found))

    async def _examine(self, response: Response, candidate: Candidate) -> Findings:
        """Examine a page; other tasks run between the steps of one with many links."""
        if self._renderer is not None:
            await self.order.wait(lambda rendering: rendering.can_decide_inspection(candidate.identity))
        async with self._guard:
            return self._guard.restore_known(
                await run_examination(self._examine_with_record(response, candidate)), candidate
            )

    def _examine_with_record(self, response: Response, candidate: Candidate) -> Generator[None, None, Findings]:
        """Examine a page; each step notes the page first, because the step may crash the process."""
        record, scan = self._session.crash_record, self._session.scan
        steps = examine_in_steps(response, candidate, self._site, self._cache)
        while True:
            record.note(scan, candidate.identity)
            try:
                next(steps)
            except StopIteration as end:
                findings: Findings = end.value
                return findings
            finally:
                record.clear()
            yield

    def _handle_redirect(self, candidate: Candidate, response: Response, chain: tuple[int, ...]) -> None:
        """Record a redirect to another page as a link, unless it leads back into its own chain."""
        target = get_redirect_target(response)
        leads_to = identify_target(target, self._site)
        if self._site.session is not None and self._asks_for_login(candidate.fetch_url, target):
            self._site.session.add(is_refused=True)
        if leads_to in chain:
            self._recorder.add_failed(candidate, make_loop_failure(response, target))
            return
        if candidate.identity in self._seeds:
            wall = find_redirect_wall(candidate.fetch_url, target) if self._site.skips_walls else ""
            if wall and judge(target, self._site.scope).kind == "external":
                self._session.wall_targets[candidate.url] = target
                self._recorder.add_failed(candidate, make_redirect_failure(response, wall, f"redirects to {target}"))
                return
            self._site.scope = extend_to_target(self._site.scope, target)
            self._seeds.add(leads_to)
        findings = examine_redirect(response, candidate, self._site, self._cache)
        findings = self._recorder.limit_sources(self._guard.restore_known(findings, candidate))
        if candidate.is_suspect and self._site.merges_views:
            self._frontier.add_result(candidate, build_redirect_sample(leads_to, findings))
        self._redirect_chains.update((one.identity, chain) for one in findings.found)
        self._finish(build_redirect_result(candidate, response.status, findings, leads_to, self._site), findings)

    def _asks_for_login(self, source: str, target: str) -> bool:
        """Return True if a redirect leads to the login page."""
        is_wall = find_redirect_wall(source, target) == "login-required"
        return is_wall or (self._site.login.is_start(target) and not self._site.login.is_start(source))

    async def _visit_route(self, candidate: Candidate) -> None:
        """Open a hash route in the browser, because only its rendered text shows if it is a separate page."""
        if self._renderer is None:
            detail = "hash routes are opened in a browser; see --render"
            self._recorder.add_failed(candidate, FetchFailure(candidate.url, "no-browser", detail))
            return
        result = await self._renderer.visit_route(candidate, self._guard)
        if isinstance(result, FetchFailure):
            self._recorder.add_failed(candidate, result)
            return
        if candidate.is_suspect:
            new_links, is_view = result.findings.new_links, result.is_same_page
            self._frontier.add_result(candidate, SampleResult(candidate.identity, new_links, is_view=is_view))
        if result.is_same_page:
            self._recorder.add_skipped(candidate, "same-page", result.status)
        else:
            findings = self._recorder.limit_sources(result.findings)
            response = Response(candidate.fetch_url, result.status or 200, content_type="text/html")
            if findings.wall:
                self._handle_wall(candidate, response, findings)
                return
            self._finish(build_page_result(candidate, response, findings, self._site), findings)

    def _handle_not_modified(self, candidate: Candidate, response: Response, previous: int) -> None:
        """Record an unchanged page with the links and metadata of the previous scan."""
        store = self._session.store
        previous_visit = store.previous_visit(previous, candidate.identity) or VisitResult(candidate, "fetched")
        children = store.links.children(previous, candidate.identity)
        findings = examine_unchanged(response, candidate, self._site, self._cache, children)
        findings = self._recorder.limit_sources(self._guard.restore_known(findings, candidate))
        if self._site.merges_views:
            findings = restore_content(findings, previous_visit)
            if candidate.is_suspect and findings.sketch is not None:
                self._frontier.add_result(candidate, build_sample(candidate, findings, self._site))
            note_content(candidate, findings, self._site)
        self._finish(build_unchanged_result(candidate, previous_visit, findings, self._site), findings)

    def _finish(self, result: VisitResult, findings: Findings) -> None:
        self._frontier.add_found(findings.found)
        self._recorder.add(result, findings)
