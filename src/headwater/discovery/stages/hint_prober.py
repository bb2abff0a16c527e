"""Request hints, and list those that prove to be pages.

A hint is requested once no candidates are left, so that a link to the same page comes first. The response of a page is
kept for the crawl, which does not request it again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.discovery.stages.url_collector import SourceLimits, UrlCollector
from headwater.discovery.visits.hint_queue import DISALLOWED, PAGE, READ
from headwater.examination import check_hint
from headwater.frontier.hints import HINT_SOURCES, HintBudget, HintSelection, is_error_page
from headwater.frontier.parents import list_files_of_directory, list_parents
from headwater.model import REDIRECT_STATUSES, FetchFailure, Hint, Request, SourceMetadata
from headwater.pages.links.url_strings import FILE_RANK, MAX_TEXT, find_script_strings
from headwater.pages.text.hashes import hash_content
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_href
from headwater.urls.parsing import get_origin, resolve, serialize_url
from headwater.urls.recognition.harmful_urls import is_harmful_url
from headwater.urls.redirects import get_redirect_target
from headwater.urls.skip_rules import build_target, judge_target
from headwater.version import ROBOTS_NAME

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
        pages, has_more = 0, True
        while has_more and pages < MAX_PAGES_PER_ROUND:
            selection, has_more = HintSelection(self._select_new(), self._budget), False
            while pages < MAX_PAGES_PER_ROUND and (batch := selection.take(MAX_CONCURRENT_HINTS)):
                results = await asyncio.gather(*map(self._fetch, batch))
                pages += sum(map(self._record, batch, results))
                has_more |= any(hint.is_script for hint in batch)
        if pages:
            self._context.store.enqueue_listed(self._context.scan, None)
        return pages

    def _select_new(self) -> list[Hint]:
        """Return the untried hints that the rules of the scan allow and no link leads to, by the URL to request."""
        hints: dict[int, Hint] = {}
        scripts: set[int] = set()
        for hint in self._queue.list_untried(self._list_parents()):
            target = build_target(hint.url, serialize_url(hint.url), self._context.site.scope)
            is_allowed = hint.is_script or judge_target(target, self._context.site.scope).allowed
            if is_allowed and not is_harmful_url(target.fetch_url) and not is_error_page(target.fetch_url):
                identity = compute_identity(target.key)
                hints.setdefault(identity, hint._replace(url=target.fetch_url))
                scripts.update({identity} if hint.is_script else ())
        unknown = self._context.store.filter_unknown(self._context.scan, list(hints)) | scripts
        return [hint for identity, hint in hints.items() if identity in unknown]

    def _list_parents(self) -> Iterator[Hint]:
        if "parents" in self._queue.sources and not self._budget.is_spent("parents"):
            urls = self._context.store.visited_urls(self._context.scan)
            yield from (Hint("parents", url) for url in list_parents(urls))

    async def _fetch(self, hint: Hint) -> Response | FetchFailure:
        """Request a hint; redirects to other spellings of the same page are followed."""
        policy, url = self._context.site.scope.policy, hint.url
        key, asked = spell_href(url, policy).key, url
        for _ in range(MAX_SPELLINGS):
            request = Request(asked, "script" if hint.is_script else "page")
            result = await self._context.stack.no_redirect_fetcher.fetch(request)
            if isinstance(result, FetchFailure) or result.status not in REDIRECT_STATUSES:
                return result
            asked = get_redirect_target(result)
            if not asked or spell_href(asked, policy).key != key:
                return FetchFailure(url, "redirect", f"to {asked[:200]}", result.status)
        return FetchFailure(url, "too-many-redirects")

    def _record(self, hint: Hint, result: Response | FetchFailure) -> bool:
        """Store the result of a hint; return True if it is a page, which is listed then."""
        if isinstance(result, FetchFailure):
            rejection = result.reason
        else:
            rejection = self._read_script(hint, result) if hint.is_script else self._find_rejection(hint, result)
        if rejection != DISALLOWED:
            self._budget.record(hint, is_gain=not rejection)
        number = self._queue.record_result(hint, rejection or PAGE, result.status)
        if rejection or isinstance(result, FetchFailure):
            return False
        collector = UrlCollector(self._context, HINT_SOURCES[hint.source], SourceMetadata(number), self._limits)
        collector.add(hint.url)
        collector.flush()
        self._context.state.preloaded[hint.url] = result
        return True

    def _read_script(self, hint: Hint, response: Response) -> str:
        """Queue the strings of a script that look like URLs; names of files are relative to the root of the host."""
        strings = find_script_strings(response.body[:MAX_TEXT].decode("utf-8", "replace"))
        urls = (resolve(text, f"{get_origin(hint.url)}/") for text in strings)
        own = [url for url in urls if url and get_origin(url) == get_origin(hint.url)]
        self._queue.add(hint.url, [Hint(hint.source, url.partition("#")[0], FILE_RANK) for url in own])
        return READ

    def _find_rejection(self, hint: Hint, response: Response) -> str:
        rejection, fingerprint = check_hint(response, self._context.site)
        if not rejection and self._is_copy(hint, response):
            return "duplicate"  # relative links of a copy lead to pages that do not exist
        if not rejection and fingerprint and fingerprint in self._fingerprints:  # 0 stands for a page without text
            return "duplicate"  # the host answers several paths alike
        self._fingerprints.add(fingerprint)
        return rejection

    def _is_copy(self, hint: Hint, response: Response) -> bool:
        """Return True if a directory answers with the page that a file beside it is: `/core/` with `/core.html`."""
        policy, content = self._context.site.scope.policy, hash_content(response.body)
        keys = (spell_href(url, policy).key for url in list_files_of_directory(hint.url))
        visits = (self._context.store.previous_visit(self._context.scan, compute_identity(key)) for key in keys)
        return any(visit is not None and visit.content_hash == content for visit in visits)


async def list_robots_hints(context: ScanContext) -> list[Hint]:
    """Return the paths that robots.txt of the seeds names and allows."""
    if context.settings.robots == "ignore":
        return []
    hints = []
    for origin in dict.fromkeys(map(get_origin, context.entry_urls)):
        answer = await context.stack.get_robots(f"{origin}/")
        paths = answer.robots.list_allowed_paths(ROBOTS_NAME) if answer.robots else []
        hints += [Hint("robots", f"{origin}{path}") for path in paths]
    return hints
