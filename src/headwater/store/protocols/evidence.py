"""Evidence of a scan: the requests and decisions behind its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.model import Evidence


class EvidenceStore(Protocol):
    """Stores evidence."""

    def add_evidence(self, scan: int, evidence: Evidence) -> int:
        """Add a piece of evidence and return its number."""

    def update_evidence(self, number: int, content: Mapping[str, object]) -> None:
        """Replace the content of a piece of evidence, and set its end to the current time."""

    def evidence(self, scan: int, kind: str = "") -> list[Evidence]:
        """Return the evidence of a scan in order, all of it or of one kind."""

    def flag_unreliable_sitemaps(self, scan: int, previous: int) -> None:
        """Mark the sitemaps whose `lastmod` changed for pages that mostly did not."""
