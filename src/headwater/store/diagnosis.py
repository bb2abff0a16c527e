"""Read the stored explanation of a scan that found few pages, or that had no browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.store.protocols.evidence import EvidenceStore

DIAGNOSIS = "diagnosis"
"""The kind of evidence that explains a scan with few pages."""


MISSING_BROWSER = "missing_browser"
"""The kind of evidence for pages that a browser would have opened."""


_COUNTS = ("built", "probes")


class MissedPages(NamedTuple):
    """Pages that scripts build, and pages with parts that scripts fill, and why no browser opened them."""

    built: int
    probes: int
    problem: str


def read_diagnosis(store: EvidenceStore, scan: int) -> list[str]:
    """Return one text for each cause, with what to try; empty if the scan found enough pages."""
    return [f"{one.get('message', '')} {one.get('advice', '')}".strip() for one in _read_causes(store, scan)]


def read_missed_pages(store: EvidenceStore, scan: int) -> MissedPages | None:
    """Return what a missing browser would have opened; None if there was one, or the diagnosis says so already."""
    found = store.evidence(scan, MISSING_BROWSER)
    if not found or any(one.get("cause") == "built-by-scripts" for one in _read_causes(store, scan)):
        return None
    built, probes = (count if isinstance(count := found[-1].content.get(name), int) else 0 for name in _COUNTS)
    return MissedPages(built, probes, found[-1].error)


def _read_causes(store: EvidenceStore, scan: int) -> list[Mapping[str, object]]:
    summaries = store.evidence(scan, "discovery_summary")
    found = store.evidence(scan, DIAGNOSIS)
    if not found or (summaries and found[-1].number < summaries[-1].number):
        return []  # a resumed scan found more
    causes = found[-1].content.get("causes")
    return [one for one in causes if isinstance(one, dict)] if isinstance(causes, list) else []
