"""Classification of pages: its input, and the clusters it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.store.records import Classification, ClassifierInput, ClusterCount


class ClassificationStore(Protocol):
    """Stores priorities, languages and clusters of pages."""

    def classifier_inputs(self, scan: int) -> Iterator[ClassifierInput]:
        """Yield the input of classification for every listed page, in no particular order."""

    def clear_clusters(self, scan: int) -> None:
        """Remove all pages from their clusters, before they are classified again."""

    def save_classifications(self, scan: int, rows: Sequence[Classification]) -> None:
        """Store the classification of some pages; clusters are added as needed."""

    def clusters(self, scan: int) -> list[ClusterCount]:
        """Return all clusters of a scan, the most informative first."""
