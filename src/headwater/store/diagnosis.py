"""Read the stored explanation of a scan that found few pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwater.store.protocols.evidence import EvidenceStore

DIAGNOSIS = "diagnosis"
"""The kind of evidence that explains a scan with few pages."""


def read_diagnosis(store: EvidenceStore, scan: int) -> list[str]:
    """Return one text for each cause, with what to try; empty if the scan found enough pages."""
    summaries = store.evidence(scan, "discovery_summary")
    found = store.evidence(scan, DIAGNOSIS)
    if not found or (summaries and found[-1].number < summaries[-1].number):
        return []  # a resumed scan found more
    causes = found[-1].content.get("causes")
    rows = [one for one in causes if isinstance(one, dict)] if isinstance(causes, list) else []
    return [f"{one.get('message', '')} {one.get('advice', '')}".strip() for one in rows]
