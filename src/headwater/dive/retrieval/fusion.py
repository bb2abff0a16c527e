"""Merge rankings by reciprocal rank fusion. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RANK_CONSTANT = 60
"""The larger it is, the smaller the advantage of the first ranks; the authors of the method use 60."""


def fuse_rankings(rankings: Sequence[tuple[Sequence[int], float]], constant: int = RANK_CONSTANT) -> list[int]:
    """Return numbers ordered by the sum of weight / (constant + rank); ties are ordered by number."""
    scores: dict[int, float] = {}
    for ranking, weight in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0.0) + weight / (constant + rank)
    return sorted(scores, key=lambda number: (-scores[number], number))
