"""The words of a query marked in a passage: pieces, each marked or not, to be escaped where they are drawn. Pure."""

from __future__ import annotations

import re

from headwater.dive.retrieval.query_terms import STOP_WORDS, extract_keywords, stem

_WORD = re.compile(r"[^\W_]+", re.UNICODE)


def highlight_words(text: str, query: str) -> list[tuple[str, bool]]:
    """The text in pieces; those that share a stem with a word of the query are marked."""
    wanted = {stem(part) for word in extract_keywords(query) for part in word.split("_") if part} - STOP_WORDS
    pieces: list[tuple[str, bool]] = []
    at = 0
    for match in _WORD.finditer(text):
        if stem(match.group().lower()) in wanted:
            pieces += [(text[at : match.start()], False)] if match.start() > at else []
            pieces.append((match.group(), True))
            at = match.end()
    return [*pieces, (text[at:], False)] if at < len(text) else pieces
