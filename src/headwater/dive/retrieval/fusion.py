"""Several rankings made one by reciprocal rank: what stands high in any of them comes first. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RANK_CONSTANT = 60
"""The larger, the less the first places of a ranking outweigh the following; 60 is what the method's authors took."""


def fuse_rankings(rankings: Sequence[tuple[Sequence[int], float]], constant: int = RANK_CONSTANT) -> list[int]:
    """Numbers by the sum of weight / (constant + rank), ties by number, so that two runs agree."""
    scores: dict[int, float] = {}
    for ranking, weight in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0.0) + weight / (constant + rank)
    return sorted(scores, key=lambda number: (-scores[number], number))
