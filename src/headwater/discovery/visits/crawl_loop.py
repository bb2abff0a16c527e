"""Candidates out, findings in: fetch, examine, settle in batches; done when nothing waits and nothing is under way."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from headwater.discovery.visits.batching import iter_batches, save_in_batches
from headwater.discovery.visits.crash_record import CrashRecord
from headwater.discovery.visits.crawl_frontier import CrawlFrontier
from headwater.discovery.visits.memory_guard import MemoryGuard, run_examination
from headwater.discovery.visits.render_order import RenderOrder
from headwater.discovery.visits.visit_results import (
    build_page_result,
    build_redirect_result,
    build_unchanged_result,
    identify_target,
)
from headwater.examination import examine_in_steps, examine_redirect, examine_unchanged, merge_findings
from headwater.fetch.policies.redirecting import redirect_target
from headwater.fetch.reasons import UNRESPONSIVE
from headwater.frontier.traps import SampleResult
from headwater.frontier.url_cache import UrlCache
from headwater.model import NO_DEPTH, OVER_SOURCE_LIMIT, REDIRECT_STATUSES, FetchFailure, Findings, Request, Response
from headwater.store import PreviousVisit, VisitResult
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_href
from headwater.urls.skip_rules import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from headwater.discovery.stages.render import Renderer
    from headwater.examination import SiteState
    from headwater.fetch import Fetcher
    from headwater.frontier.memory_budget import MemoryBudget
    from headwater.model import Candidate, DiscoveredUrl, UrlState
    from headwater.store import Counts, Store

FLUSH_INTERVAL = 1.0
"""Seconds after which a batch is kept even if it is small."""

DEFAULT_BATCH_SIZE = 50
"""Pages that are kept together where no setting says how many."""

MAX_BUFFERED_INLINKS = 100_000
DEFERRED_REASONS = frozenset({"robots-unreachable", UNRESPONSIVE})
SKIPPED_REASONS = frozenset({"robots-disallowed", "not-html"})
NOT_MODIFIED = 304
NO_FINDINGS = Findings([])


class CrawlLoop:
    """One crawl: limits hold exactly, for a page is counted when its request is begun."""

    def __init__(
        self,
        site: SiteState,
        fetcher: Fetcher,
        store: Store,
        scan: int,
        *,
        parallel: int,
        batch_size: int | None = 1000,
        max_pages: int | None = None,
        max_depth: int | None = None,
        budget_name: str = "max_pages",
        max_urls: int | None = None,
        max_redirects: int = 10,
        max_links: int | None = None,
        seeds: Sequence[int] = (),
        ready: dict[str, Response] | None = None,
        previous: int | None = None,
        blackbox: CrashRecord | None = None,
        renderer: Renderer | None = None,
        budget: MemoryBudget | None = None,
        on_found: Callable[[Sequence[DiscoveredUrl]], None] | None = None,
        on_failed: Callable[[FetchFailure], None] | None = None,
        on_settled: Callable[[Sequence[int]], None] | None = None,
    ) -> None:
        self.site, self.store, self.scan = site, store, scan
        self.limit_reached, self._limit_name = "", budget_name
        self.visited = self.failed = self.known = 0
        self._fetcher, self._memory = fetcher, UrlCache(budget)
        self._memory_guard = MemoryGuard(store, scan, site, self._memory, self.settle)
        self._parallel, self._batch_size, self._batch_limit = parallel, batch_size or DEFAULT_BATCH_SIZE, batch_size
        self._max_pages, self._max_redirects = max_pages, max_redirects
        self._max_urls, self._source_counts = max_urls, Counter[str]()
        self._max_links, self._links, self._next_list = max_links, 0, 1
        self._seeds = set(seeds)
        self._ready = ready or {}
        self._previous = previous
        self._crash_record = blackbox or CrashRecord()
        self._renderer, self._turns = renderer, RenderOrder(site.rendering)
        self._on_found, self._on_failed, self._on_saved = on_found, on_failed, on_settled
        self._candidates = CrawlFrontier(
            store, scan, site.traps, self._memory.suspects, batch_size=self._batch_size, max_depth=max_depth,
            settle=self.settle, on_round=self._memory_guard.begin_round,
        )  # fmt: skip
        self._workers: list[asyncio.Task[None]] = []
        self._is_aborted = False
        self._idle: list[asyncio.Future[None]] = []
        self._redirect_chains: dict[int, tuple[int, ...]] = {}  # the redirects that led to pages not yet visited
        self._batch: list[VisitResult] = []
        self._skipped: Counter[str] = Counter()

    def resume(self, counts: Counts) -> None:
        """Go on where another process stopped: so much is done, and memory is empty while the store is not."""
        self.visited, self.failed = counts.fetched + counts.failed, counts.failed
        self.known = self.visited + counts.waiting
        self._memory.has_evicted = True
        self._memory_guard.should_check_store = self.visited > 0
        numbers = self.store.links.numbers(self.scan)
        self._memory.links.resume_at(numbers.link)
        self._next_list, self._links = numbers.list, numbers.kept
        if self._max_urls is not None:
            self._source_counts.update(self.store.source_usage(self.scan))
        if counts.held:
            self.limit_reached = "max_urls_per_source"

    def stop(self, why: str = "stopped", within: float | None = None) -> None:
        """Begin no further page; the rest waits in the store.

        What is under way is finished, or given up after `within` seconds and waits too. `why` becomes `limit_reached`.
        """
        if self._max_pages is None or self.visited < self._max_pages:
            self._max_pages, self._limit_name = self.visited, why
        if within is not None:
            asyncio.get_running_loop().call_later(within, self._give_up)

    def _give_up(self) -> None:
        self._is_aborted, self.limit_reached = True, self._limit_name
        for worker in self._workers:
            worker.cancel()

    @property
    def depth(self) -> int:
        """The depth that was reached, in clicks."""
        return self._candidates.depth % NO_DEPTH

    async def run(self) -> None:
        """Visit everything that waits in the store; when cancelled, what was settled is kept."""
        self._workers = workers = [asyncio.create_task(self._work()) for _ in range(self._parallel)]
        keeper = asyncio.create_task(self._keep())
        try:
            await asyncio.gather(*workers)
        except asyncio.CancelledError:
            if not self._is_aborted:
                raise
        finally:
            for task in (*workers, keeper):
                task.cancel()
            await asyncio.gather(*workers, keeper, return_exceptions=True)
            try:
                self.settle()
                self._flush_inlinks()
            finally:
                self._memory.close()

    async def _work(self) -> None:
        """Visit one candidate after another; wait while others may still find some."""
        while True:
            candidate = self._next()
            if candidate is not None:
                await self._begin(candidate)
            elif self._candidates.is_busy:
                waiting = asyncio.get_running_loop().create_future()
                self._idle.append(waiting)
                await waiting
            else:
                self._wake()
                return

    async def _begin(self, candidate: Candidate) -> None:
        self.visited += 1
        self._candidates.begin(candidate)
        self._turns.enter(candidate)
        try:
            await self._visit(candidate)
        except asyncio.CancelledError:
            self.visited -= 1
            raise
        finally:
            self._turns.leave(candidate)
            self._candidates.end(candidate)
            self._wake()
        if len(self._batch) >= self._batch_size:
            self.settle()

    def _wake(self) -> None:
        while self._idle:
            waiting = self._idle.pop()
            if not waiting.done():
                waiting.set_result(None)

    async def _keep(self) -> None:
        """Keep small batches too, so that little is lost."""
        while True:
            await asyncio.sleep(FLUSH_INTERVAL)
            self.settle()

    def _next(self) -> Candidate | None:
        """Return the next candidate to visit; those of exhausted families are skipped."""
        while self._max_pages is None or self.visited < self._max_pages:
            decision = self._candidates.next()
            if self._candidates.is_depth_limited:
                self.limit_reached = "max_depth"
            if decision is None or decision.is_visited:
                return decision and decision.candidate
            self._skip(decision.candidate)
        self.limit_reached = self._limit_name
        return None

    def _skip(self, candidate: Candidate) -> None:
        self.known -= 1
        self._skipped["trap-exhausted"] += 1
        self._finish(VisitResult(candidate, "skipped", reason="trap-exhausted"), NO_FINDINGS)
        if len(self._batch) >= self._batch_size:
            self.settle()

    async def _visit(self, candidate: Candidate) -> None:
        self._memory_guard.note_visit(candidate)
        chain = self._redirect_chains.pop(candidate.identity, ())
        if "#" in candidate.fetch_url:
            await self._visit_route(candidate)
            return
        result = await self._fetch(candidate)
        if isinstance(result, FetchFailure):
            self._fail(candidate, result)
        elif result.status in REDIRECT_STATUSES:
            self._handle_redirect(candidate, result, (*chain, candidate.identity))
        elif result.status == NOT_MODIFIED and self._previous is not None:
            self._handle_not_modified(candidate, result, self._previous)
        else:
            findings = self._apply_source_limit(await self._examine(result, candidate))
            if findings.is_soft_404:
                settled = VisitResult(candidate, "failed", result.status, "soft-404", findings.title)
                self._finish(settled, NO_FINDINGS)
                return
            if self._renderer is not None:
                findings = await self._render(self._renderer, candidate, result, findings)
            if candidate.is_suspect:
                self._candidates.add_result(candidate, SampleResult(findings.fingerprint, findings.new_links))
            self._finish(build_page_result(candidate, result, findings, self.site), findings)

    async def _render(
        self, renderer: Renderer, candidate: Candidate, response: Response, findings: Findings
    ) -> Findings:
        """Open the page in a browser if that is worth while; return what is known of it then."""
        if findings.script_reason or findings.max_probes:
            looks_scripted = bool(findings.script_reason)
            await self._turns.wait(
                lambda rendering: rendering.can_decide_rendering(candidate.identity, looks_scripted=looks_scripted)
            )
        why = renderer.why(candidate, response, findings)
        if not why:
            return findings
        shown = self._apply_source_limit(
            await renderer.render_page(candidate, self._memory, self._memory_guard, why, findings)
        )
        both = merge_findings(findings, shown)
        return both._replace(found=self._memory.apply_cleared_suspects(both.found))

    async def _examine(self, response: Response, candidate: Candidate) -> Findings:
        """Examine a page; while one with many links is read, other tasks have their turn."""
        if self._renderer is not None:
            await self._turns.wait(lambda rendering: rendering.can_decide_inspection(candidate.identity))
        async with self._memory_guard:
            return self._memory_guard.restore_known(
                await run_examination(self._examine_with_record(response, candidate)), candidate
            )

    def _examine_with_record(self, response: Response, candidate: Candidate) -> Generator[None, None, Findings]:
        """Examine a page; at each step it is noted which page that is, for the step may end the process."""
        steps = examine_in_steps(response, candidate, self.site, self._memory)
        while True:
            self._crash_record.note(self.scan, candidate.identity)
            try:
                next(steps)
            except StopIteration as end:
                findings: Findings = end.value
                return findings
            finally:
                self._crash_record.clear()
            yield

    def _handle_redirect(self, candidate: Candidate, response: Response, chain: tuple[int, ...]) -> None:
        """A redirect to another page is a link, unless it leads back to where its own chain began or came through."""
        target = redirect_target(response)
        if target and compute_identity(spell_href(target, self.site.scope.policy).key) in chain:
            self._fail(candidate, _make_loop_outcome(candidate.fetch_url, target, response))
            return
        if candidate.identity in self._seeds:
            self._move_scope(response)
        findings = examine_redirect(response, candidate, self.site, self._memory)
        findings = self._apply_source_limit(self._memory_guard.restore_known(findings, candidate))
        self._redirect_chains.update((one.identity, chain) for one in findings.found)
        leads_to = identify_target(target, self.site)
        self._finish(build_redirect_result(candidate, response.status, findings, leads_to, self.site), findings)

    async def _visit_route(self, candidate: Candidate) -> None:
        """A hash route: only a browser can tell whether it is a page."""
        missing = FetchFailure(candidate.url, "no-browser", "hash routes are opened in a browser; see --render")
        result = (
            await self._renderer.visit_route(candidate, self._memory, self._memory_guard) if self._renderer else missing
        )
        if isinstance(result, FetchFailure):
            self._fail(candidate, result)
        elif result.is_same_page:
            self._skipped["same-page"] += 1
            self._finish(VisitResult(candidate, "skipped", result.status, "same-page"), NO_FINDINGS)
        else:
            findings = self._apply_source_limit(result.findings)
            response = Response(candidate.fetch_url, result.status or 200, content_type="text/html")
            self._finish(build_page_result(candidate, response, findings, self.site), findings)

    def _handle_not_modified(self, candidate: Candidate, response: Response, previous: int) -> None:
        """A page that did not change is what it was, and leads where it led."""
        was = self.store.visited(previous, candidate.identity) or PreviousVisit()
        children = self.store.links.children(previous, candidate.identity)
        findings = examine_unchanged(response, candidate, self.site, self._memory, children)
        findings = self._apply_source_limit(self._memory_guard.restore_known(findings, candidate))
        self._finish(build_unchanged_result(candidate, was, findings, self.site), findings)

    def _request(self, url: str, candidate: Candidate) -> Request:
        """Ask for what is new only, if an earlier scan had the page and its server gave it a mark."""
        if self._renderer is not None and self._renderer.was_opened(candidate.url):
            return Request(url)
        was = self.store.visited(self._previous, candidate.identity) if self._previous is not None else None
        if was is None or (self.site.keeps_links and not was.has_links):
            return Request(url)
        return Request(url, "page", was.etag, was.last_modified)

    def _move_scope(self, response: Response) -> None:
        """A seed that redirects to another host, or to another of its spellings, takes the scope there."""
        target = redirect_target(response)
        if target and judge(target, self.site.scope).kind == "external":
            self.site.scope = self.site.scope.moved_to(target)
        if target:
            self._seeds.add(compute_identity(spell_href(target, self.site.scope.policy).key))

    async def _fetch(self, candidate: Candidate) -> Response | FetchFailure:
        """Fetch, and follow redirects to other spellings of the same page; those to other pages are links."""
        url, seen = candidate.fetch_url, {candidate.fetch_url}
        while True:
            result = self._ready.pop(url, None) or await self._fetcher.fetch(self._request(url, candidate))
            if isinstance(result, FetchFailure) or result.status not in REDIRECT_STATUSES:
                return result
            target = redirect_target(result)
            if candidate.redirects + len(seen) > self._max_redirects:
                return FetchFailure(
                    url, "too-many-redirects", f"more than {self._max_redirects}", result.status, result.headers
                )
            if not target or spell_href(target, self.site.scope.policy).key != candidate.key:
                return (
                    result
                    if target
                    else FetchFailure(url, "bad-redirect", status=result.status, headers=result.headers)
                )
            if target in seen:
                return _make_loop_outcome(url, target, result)
            seen.add(target)
            url = target

    def _fail(self, candidate: Candidate, outcome: FetchFailure) -> None:
        state: UrlState = (
            "deferred"
            if outcome.reason in DEFERRED_REASONS
            else "skipped"
            if outcome.reason in SKIPPED_REASONS
            else "failed"
        )
        if state == "skipped":
            self._skipped[outcome.reason] += 1
        else:
            self.failed += state == "failed"
            if self._on_failed:
                self._on_failed(outcome)
        settled = VisitResult(candidate, state, outcome.status, outcome.reason, content_type=outcome.content_type)
        self._finish(settled, NO_FINDINGS)

    def _apply_source_limit(self, findings: Findings) -> Findings:
        """Count the pages that are new; those beyond what their source may name are held back."""
        if self._max_urls is None:
            self.known += sum(one.is_new and not one.reason and one.kind == "page" for one in findings.found)
            return findings
        new = [one.identity for one in findings.found if one.is_new and not one.reason and one.kind == "page"]
        unknown = self.store.filter_unknown(self.scan, new)
        self.known += len(new)
        return findings._replace(found=[self._counted(one, self._max_urls, unknown) for one in findings.found])

    def _counted(self, one: DiscoveredUrl, most: int, unknown: set[int]) -> DiscoveredUrl:
        """Return the page, held back if its source has no room; what an earlier stage listed has been counted."""
        if one.identity not in unknown or one.reason or one.kind != "page" or not one.is_new:
            return one
        if self._source_counts[one.source] < most:
            self._source_counts[one.source] += 1
            return one
        self.limit_reached = "max_urls_per_source"
        self.known -= 1
        return one._replace(reason=OVER_SOURCE_LIMIT)

    def _finish(self, settled: VisitResult, findings: Findings) -> None:
        self._batch.append(settled)
        self._candidates.add_found(findings.found)
        self._links += len(settled.links or ())
        if self._max_links is not None and self._links > self._max_links:
            self.site.keeps_links = False  # from now on links are counted only
        if findings.skipped:
            self._skipped.update(findings.skipped)
        if self._on_found and findings.found:
            self._tell(findings.found)

    def _tell(self, found: Sequence[DiscoveredUrl]) -> None:
        """Say what is new; what an earlier stage listed is not, and only the store knows what that is."""
        assert self._on_found is not None
        found = [one for one in found if one.is_new and one.reason != OVER_SOURCE_LIMIT]
        if self._memory.has_evicted:
            unknown = self.store.filter_unknown(self.scan, [one.identity for one in found])
            found = [one for one in found if one.identity in unknown]
        if found:
            self._on_found(found)

    def settle(self) -> None:
        """Keep what has come together."""
        if self._batch or self._skipped:
            save_in_batches(
                self.store, self.scan, self._batch, (), self._skipped, limit=self._batch_limit,
                links=self._memory.links.take_new_links(), first_list=self._next_list,
            )  # fmt: skip
            self._next_list += sum(1 for settled in self._batch if settled.links is not None)
            settled = [settled.candidate.identity for settled in self._batch]
            self._candidates.forget(settled)
            self._batch, self._skipped = [], Counter()
            if self._on_saved and settled:
                self._on_saved(settled)
        if len(self._memory.inlinks) > MAX_BUFFERED_INLINKS or self._memory.is_full:
            self._flush_inlinks()
        self._memory_guard.make_room()

    def _flush_inlinks(self) -> None:
        if self._memory.inlinks:
            for part in iter_batches(self._memory.inlinks.items(), self._batch_limit or MAX_BUFFERED_INLINKS):
                self.store.add_inlinks(self.scan, dict(part))
            self._memory.inlinks = Counter()


def _make_loop_outcome(url: str, target: str, response: Response) -> FetchFailure:
    return FetchFailure(url, "redirect-loop", f"back to {target}", response.status, response.headers)
