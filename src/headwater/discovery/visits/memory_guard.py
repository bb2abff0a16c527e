"""Examine pages one at a time, and restore evicted entries of the cache from the store.

The cache may evict everything between two pages, once the store has all results. A URL that is found again then looks
new. Its data is restored from the store, so that the results do not depend on what was evicted and when.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwater.discovery.visits.batching import iter_batches
from headwater.model import NO_DEPTH, NOT_FOLLOWED

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from headwater.examination import SiteState
    from headwater.frontier.url_cache import CachedUrl, UrlCache
    from headwater.model import Candidate, DiscoveredUrl, Findings
    from headwater.store import KnownUrl, Store

MAX_PARENT_KEY = "\U0010ffff"
"""Sorts after every key, so that the store decides which page a URL was found on."""

SPELLING_RETRY_STATES = frozenset({"waiting", "failed"})
"""States in which other spellings of a page may be requested later."""

LOOKUP_BATCH_SIZE = 10_000


async def run_examination(steps: Generator[None, None, Findings]) -> Findings:
    """Run all steps of an examination; other tasks run between the steps."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            findings: Findings = end.value
            return findings
        await asyncio.sleep(0)


class MemoryGuard:
    """Guards the URL cache of one crawl: nothing is evicted while a page is examined inside `async with`.

    `store_results` stores the results of all finished visits.
    """

    def __init__(
        self, store: Store, scan: int, site: SiteState, cache: UrlCache, store_results: Callable[[], None]
    ) -> None:
        self._store, self._scan = store, scan
        self.site, self.cache, self.store_results = site, cache, store_results
        self._lock = asyncio.Lock()
        self._newest_row = 0  # the newest row of the store when the round started
        self._linked_this_round: set[int] = set()  # older than the round, first linked to and evicted in it
        self._has_evicted_this_round = False
        self.should_check_store = False
        """True if pages may have linked to URLs that are not in memory."""

    async def __aenter__(self) -> None:
        """Wait until no other page is being examined."""
        await self._lock.acquire()
        try:
            if self.cache.is_full:
                self.store_results()
                self._evict()
        except BaseException:
            self._lock.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()

    def make_room(self) -> None:
        """Evict entries if the cache is full and no page is being examined; the store must have all results."""
        if self.cache.is_full and not self._lock.locked():
            self._evict()

    def begin_round(self) -> None:
        """Start a round; the store must have all results."""
        self._newest_row = self._store.last_url_number()
        self._linked_this_round, self._has_evicted_this_round = set(), False

    def note_visit(self, page: Candidate) -> None:
        """Record a visit; if the entry of the page was evicted, restore from the store whether this round found it."""
        is_evicted = self._has_evicted_this_round and (page.key, "page") not in self.cache.by_key
        self.cache.note_visit(page)
        if is_evicted:
            for row in self._store.known_urls(self._scan, [page.identity]):
                if row.depth < NO_DEPTH and not self._is_from_earlier_round(row):
                    self.cache.by_key[page.key, "page"].round = self.site.traps.round

    def restore_known(self, findings: Findings, page: Candidate) -> Findings:
        """Return the findings of a page, corrected for URLs that look new only because they were evicted."""
        new = {one.identity: one for one in findings.found if one.is_new} if self.should_check_store else {}
        if not new:
            return findings
        rows = {row.identity: row for row in self._store.known_urls(self._scan, list(new))}
        rows = {identity: row for identity, row in rows.items() if _is_same_link(row, new[identity])}
        if not rows:
            return findings
        earlier = {identity for identity, row in rows.items() if self._is_from_earlier_round(row)}
        cleared = [one for identity, row in rows.items() for one in self._restore(new[identity], row, earlier)]
        return findings._replace(
            found=[found for one in findings.found for found in self._correct_found(one, rows, page)],
            new_links=[link for link in findings.new_links if link[0] not in earlier],
            new_pages=findings.new_pages - earlier,
            cleared=[*findings.cleared, *cleared],
            spellings=[*findings.spellings, *_iter_spellings(new, rows)],
        )

    def _is_from_earlier_round(self, row: KnownUrl) -> bool:
        """Return True if a page of an earlier round linked to a URL."""
        return row.number <= self._newest_row and row.identity not in self._linked_this_round

    def _restore(self, found: DiscoveredUrl, row: KnownUrl, earlier: set[int]) -> Iterator[int]:
        """Restore the data of a URL; yield its identity if this page shows that it belongs to no trap."""
        known = self._get_cached(found)
        if known is None:
            return
        known.fetch_url = row.fetch_url
        if row.depth < known.depth:
            known.depth, known.parent = row.depth, "" if row.is_visited else MAX_PARENT_KEY
        if row.identity in earlier:
            known.round = -1
        # Suspects of the current depth that this round found are decided on in the next one.
        is_later = row.depth > self.cache.suspects.closed_depth or row.number > self._newest_row
        if not (row.is_suspect and row.state == "waiting" and is_later):
            known.trap_template = None
        elif known.trap_template is None:
            yield row.identity

    def _get_cached(self, found: DiscoveredUrl) -> CachedUrl | None:
        kind = NOT_FOLLOWED if found.reason == NOT_FOLLOWED else found.kind
        return self.cache.by_key.get((found.key, kind))

    def _correct_found(self, one: DiscoveredUrl, rows: dict[int, KnownUrl], page: Candidate) -> Iterator[DiscoveredUrl]:
        """Yield a URL as it would have been found without eviction, unless the store has an equally short path."""
        row = rows.get(one.identity)  # a page may report a URL twice, the second time with a shorter path
        if row is None:
            yield one
        elif one.depth < row.depth or (one.depth == row.depth and self._should_compare_parents(one, row, page)):
            yield one._replace(is_new=False, fetch_url=row.fetch_url, url=row.url)

    def _should_compare_parents(self, one: DiscoveredUrl, row: KnownUrl, page: Candidate) -> bool:
        """Return True if the better parent decides between two paths of the same length.

        For redirects, links in headers and links between pages of a series, the first one counts.
        """
        is_step = one.depth > page.depth and one.element != "header"
        return is_step and not self.site.keeps_links and not row.is_visited

    def _evict(self) -> None:
        number = self.site.traps.round
        linked = [known.identity for known in self.cache.by_key.values() if known.round == number]
        self.cache.make_room()
        if self.cache.by_key:
            return  # only link numbers were evicted
        self._has_evicted_this_round = self.should_check_store = True
        for part in iter_batches(linked, LOOKUP_BATCH_SIZE):
            rows = self._store.known_urls(self._scan, part)
            self._linked_this_round.update(row.identity for row in rows if row.number <= self._newest_row)


def _is_same_link(row: KnownUrl, found: DiscoveredUrl) -> bool:
    """Return True if a row shows that a link of this kind led to the URL, or that the URL was visited."""
    if row.kind != found.kind or (row.reason == NOT_FOLLOWED) != (found.reason == NOT_FOLLOWED):
        return False
    is_only_listed = row.kind == "page" and row.state == "discovered"
    return not is_only_listed and (row.depth < NO_DEPTH or row.is_visited)


def _iter_spellings(new: dict[int, DiscoveredUrl], rows: dict[int, KnownUrl]) -> Iterator[tuple[int, str]]:
    for identity, row in rows.items():
        one = new[identity]
        if (
            one.fetch_url != row.fetch_url
            and one.kind == "page"
            and not one.reason
            and row.state in SPELLING_RETRY_STATES
        ):
            yield identity, one.fetch_url
