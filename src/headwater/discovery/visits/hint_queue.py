"""Hints that the pages of a site give, in the store so that a resumed scan still requests them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import Evidence, Hint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from headwater.frontier.hints import HintBudget
    from headwater.store import Store

EVIDENCE_KIND = "hint"
GROUP_KIND = "hints"
"""Evidence of a requested hint, and of all hints that one page or file gave."""

MAX_HINTS = 20_000
PAGE = "page"
READ = "read"
DISALLOWED = "robots-disallowed"
"""The results of a hint that proved to be a page, of a script file, and of a hint that was not requested."""


class HintQueue:
    """Hints by URL, each requested once, with or without a slash at its end."""

    def __init__(self, store: Store, scan: int, sources: Collection[str]) -> None:
        self._store, self._scan, self.sources = store, scan, sources
        self._hints: dict[str, Hint] = {}
        for group in store.evidence(scan, GROUP_KIND):
            for hint in read_group(group):
                self._hints.setdefault(hint.url, hint)
        self._results = {one.url.rstrip("/"): one for one in store.evidence(scan, EVIDENCE_KIND)}

    def restore_budget(self, budget: HintBudget) -> None:
        """Count the results of hints that an interrupted run requested."""
        for one in self._results.values():
            if one.content.get("result") != DISALLOWED:
                budget.record(Hint(str(one.content.get("source")), one.url), is_gain=one.success)

    def add(self, origin: str, hints: Iterable[Hint]) -> None:
        """Add the hints of a page or file that are new."""
        new = {hint.url: hint for hint in hints if hint.source in self.sources and hint.url not in self._hints}
        if new and len(self._hints) + len(new) <= MAX_HINTS:
            self._hints.update(new)
            content = {"hints": [[*hint] for hint in new.values()]}
            self._store.add_evidence(self._scan, Evidence(GROUP_KIND, origin, content=content))

    def list_untried(self, more: Iterable[Hint] = ()) -> list[Hint]:
        """Return the hints that were not requested yet, with more of them, in an order that does not depend on time."""
        queued = sorted(self._hints.values(), key=lambda hint: (hint.rank, hint.url))
        unique = {hint.url: hint for hint in (*more, *queued)}
        return [hint for url, hint in unique.items() if url.rstrip("/") not in self._results]

    def record_result(self, hint: Hint, result: str, status: int | None = None) -> int:
        """Store the result of a hint; return the number of the evidence."""
        content = {"source": hint.source, "result": result}
        evidence = Evidence(EVIDENCE_KIND, hint.url, result == PAGE, status, content=content)
        self._results[hint.url.rstrip("/")] = evidence
        return self._store.add_evidence(self._scan, evidence)


def read_group(evidence: Evidence) -> Iterator[Hint]:
    """Yield the hints that one page or file gave."""
    stored = evidence.content.get("hints")
    yield from (Hint(*values) for values in (stored if isinstance(stored, list) else ()))
