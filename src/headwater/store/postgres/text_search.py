"""Split text into words for PostgreSQL's text search: without accents, stemmed by the rules of a language."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
MAX_WORD_LENGTH = 200
MAX_TEXT_LENGTH = 200_000
"""Characters; a `tsvector` cannot hold more than a megabyte of words."""

TEXT_SEARCH_CONFIGS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch",
    "nn": "norwegian", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Text search configurations of PostgreSQL 15 by language."""


def get_text_search_config(language: str) -> str:
    """Return the text search configuration for a language; a page without a language is treated as English."""
    code = language.lower().replace("_", "-").partition("-")[0]
    return TEXT_SEARCH_CONFIGS.get(code, "simple") if code else "english"


def extract_words(text: str) -> str:
    """Return the words without punctuation; PostgreSQL would parse `sys.argv` as a host and `a/b` as a file."""
    plain = text if text.isascii() else _strip_accents(text)
    return " ".join(word[:MAX_WORD_LENGTH] for word in _WORD.findall(plain))[:MAX_TEXT_LENGTH]


def _strip_accents(text: str) -> str:
    letters = normalize("NFKD", text)
    return normalize("NFC", "".join(letter for letter in letters if not combining(letter)))
