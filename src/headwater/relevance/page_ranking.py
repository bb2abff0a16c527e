"""Rank pages for a question by the words of their URL, title, heading and link text (BM25 over weighted fields)."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from headwater.relevance.query_terms import extract_keywords, split_words, stem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from headwater.model import Page

MAX_RANKED = 100_000
"""Pages that are ordered by their score; further matches follow in the order of the list."""

_FIELD_WEIGHTS = {"title": 3.0, "heading": 2.0, "url": 2.0, "text": 1.0}
_SATURATION, _LENGTH_WEIGHT = 1.2, 0.75
"""The parameters k1 and b of BM25."""

_MAX_CHARACTERS = 1000
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_UNSPACED = "[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"  # takes 2 ms to compile
"""Scripts that are written without spaces, or whose words change by particles; they are compared by letter pairs."""


class PageScorer:
    """Scores pages for one question; all pages are added before the first one is scored."""

    def __init__(self, question: str) -> None:
        self._terms = frozenset(term for word in extract_keywords(_split_humps(question)) for term in _to_terms(word))
        self._documents, self._length = 0, 0.0
        self._matching: Counter[str] = Counter()

    def add(self, page: Page) -> None:
        """Count a page and the terms that it contains."""
        texts = _get_texts(page)
        self._documents += 1
        self._length += _measure_length(texts)
        self._matching.update(self._count_terms(texts).keys())

    def score(self, page: Page) -> float:
        """Return how well a page matches; 0 if it contains no word of the question."""
        texts = _get_texts(page)
        counts = self._count_terms(texts)
        if not counts:
            return 0.0
        relative_length = _measure_length(texts) / (self._length / self._documents)
        penalty = _SATURATION * (1.0 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * relative_length)
        scores = (self._compute_rarity(term) * count * (_SATURATION + 1.0) / (count + penalty)
                  for term, count in sorted(counts.items()))  # fmt: skip
        return round(sum(scores), 4)

    def _compute_rarity(self, term: str) -> float:
        matching = self._matching[term]
        return math.log(1.0 + (self._documents - matching + 0.5) / (matching + 0.5))

    def _count_terms(self, texts: dict[str, str]) -> dict[str, float]:
        """Return the weighted number of occurrences of each term; most pages are dismissed without splitting them."""
        counts: dict[str, float] = {}
        for name, text in texts.items():
            lowered = text.lower()
            if any(term in lowered for term in self._terms):
                for word in split_words(_split_humps(text)):
                    for term in _to_terms(word):
                        if term in self._terms:
                            counts[term] = counts.get(term, 0.0) + _FIELD_WEIGHTS[name]
        return counts


def rank_pages(read: Callable[[], Iterator[Page]], question: str) -> Iterator[Page]:
    """Yield all pages with their scores: matches first, the best ones at the top, then the others in their order.

    `read` returns the pages, and is called three times, so that only the matches are held in memory.
    """
    scorer = PageScorer(question)
    for page in read():
        scorer.add(page)
    scored = ((scorer.score(page), -position, page) for position, page in enumerate(read()))
    best = heapq.nlargest(MAX_RANKED, (row for row in scored if row[0]), key=lambda row: row[:2])
    yield from (page._replace(score=score) for score, _, page in best)
    positions = {-position for _, position, _ in best}
    for position, page in enumerate(read()):
        if position not in positions:
            yield page._replace(score=scorer.score(page))


def _get_texts(page: Page) -> dict[str, str]:
    path = page.url.partition("://")[2].partition("/")[2]
    title = page.title or ""
    texts = {"title": title, "heading": page.heading or "", "url": unquote(path[:_MAX_CHARACTERS])}
    texts["text"] = "" if page.text == title else page.text or ""  # the link text is the title of unvisited pages
    return {name: text[:_MAX_CHARACTERS] for name, text in texts.items()}


def _measure_length(texts: dict[str, str]) -> float:
    """Return a length in proportion to the number of words, and never 0."""
    return 1.0 + sum(len(text) * _FIELD_WEIGHTS[name] for name, text in texts.items())


def _split_humps(text: str) -> str:
    return _HUMP.sub(" ", text)


@lru_cache(maxsize=1 << 14)
def _to_terms(word: str) -> tuple[str, ...]:
    """Return the stem of a word, or its letter pairs if its script has no spaces; names are split at underscores."""
    if "_" in word:
        return tuple(term for part in word.split("_") for term in _to_terms(part))
    if len(word) > 1 and re.search(_UNSPACED, word):
        return tuple(word[start : start + 2] for start in range(len(word) - 1))
    return (stem(word),)
