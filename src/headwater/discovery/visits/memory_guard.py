"""Pages are read one at a time, and what memory has forgotten is looked up in the store.

Memory may forget everything between two pages, once the store has all that was found. A URL that is met again then
looks new. What the store knows of it is put back, so that results do not depend on what was forgotten and when.
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
"""Sorts behind every key: the store knows the page a URL was found on, and compares."""

SPELLING_RETRY_STATES = frozenset({"waiting", "failed"})
"""States in which other spellings of a page may still be requested."""

LOOKUP_BATCH_SIZE = 10_000


async def run_examination(steps: Generator[None, None, Findings]) -> Findings:
    """Examine a page to its end; at the pauses that one with many links has, other tasks have their turn."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            findings: Findings = end.value
            return findings
        await asyncio.sleep(0)


class MemoryGuard:
    """Guards the memory of one crawl: a page is read inside `async with`, so that nothing is forgotten meanwhile.

    `settle` writes everything that was found to the store.
    """

    def __init__(self, store: Store, scan: int, site: SiteState, memory: UrlCache, settle: Callable[[], None]) -> None:
        self._store, self._scan, self._site, self._memory = store, scan, site, memory
        self._settle = settle
        self._turn = asyncio.Lock()
        self._newest_row = 0  # the newest row of the store when the round began
        self._linked_this_round: set[int] = set()  # older than the round, and first linked to and forgotten in it
        self._has_evicted_this_round = False
        self.should_check_store = False
        """Whether pages may have led to URLs that are not in memory."""

    async def __aenter__(self) -> None:
        """Wait until no other page is being read."""
        await self._turn.acquire()
        try:
            if self._memory.is_full:
                self._settle()
                self._forget()
        except BaseException:
            self._turn.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._turn.release()

    def make_room(self) -> None:
        """Forget something if there is too much and no page is being read; the store must have all that was found."""
        if self._memory.is_full and not self._turn.locked():
            self._forget()

    def begin_round(self) -> None:
        """Begin a round; the store must have all that was found."""
        self._newest_row = self._store.last_url_number()
        self._linked_this_round, self._has_evicted_this_round = set(), False

    def note_visit(self, page: Candidate) -> None:
        """Make a page known that is visited; if memory has forgotten that this round led to it, that is looked up."""
        is_forgotten = self._has_evicted_this_round and (page.key, "page") not in self._memory.by_key
        self._memory.note_visit(page)
        if is_forgotten:
            for row in self._store.known_urls(self._scan, [page.identity]):
                if row.depth < NO_DEPTH and not self._is_from_earlier_round(row):
                    self._memory.by_key[page.key, "page"].round = self._site.traps.round

    def restore_known(self, findings: Findings, page: Candidate) -> Findings:
        """Return what a page says, once what the store knows of its links is put back into memory."""
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
        """Return whether a page of an earlier round led to a URL."""
        return row.number <= self._newest_row and row.identity not in self._linked_this_round

    def _restore(self, found: DiscoveredUrl, row: KnownUrl, earlier: set[int]) -> Iterator[int]:
        """Put back what was known of a URL; yields it if this page shows that no trap made it."""
        known = self._known(found)
        if known is None:
            return
        known.fetch_url = row.fetch_url
        if row.depth < known.depth:
            known.depth, known.parent = row.depth, "" if row.is_visited else MAX_PARENT_KEY
        if row.identity in earlier:
            known.round = -1
        is_undecided = row.is_suspect and row.state == "waiting" and row.depth > self._memory.suspects.closed_depth
        if not is_undecided:
            known.trap_template = None
        elif known.trap_template is None:
            yield row.identity

    def _known(self, found: DiscoveredUrl) -> CachedUrl | None:
        kind = NOT_FOLLOWED if found.reason == NOT_FOLLOWED else found.kind
        return self._memory.by_key.get((found.key, kind))

    def _correct_found(self, one: DiscoveredUrl, rows: dict[int, KnownUrl], page: Candidate) -> Iterator[DiscoveredUrl]:
        """Yield a URL as it would have been reported, unless the store has a way to it that is as short."""
        row = rows.get(one.identity)  # a page may report a URL twice, by a shorter way the second time
        if row is None:
            yield one
        elif one.depth < row.depth or (one.depth == row.depth and self._should_compare_parents(one, row, page)):
            yield one._replace(is_new=False, fetch_url=row.fetch_url, url=row.url)

    def _should_compare_parents(self, one: DiscoveredUrl, row: KnownUrl, page: Candidate) -> bool:
        """Return whether of two ways of the same length the one from the better page counts.

        Of redirects, links in headers and links between the parts of a list the first one counts.
        """
        is_step = one.depth > page.depth and one.element != "header"
        return is_step and not self._site.keeps_links and not row.is_visited

    def _forget(self) -> None:
        number = self._site.traps.round
        linked = [known.identity for known in self._memory.by_key.values() if known.round == number]
        self._memory.make_room()
        if self._memory.by_key:
            return  # only numbers were forgotten
        self._has_evicted_this_round = self.should_check_store = True
        for part in iter_batches(linked, LOOKUP_BATCH_SIZE):
            rows = self._store.known_urls(self._scan, part)
            self._linked_this_round.update(row.identity for row in rows if row.number <= self._newest_row)


def _is_same_link(row: KnownUrl, found: DiscoveredUrl) -> bool:
    """Return whether a row says that a link of this kind led to the URL, or that it was visited."""
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
