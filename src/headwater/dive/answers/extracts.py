"""An answer without a model: the sentences of the best passages that say most about the question. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.dive.answers.citations import neutral
from headwater.dive.retrieval.words import coverage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.dive.retrieval.search import Hit

PASSAGES = 3
SENTENCES = 2
LONGEST = 400
_END = re.compile(r"(?<=[.!?])\s+|\n{2,}")


def extract(question: str, hits: Sequence[Hit]) -> list[tuple[str, int]]:
    """Up to two sentences of each of the best passages, each with the number of its passage."""
    chosen = []
    for number, hit in enumerate(hits[:PASSAGES], 1):
        text = _best(question, hit.passage)
        if text:
            chosen.append((text, number))
    return chosen


def _best(question: str, passage: str) -> str:
    """The sentences that cover most of the question, in the order they stand; else the first."""
    sentences = [" ".join(one.split()) for one in _END.split(_without_code(passage)) if one.strip()]
    if not sentences:
        return neutral(passage.strip())[:LONGEST]
    ranked = sorted(range(len(sentences)), key=lambda place: (-coverage(question, sentences[place]), place))
    text = " ".join(sentences[place] for place in sorted(ranked[:SENTENCES]))
    return neutral(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def _without_code(passage: str) -> str:
    return re.sub(r"^\s*(`{3,}|~{3,}).*?^\s*\1\s*$", "\n\n", passage, flags=re.DOTALL | re.MULTILINE)
