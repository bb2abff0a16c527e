"""Take candidates from the store, breadth first: a depth starts when every page of the depth before it is done.

This gives every page its shortest path, whatever the timing of the network. Suspects that are candidates when a depth
starts, and those found at the same depth, are decided on in rounds: a round starts when no visit is active.
"""

from __future__ import annotations

from array import array
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from headwater.frontier.shape_quota import ShapeQuota
from headwater.frontier.traps.sampling import SuspectSampler, VisitDecision
from headwater.model import NO_DEPTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from headwater.discovery.visits.crawl_session import CrawlLimits, CrawlSession
    from headwater.discovery.visits.memory_guard import MemoryGuard
    from headwater.frontier.traps import SampleResult, TrapDetector
    from headwater.model import Candidate, DiscoveredUrl


class CrawlFrontier:
    """The frontier of one crawl; results are stored before candidates are read from the store."""

    def __init__(self, session: CrawlSession, limits: CrawlLimits, traps: TrapDetector, guard: MemoryGuard) -> None:
        self.depth = 0
        self.is_depth_limited = False
        self._store, self._scan, self._traps, self._guard = session.store, session.scan, traps, guard
        self._batch_size, self._max_depth = limits.batch_size, limits.max_depth
        self._queue: deque[Candidate] = deque()
        self._cursor, self._has_more, self._has_new_candidates = 0, False, False
        self._sampling = SuspectSampler(traps)
        self._unread: Iterator[int] = iter(())
        self._active_visits = 0
        self._taken: set[int] = set()
        self._quota = None if limits.per_shape is None else ShapeQuota(limits.per_shape, session.seeds)
        self._chosen: Iterator[int] = iter(())

    def resume(self) -> None:
        """Count the visits before an interruption."""
        if self._quota is not None:
            self._quota.add_visited(self._store.visited_keys(self._scan))

    @property
    def is_busy(self) -> bool:
        """True while visits are active, which may find more candidates."""
        return self._active_visits > 0

    def next(self) -> VisitDecision | None:
        """Return the next candidate and the decision to visit or skip it; None if no candidate is available now."""
        if not self._queue and (self._has_more or not self._has_suspects()):
            self._refill()
        if self._queue:
            return VisitDecision(self._queue.popleft())
        return self._sampling.next() if self._has_suspects() else None

    def begin(self, candidate: Candidate) -> None:
        """Note that a visit has started."""
        self._active_visits += 1
        self._taken.add(candidate.identity)

    def add_result(self, candidate: Candidate, result: SampleResult) -> None:
        """Add the result of visiting a suspect."""
        self._sampling.add_result(candidate, result)

    def end(self, candidate: Candidate) -> None:
        """Note that a visit has ended."""
        self._active_visits -= 1
        self._sampling.finish(candidate)

    def add_found(self, found: Iterable[DiscoveredUrl]) -> None:
        """Note the URLs found on a page; those of the current depth are candidates at once."""
        if self._quota is None:  # otherwise they are for the next round, which chooses in the order of keys
            self._has_new_candidates = self._has_new_candidates or any(
                one.depth <= self.depth and not one.is_suspect for one in found
            )

    def forget(self, identities: Iterable[int]) -> None:
        """Forget visits whose results are stored."""
        self._taken.difference_update(identities)

    def _has_suspects(self) -> bool:
        """Return True if suspects can be decided on; read more of them while few are undecided."""
        if self._sampling.undecided < self._batch_size and (some := list(islice(self._unread, self._batch_size))):
            candidates = self._store.candidates(self._scan, some)
            self._sampling.add(one for one in candidates if one.is_suspect and one.identity not in self._taken)
        return self._sampling.is_ready

    def _refill(self) -> None:
        """Read more candidates of this depth, or of the next one when this depth is done."""
        if self._has_more or self._has_new_candidates:
            self._guard.store_results()
            self._take()
        if not self._queue and not self.is_busy and not self._has_suspects():
            self._guard.store_results()
            self._begin_round()

    def _begin_round(self) -> None:
        depth = self._next_depth()
        while depth is not None and self._quota is not None and not self._choose(depth, self._quota):
            depth = self._next_depth()
        if depth is not None:
            self.depth, self._cursor = depth, 0
            self._guard.cache.suspects.close(depth)
            self._traps.begin_round()
            self._guard.begin_round()
            self._unread = iter(self._store.suspects(self._scan, depth))
            self._take()

    def _choose(self, depth: int, quota: ShapeQuota) -> bool:
        """Choose the candidates of a depth to visit; the store keeps the others as unvisited. False if there are none.

        Chosen suspects are left to the sampler, which reads them from the store.
        """
        chosen, others = [], array("q")
        for candidate in self._store.candidates_by_key(self._scan, depth):
            if not quota.admit(candidate):
                others.append(candidate.identity)
            else:
                chosen.append(candidate)
        self._store.leave_unvisited(self._scan, others)
        self._chosen = iter([one.identity for one in chosen if not one.is_suspect])
        return bool(chosen)

    def _next_depth(self) -> int | None:
        """Return the smallest depth that has candidates within the depth limit.

        Pages that no link leads to follow at the end; depth is then counted from them.
        """
        for start in (0, NO_DEPTH):
            depth = self._store.next_depth(self._scan, start)
            if depth is None or self._max_depth is None or depth % NO_DEPTH <= self._max_depth:
                return depth
            self.is_depth_limited = True
        return None

    def _take(self) -> None:
        """Queue candidates of this depth; a shorter path may have moved earlier rows into it."""
        if self._quota is not None:
            identities = list(islice(self._chosen, self._batch_size))
            self._has_more = len(identities) == self._batch_size
            self._queue.extend(self._store.candidates(self._scan, identities))
            return
        is_first, self._has_new_candidates = not self._cursor, False
        self._load_after_cursor()
        if not self._queue and not is_first:
            self._cursor = 0
            self._load_after_cursor()

    def _load_after_cursor(self) -> None:
        rows: Sequence[tuple[int, Candidate]] = self._store.next_candidates(
            self._scan, self._batch_size, self.depth, self._cursor
        )
        self._has_more = len(rows) == self._batch_size
        if rows:
            self._cursor = rows[-1][0]
        self._queue.extend(one for _, one in rows if one.identity not in self._taken)
