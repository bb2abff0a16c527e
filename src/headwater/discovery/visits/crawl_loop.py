"""Visit candidates in parallel until none is left and no visit is active; store the results in batches."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.discovery.visits.crawl_frontier import CrawlFrontier
from headwater.discovery.visits.crawl_session import CrawlCounters
from headwater.discovery.visits.memory_guard import MemoryGuard
from headwater.discovery.visits.page_fetcher import PageFetcher
from headwater.discovery.visits.page_visitor import PageVisitor
from headwater.discovery.visits.visit_recorder import MAX_BUFFERED_INLINKS, VisitRecorder
from headwater.event_loop import cancel_tasks
from headwater.frontier.url_cache import UrlCache
from headwater.model import NO_DEPTH

if TYPE_CHECKING:
    from headwater.discovery.context import Listener
    from headwater.discovery.stages.render import Renderer
    from headwater.discovery.visits.crawl_session import CrawlLimits, CrawlSession
    from headwater.examination import SiteState
    from headwater.fetch import Fetcher
    from headwater.model import Candidate
    from headwater.store import Counts

FLUSH_INTERVAL = 1.0
"""Seconds after which even a small batch is stored."""


class CrawlLoop:
    """One crawl. Limits are exact, because a page is counted when its request starts."""

    def __init__(
        self,
        session: CrawlSession,
        limits: CrawlLimits,
        site: SiteState,
        fetcher: Fetcher,
        renderer: Renderer | None = None,
        *,
        listener: Listener,
    ) -> None:
        self._limits, self._listener = limits, listener
        self._max_pages, self._limit_name = limits.max_pages, limits.max_pages_name
        self._counters = CrawlCounters()
        self._cache = UrlCache(session.memory)
        self._guard = MemoryGuard(session.store, session.scan, site, self._cache, self.store_results)
        self._recorder = VisitRecorder(session, limits, site, self._cache, self._counters, listener=listener)
        self._frontier = CrawlFrontier(session, limits, site.traps, self._guard)
        page_fetcher = PageFetcher(session, site, fetcher, renderer, limits.max_redirects)
        self._visitor = PageVisitor(
            session, page_fetcher, renderer, self._guard, self._frontier, recorder=self._recorder
        )
        self._workers: list[asyncio.Task[None]] = []
        self._is_aborted = False
        self._idle: list[asyncio.Future[None]] = []

    @property
    def visited(self) -> int:
        """The number of pages whose visit has started."""
        return self._counters.visited

    @property
    def failed(self) -> int:
        """The number of pages that could not be loaded."""
        return self._counters.failed

    @property
    def known(self) -> int:
        """The number of pages found so far."""
        return self._counters.known

    @property
    def limit_reached(self) -> str:
        """The setting that ended the crawl early or held pages back; empty if none did."""
        return self._counters.limit_reached

    @property
    def depth(self) -> int:
        """The depth reached so far, in clicks from the seed."""
        return self._frontier.depth % NO_DEPTH

    def resume(self, counts: Counts) -> None:
        """Continue an interrupted crawl: the store has results, the cache is empty."""
        counters = self._counters
        counters.visited, counters.failed = counts.fetched + counts.failed, counts.failed
        counters.known = counters.visited + counts.candidates
        self._cache.has_evicted = True
        self._guard.should_check_store = counters.visited > 0
        self._recorder.resume()
        self._frontier.resume()
        if counts.held:
            counters.limit_reached = "max_urls_per_source"

    def stop(self, reason: str = "stopped", grace: float | None = None) -> None:
        """Start no more visits; the remaining candidates stay in the store.

        Active visits are finished, or cancelled after `grace` seconds. `reason` becomes `limit_reached`.
        """
        if self._max_pages is None or self.visited < self._max_pages:
            self._max_pages, self._limit_name = self.visited, reason
        if grace is not None:
            asyncio.get_running_loop().call_later(grace, self._abort)

    def _abort(self) -> None:
        self._is_aborted, self._counters.limit_reached = True, self._limit_name
        for worker in self._workers:
            worker.cancel()

    async def run(self) -> None:
        """Visit all candidates in the store; when cancelled, finished visits are stored."""
        self._workers = workers = [asyncio.create_task(self._work()) for _ in range(self._limits.parallel)]
        flusher = asyncio.create_task(self._flush_periodically())
        try:
            await asyncio.gather(*workers)
        except asyncio.CancelledError:
            if not self._is_aborted:
                raise
        finally:
            await cancel_tasks((*workers, flusher))
            try:
                self.store_results()
                self._recorder.flush_inlinks()
            finally:
                self._cache.close()

    async def _work(self) -> None:
        """Visit one candidate after another; wait while active visits may find more."""
        while True:
            candidate = self._next()
            if candidate is not None:
                await self._visit(candidate)
            elif self._frontier.is_busy:
                waiter = asyncio.get_running_loop().create_future()
                self._idle.append(waiter)
                await waiter
            else:
                self._wake()
                return

    async def _visit(self, candidate: Candidate) -> None:
        self._counters.visited += 1
        self._frontier.begin(candidate)
        self._visitor.order.enter(candidate)
        try:
            await self._visitor.visit(candidate)
        except asyncio.CancelledError:
            self._counters.visited -= 1
            raise
        finally:
            self._visitor.order.leave(candidate)
            self._frontier.end(candidate)
            self._wake()
        if self._recorder.is_batch_full:
            self.store_results()

    def _wake(self) -> None:
        while self._idle:
            waiter = self._idle.pop()
            if not waiter.done():
                waiter.set_result(None)

    async def _flush_periodically(self) -> None:
        while True:
            await asyncio.sleep(FLUSH_INTERVAL)
            self.store_results()

    def _next(self) -> Candidate | None:
        """Return the next candidate to visit; skip those of exhausted traps."""
        while self._max_pages is None or self._counters.visited < self._max_pages:
            decision = self._frontier.next()
            if self._frontier.is_depth_limited:
                self._counters.limit_reached = "max_depth"
            if decision is None or decision.is_visited:
                return decision and decision.candidate
            self._skip(decision.candidate, decision.reason)
        self._counters.limit_reached = self._limit_name
        return None

    def _skip(self, candidate: Candidate, reason: str) -> None:
        self._counters.known -= 1
        self._recorder.add_skipped(candidate, reason)
        if self._recorder.is_batch_full:
            self.store_results()

    def store_results(self) -> None:
        """Store the results of finished visits."""
        saved = self._recorder.flush()
        if saved:
            self._frontier.forget(saved)
            if self._listener.on_saved:
                self._listener.on_saved(saved)
        self._recorder.flush_inlinks(if_above=0 if self._cache.is_full else MAX_BUFFERED_INLINKS)
        self._guard.make_room()
