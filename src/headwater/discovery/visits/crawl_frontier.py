"""Candidates from the store, breadth first: a depth begins when every page of the depth before is done.

So every page has the shortest way to it, whatever the network does. The suspects that wait when a depth begins, and
those that its pages lead to at the same depth, are decided on in rounds: a round begins when nothing is under way.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from headwater.frontier.sampling import SuspectSampler, VisitDecision
from headwater.model import NO_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from headwater.frontier.suspects import Suspects
    from headwater.frontier.traps import SampleResult, TrapDetector
    from headwater.model import Candidate, DiscoveredUrl
    from headwater.store import Store


class CrawlFrontier:
    """The frontier of one crawl; `settle` writes what was found to the store, before candidates are read from it."""

    def __init__(
        self,
        store: Store,
        scan: int,
        traps: TrapDetector,
        suspects: Suspects,
        *,
        batch_size: int,
        max_depth: int | None,
        settle: Callable[[], None],
        on_round: Callable[[], None] = lambda: None,
    ) -> None:
        self.depth = 0
        self.is_depth_limited = False
        self._store, self._scan, self._traps, self._suspects = store, scan, traps, suspects
        self._batch_size, self._max_depth, self._settle, self._on_round = batch_size, max_depth, settle, on_round
        self._queue: deque[Candidate] = deque()
        self._place, self._has_more, self._has_new_candidates = 0, False, False
        self._sampling = SuspectSampler(traps)
        self._unread: Iterator[int] = iter(())
        self._active_visits = 0
        self._taken: set[int] = set()

    @property
    def is_busy(self) -> bool:
        """Whether pages are under way, which may lead to more candidates."""
        return self._active_visits > 0

    def next(self) -> VisitDecision | None:
        """Return the next candidate and whether to visit it; None if there is none, or none as yet."""
        if not self._queue and (self._has_more or not self._has_suspects()):
            self._refill()
        if self._queue:
            return VisitDecision(self._queue.popleft())
        return self._sampling.next() if self._has_suspects() else None

    def begin(self, candidate: Candidate) -> None:
        """Note that a visit begins."""
        self._active_visits += 1
        self._taken.add(candidate.identity)

    def add_result(self, candidate: Candidate, result: SampleResult) -> None:
        """Add what a suspect contained."""
        self._sampling.add_result(candidate, result)

    def end(self, candidate: Candidate) -> None:
        """Note that a visit ended."""
        self._active_visits -= 1
        self._sampling.finish(candidate)

    def add_found(self, found: Iterable[DiscoveredUrl]) -> None:
        """Note URLs that a page led to; those of this depth are candidates at once."""
        self._has_new_candidates = self._has_new_candidates or any(
            one.depth <= self.depth and not one.is_suspect for one in found
        )

    def forget(self, identities: Iterable[int]) -> None:
        """Forget visits that the store knows about."""
        self._taken.difference_update(identities)

    def _has_suspects(self) -> bool:
        """Return whether suspects can be decided on; reads more of them while few are undecided."""
        if self._sampling.undecided < self._batch_size and (some := list(islice(self._unread, self._batch_size))):
            candidates = self._store.candidates(self._scan, some)
            self._sampling.add(one for one in candidates if one.is_suspect and one.identity not in self._taken)
        return self._sampling.is_ready

    def _refill(self) -> None:
        """Read more candidates of this depth; when nothing is left of it, those of the next."""
        if self._has_more or self._has_new_candidates:
            self._settle()
            self._take()
        if not self._queue and not self.is_busy and not self._has_suspects():
            self._settle()
            self._begin_round()

    def _begin_round(self) -> None:
        depth = self._next_depth()
        if depth is not None:
            self.depth, self._place = depth, 0
            self._suspects.close(depth)
            self._traps.begin_round()
            self._on_round()
            self._unread = iter(self._store.suspects(self._scan, depth))
            self._take()

    def _next_depth(self) -> int | None:
        """Return the smallest depth at which pages wait that may be visited.

        Pages that no click leads to are visited too; clicks are counted from them then.
        """
        for start in (0, NO_DEPTH):
            depth = self._store.next_depth(self._scan, start)
            if depth is None or self._max_depth is None or depth % NO_DEPTH <= self._max_depth:
                return depth
            self.is_depth_limited = True
        return None

    def _take(self) -> None:
        """Queue candidates of this depth; the depth of those found before may have changed."""
        is_first, self._has_new_candidates = not self._place, False
        self._load_after_cursor()
        if not self._queue and not is_first:
            self._place = 0
            self._load_after_cursor()

    def _load_after_cursor(self) -> None:
        rows: Sequence[tuple[int, Candidate]] = self._store.next_candidates(
            self._scan, self._batch_size, self.depth, self._place
        )
        self._has_more = len(rows) == self._batch_size
        if rows:
            self._place = rows[-1][0]
        self._queue.extend(one for _, one in rows if one.identity not in self._taken)
