"""Text search in a million URLs and titles: an index of trigrams finds the rows that may contain a text.

The folded text of each row decides whether it does, so the index stores neither positions nor lengths and stays small.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

TRIGRAM_LENGTH = 3
MAX_INDEX_MATCHES = 20_000
"""Limit of matching rows up to which the index is used; a more frequent text is found while reading the rows."""

MAX_EXACT_ROWS = 200_000
"""Limit of rows of a scan up to which counts are exact; in a larger scan a frequent text is counted in a sample."""

CREATE_TABLE_SQL = (
    "CREATE VIRTUAL TABLE grams USING fts5(text, content='', detail=none, columnsize=0,"
    " tokenize='trigram case_sensitive 1')"
)
FILL_STATEMENTS = (
    # Two trailing spaces let every character begin a trigram, so that short words are found as prefixes of trigrams.
    "INSERT INTO grams (rowid, text) SELECT rank, text || '  ' FROM words",
    "CREATE TABLE run (text TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'grams', 'row')",
    "INSERT INTO run SELECT term FROM temp.vocabulary",
    "DROP TABLE temp.vocabulary",
)
SAMPLE_SQL = (
    "WITH RECURSIVE sample (rank) AS"
    " (SELECT {step} UNION ALL SELECT rank + {step} FROM sample WHERE rank + {step} <= {rows})"
)
_SAMPLE_SIZE = 10_000
_MAX_PREFIX_TRIGRAMS = 500
_NO_MATCH = '"\U0010fffd\U0010fffd\U0010fffd"'
_COUNT = "SELECT count(*) FROM (SELECT rowid FROM grams WHERE grams MATCH ? LIMIT ?)"


class TrigramSearch:
    """Decides how to search for a text."""

    def __init__(self, db: sqlite3.Connection, rows: int, few: int, sure: int) -> None:
        self._db, self._rows, self._few, self._sure = db, rows, few, sure
        self._is_few = lru_cache(256)(self._has_few)
        self._trigrams = lru_cache(256)(self._build_trigrams)

    def build_match(self, text: str, *, is_by_key: bool = False) -> str:
        """Return the index query for a text; empty if reading the rows is faster.

        The index returns rows in the order of their keys, so the first rows in that order are always fast.
        """
        trigrams = self._trigrams(text)
        return trigrams if trigrams and (is_by_key or self._is_few(trigrams)) else ""

    def get_sample_step(self, text: str) -> int:
        """Return the distance between counted rows: 1, unless a frequent text is searched in a large scan."""
        if not text or self._rows <= self._sure or self.build_match(text):
            return 1
        return max(1, self._rows // min(self._few, _SAMPLE_SIZE))

    def _has_few(self, trigrams: str) -> bool:
        (count,) = self._db.execute(_COUNT, (trigrams, self._few + 1)).fetchone()
        return bool(count <= self._few)

    def _build_trigrams(self, text: str) -> str:
        """Return the index query for all trigrams of a text; empty if the index cannot help."""
        words = [word for word in text.casefold().split() if "\0" not in word]
        trigrams = dict.fromkeys(
            _quote(word[at : at + TRIGRAM_LENGTH]) for word in words for at in range(len(word) - TRIGRAM_LENGTH + 1)
        )
        short = [self._expand_prefix(word) for word in words if len(word) < TRIGRAM_LENGTH]
        return " AND ".join([*trigrams, *filter(None, short)])

    def _expand_prefix(self, word: str) -> str:
        """Return a query for any trigram with this prefix; empty if there are too many, as for a frequent word."""
        query = "SELECT text FROM run WHERE text >= ? AND text < ? LIMIT ?"
        found = [
            trigram for (trigram,) in self._db.execute(query, (word, word + "\U0010ffff", _MAX_PREFIX_TRIGRAMS + 1))
        ]
        if len(found) > _MAX_PREFIX_TRIGRAMS:
            return ""
        return f"({' OR '.join(map(_quote, found))})" if found else _NO_MATCH


def _quote(trigram: str) -> str:
    return '"' + trigram.replace('"', '""') + '"'
