"""Extract search terms from a question; they contain no syntax of the full-text index. Pure."""

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
"""Words of nearly every page; they are searched only if a question has no others."""


def split_words(text: str) -> list[str]:
    """Return the words of a text in order, in lower case."""
    return [word.lower() for word in _WORD.findall(text)]


def extract_keywords(question: str) -> list[str]:
    """Return the significant words of a question, each once."""
    words = list(dict.fromkeys(split_words(question)))[:MAX_WORDS]
    return [word for word in words if word not in STOP_WORDS] or words


def build_search_terms(question: str) -> list[str]:
    """Return the terms for a full-text index: keywords, with names split at underscores."""
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
    """Return a rough stem of a word for comparing texts; the full-text index has its own stemmer."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def measure_coverage(question: str, text: str) -> float:
    """Return the share of a question's keywords that a text contains."""
    wanted = {stem(word) for word in extract_keywords(question)}
    present = {stem(word) for word in split_words(text)}
    return len(wanted & present) / len(wanted) if wanted else 0.0
