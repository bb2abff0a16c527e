"""Words as PostgreSQL's text search takes them: cut apart, without accents, bent by the rules of a language. Pure."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
MAX_WORD_LENGTH = 200
MAX_TEXT_LENGTH = 200_000
"""Characters; more than a megabyte of words is more than a `tsvector` holds."""

TEXT_SEARCH_CONFIGS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch",
    "nn": "norwegian", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""What PostgreSQL 15 brings for a language."""


def get_text_search_config(language: str) -> str:
    """The text search configuration for a page; one that does not say its language is taken for English."""
    code = language.lower().replace("_", "-").partition("-")[0]
    return TEXT_SEARCH_CONFIGS.get(code, "simple") if code else "english"


def extract_words(text: str) -> str:
    """The words alone: PostgreSQL would take `sys.argv` for a host and `a/b` for a file."""
    plain = text if text.isascii() else _strip_accents(text)
    return " ".join(word[:MAX_WORD_LENGTH] for word in _WORD.findall(plain))[:MAX_TEXT_LENGTH]


def _strip_accents(text: str) -> str:
    letters = normalize("NFKD", text)
    return normalize("NFC", "".join(letter for letter in letters if not combining(letter)))
