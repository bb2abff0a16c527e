"""Words of a query highlighted in a passage."""

from __future__ import annotations

import re

from headwater.relevance.query_terms import STOP_WORDS, extract_keywords, stem

_WORD = re.compile(r"[^\W_]+", re.UNICODE)


def highlight_words(text: str, query: str) -> list[tuple[str, bool]]:
    """Return the text in pieces, each with True if it shares a stem with a word of the query."""
    wanted = {stem(part) for word in extract_keywords(query) for part in word.split("_") if part} - STOP_WORDS
    pieces: list[tuple[str, bool]] = []
    end = 0
    for match in _WORD.finditer(text):
        if stem(match.group().lower()) in wanted:
            pieces += [(text[end : match.start()], False)] if match.start() > end else []
            pieces.append((match.group(), True))
            end = match.end()
    return [*pieces, (text[end:], False)] if end < len(text) else pieces
