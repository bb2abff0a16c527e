"""Decide on suspects: visit them, or skip them because their family is exhausted.

The decisions are those of a crawler that visits one suspect after another in the given order. Several suspects of a
family are visited at once only while they cannot exhaust it, even if all are barren, so decisions do not depend on
the number of requests in flight or the order of responses.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from headwater.frontier.traps.trap_detector import get_suspect_shape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headwater.frontier.file_samples import FileFamily
    from headwater.frontier.traps.trap_detector import SampleResult, TrapDetector, UrlFamily
    from headwater.model import Candidate


class VisitDecision(NamedTuple):
    """A candidate, and the decision to visit it; if it is not visited, `reason` says why."""

    candidate: Candidate
    is_visited: bool = True
    reason: str = ""


class SuspectSampler:
    """The suspects of one round, a queue for each family; families do not wait for each other."""

    def __init__(self, traps: TrapDetector) -> None:
        self._traps = traps
        self._queues: dict[UrlFamily | FileFamily, _FamilyQueue] = {}
        self._ready: deque[_FamilyQueue] = deque()
        self._queue_of: dict[int, _FamilyQueue] = {}  # by the identities of suspects that are being visited
        self.undecided = 0

    @property
    def is_ready(self) -> bool:
        """Return True if there may be a decision that does not depend on pages in progress."""
        return bool(self._ready)

    def add(self, candidates: Iterable[Candidate]) -> None:
        """Add suspects; those of a family are decided on in the order in which they are added."""
        for candidate in candidates:
            family = self._traps.get_family(candidate.key)
            queue = self._queues.get(family)
            if queue is None:
                queue = self._queues[family] = _FamilyQueue(self._traps, family)
            queue.waiting.append(candidate)
            self.undecided += 1
            self._make_ready(queue)

    def next(self) -> VisitDecision | None:
        """Return the next decision, taking families in turn; None while all depend on pages in progress."""
        while self._ready:
            queue = self._ready.popleft()
            queue.is_ready = False
            decision = queue.decide()
            if decision is None:
                continue
            self.undecided -= 1
            if decision.is_visited:
                self._queue_of[decision.candidate.identity] = queue
            self._make_ready(queue)
            self._drop_if_empty(queue)
            return decision
        return None

    def add_result(self, candidate: Candidate, result: SampleResult) -> None:
        """Add the content of a suspect; it counts once the visit is finished."""
        queue = self._queue_of.get(candidate.identity)
        if queue is not None:
            queue.results[candidate.identity] = result

    def finish(self, candidate: Candidate) -> None:
        """End the visit of a suspect; without a result it does not count for its family."""
        queue = self._queue_of.pop(candidate.identity, None)
        if queue is not None:
            queue.finish(candidate.identity)
            self._make_ready(queue)
            self._drop_if_empty(queue)

    def _drop_if_empty(self, queue: _FamilyQueue) -> None:
        if not queue.waiting and not queue.visiting:
            del self._queues[queue.family]

    def _make_ready(self, queue: _FamilyQueue) -> None:
        if queue.waiting and not queue.is_ready:
            queue.is_ready = True
            self._ready.append(queue)


class _FamilyQueue:
    """The suspects of one family: those to decide on, and those being visited, both in order."""

    def __init__(self, traps: TrapDetector, family: UrlFamily | FileFamily) -> None:
        self._traps, self.family = traps, family
        self.is_ready = False
        self.waiting: deque[Candidate] = deque()
        self.visiting: deque[Candidate] = deque()
        self.results: dict[int, SampleResult] = {}
        self._finished: set[int] = set()

    def decide(self) -> VisitDecision | None:
        """Decide on the next suspect; None if that depends on the results of suspects being visited."""
        if not self.waiting:
            return None
        first = self.waiting[0]
        if self.visiting and not self.family.has_run(get_suspect_shape(first.key)):
            return None  # what the run of a new shape takes depends on all results before it
        views = self.family.get_run(get_suspect_shape(first.key))
        remaining = self.family.count_remaining_samples(first.depth)
        if views.must_wait or (self.visiting and len(self.visiting) >= remaining):
            return None
        self.waiting.popleft()
        if not remaining:
            return VisitDecision(first, is_visited=False, reason="trap-exhausted")
        if views.should_skip():
            return VisitDecision(first, is_visited=False, reason=self.family.skip_reason)
        views.in_progress += 1
        self.visiting.append(first)
        return VisitDecision(first)

    def finish(self, identity: int) -> None:
        """Learn from finished visits whose predecessors are all finished too."""
        self._finished.add(identity)
        while self.visiting and self.visiting[0].identity in self._finished:
            first = self.visiting.popleft()
            self._finished.discard(first.identity)
            self.family.get_run(get_suspect_shape(first.key)).in_progress -= 1
            result = self.results.pop(first.identity, None)
            if result is not None:
                self._traps.learn(first.key, first.depth, result)
