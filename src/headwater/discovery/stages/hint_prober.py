"""Request hints, and list those that prove to be pages.

A hint is requested once no candidates are left, so that a link to the same page comes first. The response of a page is
kept for the crawl, which does not request it again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.discovery.stages.url_collector import SourceLimits, UrlCollector
from headwater.discovery.visits.hint_queue import PAGE
from headwater.examination import check_hint
from headwater.frontier.hints import HINT_SOURCES, HintBudget, HintSelection
from headwater.frontier.parents import list_parents
from headwater.model import REDIRECT_STATUSES, FetchFailure, Hint, Request, SourceMetadata
from headwater.urls.harmful_urls import is_harmful_url
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_href
from headwater.urls.parsing import serialize_url
from headwater.urls.redirects import get_redirect_target
from headwater.urls.skip_rules import build_target, judge_target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.discovery.context import ScanContext
    from headwater.discovery.visits.hint_queue import HintQueue
    from headwater.model import Response

MAX_CONCURRENT_HINTS = 4
MAX_PAGES_PER_ROUND = 200
"""Pages after which the crawl visits them before further hints are requested; their responses are in memory."""

MAX_SPELLINGS = 3
"""Redirects to another spelling of the same page that are followed."""


class HintProber:
    """Requests the hints of one scan, in rounds between which the crawl visits what was found."""

    def __init__(self, context: ScanContext, queue: HintQueue) -> None:
        self._context, self._queue = context, queue
        self._budget = HintBudget()
        queue.restore_budget(self._budget)
        self._limits = SourceLimits(context.settings)
        self._fingerprints: set[int] = set()

    async def probe(self) -> int:
        """Request hints until a round is complete; return the number of pages listed."""
        selection, pages = HintSelection(self._select_new(), self._budget), 0
        while pages < MAX_PAGES_PER_ROUND and (batch := selection.take(MAX_CONCURRENT_HINTS)):
            results = await asyncio.gather(*(self._fetch(hint.url) for hint in batch))
            pages += sum(self._record(hint, result) for hint, result in zip(batch, results, strict=True))
        if pages:
            self._context.store.enqueue_listed(self._context.scan, None)
        return pages

    def _select_new(self) -> list[Hint]:
        """Return the untried hints that the rules of the scan allow and no link leads to, by the URL to request."""
        hints: dict[int, Hint] = {}
        for hint in self._queue.list_untried(self._list_parents()):
            target = build_target(hint.url, serialize_url(hint.url), self._context.site.scope)
            if judge_target(target, self._context.site.scope).allowed and not is_harmful_url(target.fetch_url):
                hints.setdefault(compute_identity(target.key), hint._replace(url=target.fetch_url))
        unknown = self._context.store.filter_unknown(self._context.scan, list(hints))
        return [hint for identity, hint in hints.items() if identity in unknown]

    def _list_parents(self) -> Iterator[Hint]:
        if "parents" in self._queue.sources and not self._budget.is_spent("parents"):
            urls = self._context.store.visited_urls(self._context.scan)
            yield from (Hint("parents", url) for url in list_parents(urls))

    async def _fetch(self, url: str) -> Response | FetchFailure:
        """Request a URL; redirects to other spellings of the same page are followed."""
        policy = self._context.site.scope.policy
        key, asked = spell_href(url, policy).key, url
        for _ in range(MAX_SPELLINGS):
            result = await self._context.stack.no_redirect_fetcher.fetch(Request(asked))
            if isinstance(result, FetchFailure) or result.status not in REDIRECT_STATUSES:
                return result
            asked = get_redirect_target(result)
            if not asked or spell_href(asked, policy).key != key:
                return FetchFailure(url, "redirect", f"to {asked[:200]}", result.status)
        return FetchFailure(url, "too-many-redirects")

    def _record(self, hint: Hint, result: Response | FetchFailure) -> bool:
        """Store the result of a hint; return True if it is a page, which is listed then."""
        rejection = result.reason if isinstance(result, FetchFailure) else self._find_rejection(result)
        self._budget.record(hint, is_gain=not rejection)
        number = self._queue.record_result(hint, rejection or PAGE, result.status)
        if rejection or isinstance(result, FetchFailure):
            return False
        source = HINT_SOURCES[hint.source]
        collector = UrlCollector(self._context, source, SourceMetadata(number), self._limits)
        collector.add(hint.url)
        collector.flush()
        self._context.state.preloaded[hint.url] = result
        return True

    def _find_rejection(self, response: Response) -> str:
        rejection, fingerprint = check_hint(response, self._context.site)
        if not rejection and fingerprint and fingerprint in self._fingerprints:  # 0 stands for a page without text
            return "duplicate"  # the host answers several paths alike
        self._fingerprints.add(fingerprint)
        return rejection
