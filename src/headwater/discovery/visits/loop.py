"""Candidates out, findings in: fetch, examine, settle in batches; done when nothing waits and nothing is under way."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from headwater.discovery.visits.batching import in_parts, settle_in_batches
from headwater.discovery.visits.candidates import Candidates
from headwater.discovery.visits.crash_record import Blackbox
from headwater.discovery.visits.page_reading import Reading, finish_reading
from headwater.discovery.visits.render_turns import RenderTurns
from headwater.discovery.visits.settling import settled_page, settled_redirect, settled_unchanged, target_identity
from headwater.examination import examine_in_steps, examine_redirect, examine_unchanged, united
from headwater.fetch.policies.redirecting import redirect_target
from headwater.fetch.reasons import UNRESPONSIVE
from headwater.frontier.memory import Memory, identity_of
from headwater.frontier.traps import SampleResult
from headwater.model import NO_DEPTH, OVER_SOURCE_LIMIT, REDIRECTS, Findings, Outcome, Request, Response
from headwater.store import Settled, Visited
from headwater.urls.judge import judge
from headwater.urls.normalize import spell_serialised

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from headwater.discovery.stages.render import Renderer
    from headwater.examination import Site
    from headwater.fetch import Fetcher
    from headwater.frontier.memory_budget import MemoryBudget
    from headwater.model import Candidate, Found, State
    from headwater.store import Counts, Store

LONGEST_BATCH = 1.0
"""Seconds after which a batch is kept even if it is small."""

PAGES_AT_ONCE = 50
"""Pages that are kept together where no setting says how many."""

MANY_INLINKS = 100_000
DEFERRED = frozenset({"robots-unreachable", UNRESPONSIVE})
REFUSED = frozenset({"robots-disallowed", "not-html"})
NOT_MODIFIED = 304
NOTHING = Findings([])


class Loop:
    """One crawl: limits hold exactly, for a page is counted when its request is begun."""

    def __init__(
        self,
        site: Site,
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
        blackbox: Blackbox | None = None,
        renderer: Renderer | None = None,
        budget: MemoryBudget | None = None,
        on_found: Callable[[Sequence[Found]], None] | None = None,
        on_failed: Callable[[Outcome], None] | None = None,
        on_settled: Callable[[Sequence[int]], None] | None = None,
    ) -> None:
        self.site, self.store, self.scan = site, store, scan
        self.limit_reached, self._why = "", budget_name
        self.visited = self.failed = self.known = 0
        self._fetcher, self._memory = fetcher, Memory(budget)
        self._reading = Reading(store, scan, site, self._memory, self.settle)
        self._parallel, self._batch_size, self._batch_limit = parallel, batch_size or PAGES_AT_ONCE, batch_size
        self._max_pages, self._max_redirects = max_pages, max_redirects
        self._max_urls, self._by_source = max_urls, Counter[str]()
        self._max_links, self._links, self._next_list = max_links, 0, 1
        self._seeds = set(seeds)
        self._ready = ready or {}
        self._previous = previous
        self._blackbox = blackbox or Blackbox()
        self._renderer, self._turns = renderer, RenderTurns(site.rendering)
        self._on_found, self._on_failed, self._on_settled = on_found, on_failed, on_settled
        self._candidates = Candidates(
            store, scan, site.traps, self._memory.suspects, batch_size=self._batch_size, max_depth=max_depth,
            settle=self.settle, on_round=self._reading.begin_round,
        )  # fmt: skip
        self._workers: list[asyncio.Task[None]] = []
        self._has_given_up = False
        self._idle: list[asyncio.Future[None]] = []
        self._chains: dict[int, tuple[int, ...]] = {}  # the redirects that led to pages not yet visited
        self._batch: list[Settled] = []
        self._skipped: Counter[str] = Counter()

    def resume(self, counts: Counts) -> None:
        """Go on where another process stopped: so much is done, and memory is empty while the store is not."""
        self.visited, self.failed = counts.fetched + counts.failed, counts.failed
        self.known = self.visited + counts.waiting
        self._memory.has_forgotten = True
        self._reading.is_recalling = self.visited > 0
        numbers = self.store.links.numbers(self.scan)
        self._memory.links.start_at(numbers.link)
        self._next_list, self._links = numbers.list, numbers.kept
        if self._max_urls is not None:
            self._by_source.update(self.store.taken(self.scan))
        if counts.held:
            self.limit_reached = "max_urls_per_source"

    def stop(self, why: str = "stopped", within: float | None = None) -> None:
        """Begin no further page; the rest waits in the store.

        What is under way is finished, or given up after `within` seconds and waits too. `why` becomes `limit_reached`.
        """
        if self._max_pages is None or self.visited < self._max_pages:
            self._max_pages, self._why = self.visited, why
        if within is not None:
            asyncio.get_running_loop().call_later(within, self._give_up)

    def _give_up(self) -> None:
        self._has_given_up, self.limit_reached = True, self._why
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
            if not self._has_given_up:
                raise
        finally:
            for task in (*workers, keeper):
                task.cancel()
            await asyncio.gather(*workers, keeper, return_exceptions=True)
            try:
                self.settle()
                self._keep_inlinks()
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
            await asyncio.sleep(LONGEST_BATCH)
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
        self.limit_reached = self._why
        return None

    def _skip(self, candidate: Candidate) -> None:
        self.known -= 1
        self._skipped["trap-exhausted"] += 1
        self._finish(Settled(candidate, "skipped", reason="trap-exhausted"), NOTHING)
        if len(self._batch) >= self._batch_size:
            self.settle()

    async def _visit(self, candidate: Candidate) -> None:
        self._reading.note_visit(candidate)
        chain = self._chains.pop(candidate.identity, ())
        if "#" in candidate.fetch_url:
            await self._visit_route(candidate)
            return
        result = await self._fetch(candidate)
        if isinstance(result, Outcome):
            self._fail(candidate, result)
        elif result.status in REDIRECTS:
            self._pass_on(candidate, result, (*chain, candidate.identity))
        elif result.status == NOT_MODIFIED and self._previous is not None:
            self._carry_over(candidate, result, self._previous)
        else:
            findings = self._capped(await self._examine(result, candidate))
            if findings.is_soft_404:
                settled = Settled(candidate, "failed", result.status, "soft-404", findings.title)
                self._finish(settled, NOTHING)
                return
            if self._renderer is not None:
                findings = await self._render(self._renderer, candidate, result, findings)
            if candidate.is_suspect:
                self._candidates.add_result(candidate, SampleResult(findings.fingerprint, findings.new_links))
            self._finish(settled_page(candidate, result, findings, self.site), findings)

    async def _render(
        self, renderer: Renderer, candidate: Candidate, response: Response, findings: Findings
    ) -> Findings:
        """Open the page in a browser if that is worth while; return what is known of it then."""
        if findings.scripted or findings.may_gain:
            await self._turns.wait(lambda rendering: rendering.may_decide(candidate.identity))
        why = renderer.why(candidate, response, findings)
        if not why:
            return findings
        shown = self._capped(await renderer.enrich(candidate, self._memory, self._reading, why, findings))
        both = united(findings, shown)
        return both._replace(found=self._memory.with_cleared(both.found))

    async def _examine(self, response: Response, candidate: Candidate) -> Findings:
        """Examine a page; while one with many links is read, other tasks have their turn."""
        if self._renderer is not None:
            await self._turns.wait(lambda rendering: rendering.may_look(candidate.identity))
        async with self._reading:
            return self._reading.recall(await finish_reading(self._noted_steps(response, candidate)), candidate)

    def _noted_steps(self, response: Response, candidate: Candidate) -> Generator[None, None, Findings]:
        """Examine a page; at each step it is noted which page that is, for the step may end the process."""
        steps = examine_in_steps(response, candidate, self.site, self._memory)
        while True:
            self._blackbox.note(self.scan, candidate.identity)
            try:
                next(steps)
            except StopIteration as end:
                findings: Findings = end.value
                return findings
            finally:
                self._blackbox.clear()
            yield

    def _pass_on(self, candidate: Candidate, response: Response, chain: tuple[int, ...]) -> None:
        """A redirect to another page is a link, unless it leads back to where its own chain began or came through."""
        target = redirect_target(response)
        if target and identity_of(spell_serialised(target, self.site.scope.policy).key) in chain:
            self._fail(candidate, _circle(candidate.fetch_url, target, response))
            return
        if candidate.identity in self._seeds:
            self._follow_seed(response)
        findings = examine_redirect(response, candidate, self.site, self._memory)
        findings = self._capped(self._reading.recall(findings, candidate))
        self._chains.update((one.identity, chain) for one in findings.found)
        leads_to = target_identity(target, self.site)
        self._finish(settled_redirect(candidate, response.status, findings, leads_to, self.site), findings)

    async def _visit_route(self, candidate: Candidate) -> None:
        """A hash route: only a browser can tell whether it is a page."""
        missing = Outcome(candidate.url, "no-browser", "hash routes are opened in a browser; see --render")
        result = await self._renderer.visit_route(candidate, self._memory, self._reading) if self._renderer else missing
        if isinstance(result, Outcome):
            self._fail(candidate, result)
        elif result.is_same:
            self._skipped["same-page"] += 1
            self._finish(Settled(candidate, "skipped", result.status, "same-page"), NOTHING)
        else:
            findings = self._capped(result.findings)
            response = Response(candidate.fetch_url, result.status or 200, content_type="text/html")
            self._finish(settled_page(candidate, response, findings, self.site), findings)

    def _carry_over(self, candidate: Candidate, response: Response, previous: int) -> None:
        """A page that did not change is what it was, and leads where it led."""
        was = self.store.visited(previous, candidate.identity) or Visited()
        children = self.store.links.children(previous, candidate.identity)
        findings = examine_unchanged(response, candidate, self.site, self._memory, children)
        findings = self._capped(self._reading.recall(findings, candidate))
        self._finish(settled_unchanged(candidate, was, findings, self.site), findings)

    def _request(self, url: str, candidate: Candidate) -> Request:
        """Ask for what is new only, if an earlier scan had the page and its server gave it a mark."""
        if self._renderer is not None and self._renderer.was_opened(candidate.url):
            return Request(url)
        was = self.store.visited(self._previous, candidate.identity) if self._previous is not None else None
        if was is None or (self.site.keeps_links and not was.has_links):
            return Request(url)
        return Request(url, "page", was.etag, was.last_modified)

    def _follow_seed(self, response: Response) -> None:
        """A seed that redirects to another host, or to another of its spellings, takes the scope there."""
        target = redirect_target(response)
        if target and judge(target, self.site.scope).kind == "external":
            self.site.scope = self.site.scope.moved_to(target)
        if target:
            self._seeds.add(identity_of(spell_serialised(target, self.site.scope.policy).key))

    async def _fetch(self, candidate: Candidate) -> Response | Outcome:
        """Fetch, and follow redirects to other spellings of the same page; those to other pages are links."""
        url, seen = candidate.fetch_url, {candidate.fetch_url}
        while True:
            result = self._ready.pop(url, None) or await self._fetcher.fetch(self._request(url, candidate))
            if isinstance(result, Outcome) or result.status not in REDIRECTS:
                return result
            target = redirect_target(result)
            if candidate.redirects + len(seen) > self._max_redirects:
                return Outcome(
                    url, "too-many-redirects", f"more than {self._max_redirects}", result.status, result.headers
                )
            if not target or spell_serialised(target, self.site.scope.policy).key != candidate.key:
                return result if target else Outcome(url, "bad-redirect", status=result.status, headers=result.headers)
            if target in seen:
                return _circle(url, target, result)
            seen.add(target)
            url = target

    def _fail(self, candidate: Candidate, outcome: Outcome) -> None:
        state: State = (
            "deferred" if outcome.reason in DEFERRED else "skipped" if outcome.reason in REFUSED else "failed"
        )
        if state == "skipped":
            self._skipped[outcome.reason] += 1
        else:
            self.failed += state == "failed"
            if self._on_failed:
                self._on_failed(outcome)
        settled = Settled(candidate, state, outcome.status, outcome.reason, content_type=outcome.content_type)
        self._finish(settled, NOTHING)

    def _capped(self, findings: Findings) -> Findings:
        """Count the pages that are new; those beyond what their source may name are held back."""
        if self._max_urls is None:
            self.known += sum(one.is_new and not one.reason and one.kind == "page" for one in findings.found)
            return findings
        new = [one.identity for one in findings.found if one.is_new and not one.reason and one.kind == "page"]
        unknown = self.store.unknown(self.scan, new)
        self.known += len(new)
        return findings._replace(found=[self._counted(one, self._max_urls, unknown) for one in findings.found])

    def _counted(self, one: Found, most: int, unknown: set[int]) -> Found:
        """Return the page, held back if its source has no room; what an earlier stage listed has been counted."""
        if one.identity not in unknown or one.reason or one.kind != "page" or not one.is_new:
            return one
        if self._by_source[one.source] < most:
            self._by_source[one.source] += 1
            return one
        self.limit_reached = "max_urls_per_source"
        self.known -= 1
        return one._replace(reason=OVER_SOURCE_LIMIT)

    def _finish(self, settled: Settled, findings: Findings) -> None:
        self._batch.append(settled)
        self._candidates.add_found(findings.found)
        self._links += len(settled.links or ())
        if self._max_links is not None and self._links > self._max_links:
            self.site.keeps_links = False  # from now on links are counted only
        if findings.skipped:
            self._skipped.update(findings.skipped)
        if self._on_found and findings.found:
            self._tell(findings.found)

    def _tell(self, found: Sequence[Found]) -> None:
        """Say what is new; what an earlier stage listed is not, and only the store knows what that is."""
        assert self._on_found is not None
        found = [one for one in found if one.is_new and one.reason != OVER_SOURCE_LIMIT]
        if self._memory.has_forgotten:
            unknown = self.store.unknown(self.scan, [one.identity for one in found])
            found = [one for one in found if one.identity in unknown]
        if found:
            self._on_found(found)

    def settle(self) -> None:
        """Keep what has come together."""
        if self._batch or self._skipped:
            settle_in_batches(
                self.store, self.scan, self._batch, (), self._skipped, limit=self._batch_limit,
                links=self._memory.links.take_new(), first_list=self._next_list,
            )  # fmt: skip
            self._next_list += sum(1 for settled in self._batch if settled.links is not None)
            settled = [settled.candidate.identity for settled in self._batch]
            self._candidates.forget(settled)
            self._batch, self._skipped = [], Counter()
            if self._on_settled and settled:
                self._on_settled(settled)
        if len(self._memory.inlinks) > MANY_INLINKS or self._memory.is_full:
            self._keep_inlinks()
        self._reading.make_room()

    def _keep_inlinks(self) -> None:
        if self._memory.inlinks:
            for part in in_parts(self._memory.inlinks.items(), self._batch_limit or MANY_INLINKS):
                self.store.add_inlinks(self.scan, dict(part))
            self._memory.inlinks = Counter()


def _circle(url: str, target: str, response: Response) -> Outcome:
    return Outcome(url, "redirect-loop", f"back to {target}", response.status, response.headers)
