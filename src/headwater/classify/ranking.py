"""Rank the clusters of a site by importance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_CLUSTER_LIMIT = 40
"""Number of clusters that are listed by default."""

MAX_CLUSTERS = 500
"""Number of clusters that are listed at most; no site has more."""

_WEIGHTS = {"section": 1.0, "language": 1.0, "shape": 0.7, "topic": 0.5, "source": 0.5, "rest": 0.1}
_NESTED = 0.5
"""Factor for the number of pages of a section within another section."""


class SizedCluster(Protocol):
    """A cluster with the number of its pages."""

    @property
    def name(self) -> str:
        """Return the stable name."""

    @property
    def kind(self) -> str:
        """Return the kind of cluster."""

    @property
    def pages(self) -> int:
        """Return the number of its pages."""


Row = TypeVar("Row", bound=SizedCluster)


def rank_clusters(clusters: Iterable[Row]) -> list[Row]:
    """Return the clusters by importance: large sections and languages first, parts of sections later."""
    rows = list(clusters)
    names = {row.name for row in rows}
    return sorted(rows, key=lambda row: (-_compute_weight(row, names), row.name))


def _compute_weight(row: SizedCluster, names: set[str]) -> float:
    weight = row.pages * _WEIGHTS.get(row.kind, _NESTED)
    parent = row.name.rpartition("/")[0]
    while row.kind == "section" and parent.startswith("section:/") and parent != "section:/":
        weight *= _NESTED if parent in names else 1
        parent = parent.rpartition("/")[0]
    return weight
