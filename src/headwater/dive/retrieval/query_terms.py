"""The words of a question, as a full-text index takes them: no syntax of a question can break the query. Pure."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*", re.UNICODE)
MAX_WORDS = 64
STOP_WORDS = frozenset(
    "a about am an and any are as at be been being but by can could did do does doing done for from get gets got had"
    " has have having how i if in into is it its just like may me might must my of on or our shall should so some such"
    " than that the their them then there these they this those to too up us use was we were what when where which who"
    " whom whose why will with would you your s t d ll re ve m isn aren wasn doesn don didn won hasn haven".split()
)
"""Words that stand in every page; a question of nothing else is searched with all of them."""


def split_words(text: str) -> list[str]:
    """The words of a text in order, in lower case."""
    return [word.lower() for word in _WORD.findall(text)]


def extract_keywords(question: str) -> list[str]:
    """The words that carry a question, each once."""
    words = list(dict.fromkeys(split_words(question)))[:MAX_WORDS]
    return [word for word in words if word not in STOP_WORDS] or words


def build_search_terms(question: str) -> list[str]:
    """What a full-text index is asked for: the words of a question, names with underscores taken apart."""
    return [part for word in extract_keywords(question) for part in word.split("_") if part]


_ENDINGS = (
    "ization",
    "ations",
    "ation",
    "ingly",
    "ements",
    "ement",
    "iness",
    "ings",
    "ing",
    "edly",
    "ies",
    "ied",
    "ers",
    "er",
    "es",
    "ed",
    "ly",
    "s",
    "e",
)


def stem(word: str) -> str:
    """A word without its ending, roughly; for comparing two texts, not for the index, which has its own stemmer."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def measure_coverage(question: str, text: str) -> float:
    """The share of a question's words that a text has."""
    wanted = {stem(word) for word in extract_keywords(question)}
    have = {stem(word) for word in split_words(text)}
    return len(wanted & have) / len(wanted) if wanted else 0.0
