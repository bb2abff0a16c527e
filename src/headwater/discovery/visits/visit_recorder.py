"""Record the results of visits: count them, apply the limits per source, and store them in batches."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from headwater.discovery.visits.batching import BatchWriter, iter_batches
from headwater.fetch.failure_reasons import HOST_UNRESPONSIVE
from headwater.model import OVER_SOURCE_LIMIT, FetchFailure, Findings
from headwater.store import VisitResult
from headwater.urls.skip_reasons import describe_reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.discovery.context import Listener
    from headwater.discovery.visits.crawl_session import CrawlCounters, CrawlLimits, CrawlSession
    from headwater.examination import SiteState
    from headwater.frontier.url_cache import UrlCache
    from headwater.model import Candidate, DiscoveredUrl, UrlState

MAX_BUFFERED_INLINKS = 100_000
NO_FINDINGS = Findings([])
STATE_BY_REASON: dict[str, UrlState] = {
    "robots-unreachable": "deferred",
    HOST_UNRESPONSIVE: "deferred",
    "robots-disallowed": "skipped",
    "not-html": "skipped",
}
"""States of pages that were not loaded, by reason; all others have failed."""


class VisitRecorder:
    """Collects the results of one crawl until they are stored."""

    def __init__(
        self,
        session: CrawlSession,
        limits: CrawlLimits,
        site: SiteState,
        cache: UrlCache,
        counters: CrawlCounters,
        *,
        listener: Listener,
    ) -> None:
        self._store, self._scan, self._site, self._cache = session.store, session.scan, site, cache
        self._limits, self._counters, self._listener = limits, counters, listener
        self._writer = BatchWriter(session.store, session.scan, limits.batch_limit)
        self._source_counts: Counter[str] = Counter()
        self._link_count, self._next_list = 0, 1
        self._batch: list[VisitResult] = []
        self._skipped: Counter[str] = Counter()

    @property
    def is_batch_full(self) -> bool:
        """True once the results should be stored."""
        return len(self._batch) >= self._limits.batch_size

    def resume(self) -> None:
        """Continue the numbering and the counts of an interrupted crawl."""
        numbers = self._store.links.next_numbers(self._scan)
        self._cache.links.resume_at(numbers.next_link)
        self._next_list, self._link_count = numbers.next_list, numbers.kept_links
        if self._limits.max_urls_per_source is not None:
            self._source_counts.update(self._store.source_usage(self._scan))

    def add(self, result: VisitResult, findings: Findings = NO_FINDINGS) -> None:
        """Add the result of a visit."""
        self._batch.append(result)
        self._link_count += len(result.links or ())
        if self._limits.max_links is not None and self._link_count > self._limits.max_links:
            self._site.keeps_links = False  # further links are counted only
        if findings.skipped:
            self._skipped.update(findings.skipped)
        if self._listener.on_found and findings.found:
            self._report_found(findings.found)

    def add_skipped(self, candidate: Candidate, reason: str, status: int | None = None) -> None:
        """Add a candidate that turned out not to be a page to visit."""
        self._skipped[reason] += 1
        self.add(VisitResult(candidate, "skipped", status, reason))

    def add_failed(self, candidate: Candidate, failure: FetchFailure) -> None:
        """Add a page that could not be loaded."""
        state = STATE_BY_REASON.get(failure.reason, "failed")
        if state == "skipped":
            self._skipped[failure.reason] += 1
        else:
            self._counters.failed += state == "failed"
            if self._listener.on_failed:
                self._listener.on_failed(failure)
        self.add(VisitResult(candidate, state, failure.status, failure.reason, content_type=failure.content_type))

    def add_wall(self, result: VisitResult, findings: Findings) -> None:
        """Add a response that was shown instead of a page."""
        self._counters.failed += 1
        if self._listener.on_failed:
            failure = FetchFailure(result.candidate.url, result.reason, describe_reason(result.reason), result.status)
            self._listener.on_failed(failure)
        self.add(result, findings)

    def limit_sources(self, findings: Findings) -> Findings:
        """Count the pages that are new; hold back those beyond the limit of their source."""
        limit = self._limits.max_urls_per_source
        if limit is None:
            self._counters.known += sum(one.is_new and not one.reason and one.kind == "page" for one in findings.found)
            return findings
        new = [one.identity for one in findings.found if one.is_new and not one.reason and one.kind == "page"]
        unknown = self._store.filter_unknown(self._scan, new)
        self._counters.known += len(new)
        return findings._replace(found=[self._limit_source(one, limit, unknown) for one in findings.found])

    def _limit_source(self, one: DiscoveredUrl, limit: int, unknown: set[int]) -> DiscoveredUrl:
        """Return the page, held back if its source is full; pages listed by an earlier stage are counted already."""
        if one.identity not in unknown or one.reason or one.kind != "page" or not one.is_new:
            return one
        if self._source_counts[one.source] < limit:
            self._source_counts[one.source] += 1
            return one
        self._counters.limit_reached = "max_urls_per_source"
        self._counters.known -= 1
        return one._replace(reason=OVER_SOURCE_LIMIT)

    def _report_found(self, found: Sequence[DiscoveredUrl]) -> None:
        """Report new URLs; only the store knows which of them an earlier stage has listed."""
        assert self._listener.on_found is not None
        found = [one for one in found if one.is_new and one.reason != OVER_SOURCE_LIMIT]
        if self._cache.has_evicted:
            unknown = self._store.filter_unknown(self._scan, [one.identity for one in found])
            found = [one for one in found if one.identity in unknown]
        if found:
            self._listener.on_found(found)

    def flush(self) -> list[int]:
        """Store the collected results; return the identities of their pages."""
        if not self._batch and not self._skipped:
            return []
        new_links = self._cache.links.take_new_links()
        self._writer.save(self._batch, (), self._skipped, new_links, self._next_list)
        self._next_list += sum(1 for result in self._batch if result.links is not None)
        saved = [result.candidate.identity for result in self._batch]
        self._batch, self._skipped = [], Counter()
        return saved

    def flush_inlinks(self, *, if_above: int = 0) -> None:
        """Store the buffered counts of inlinks if there are more than `if_above`."""
        if len(self._cache.inlinks) > if_above:
            for part in iter_batches(self._cache.inlinks.items(), self._limits.batch_limit or MAX_BUFFERED_INLINKS):
                self._store.add_inlinks(self._scan, dict(part))
            self._cache.inlinks = Counter()
