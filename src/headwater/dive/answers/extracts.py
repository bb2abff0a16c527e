"""Answer without a model, with the sentences of the best passages that cover most of the question. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.dive.answers.citations import escape_citations
from headwater.relevance.query_terms import measure_coverage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.dive.retrieval.searcher import Hit

MAX_PASSAGES = 3
SENTENCES_PER_PASSAGE = 2
MAX_EXTRACT_CHARS = 400
_END = re.compile(r"(?<=[.!?])\s+|\n{2,}")


def extract_sentences(question: str, hits: Sequence[Hit]) -> list[tuple[str, int]]:
    """Return up to two sentences of each of the best passages, with the number of the passage."""
    chosen = []
    for number, hit in enumerate(hits[:MAX_PASSAGES], 1):
        text = _choose_sentences(question, hit.passage)
        if text:
            chosen.append((text, number))
    return chosen


def _choose_sentences(question: str, passage: str) -> str:
    """Return the sentences that cover most of the question, in their original order."""
    sentences = [" ".join(one.split()) for one in _END.split(_remove_code(passage)) if one.strip()]
    if not sentences:
        return escape_citations(passage.strip())[:MAX_EXTRACT_CHARS]
    ranked = sorted(
        range(len(sentences)), key=lambda position: (-measure_coverage(question, sentences[position]), position)
    )
    text = " ".join(sentences[position] for position in sorted(ranked[:SENTENCES_PER_PASSAGE]))
    return escape_citations(text if len(text) <= MAX_EXTRACT_CHARS else text[: MAX_EXTRACT_CHARS - 1] + "…")


def _remove_code(passage: str) -> str:
    return re.sub(r"^\s*(`{3,}|~{3,}).*?^\s*\1\s*$", "\n\n", passage, flags=re.DOTALL | re.MULTILINE)
