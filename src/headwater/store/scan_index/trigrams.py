"""Text search in a million URLs and titles: an index of trigrams finds the rows that may contain a text.

The case-folded text of each row decides whether it does, so the index needs no positions or lengths and stays small.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

TRIGRAM_LENGTH = 3
MAX_INDEX_MATCHES = 20_000
"""Number of matches up to which the index is used; a more frequent text is found faster by reading the rows."""

MAX_EXACT_ROWS = 200_000
"""Number of rows up to which counts are exact; in a larger scan a frequent text is counted in a sample."""

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
    """Chooses between the index and a sequential read for each text."""

    def __init__(self, db: sqlite3.Connection, rows: int, max_index_matches: int, max_exact_rows: int) -> None:
        self._db, self._rows, self._max_index_matches, self._max_exact_rows = (
            db,
            rows,
            max_index_matches,
            max_exact_rows,
        )
        self._is_rare = lru_cache(256)(self._compute_is_rare)
        self._trigrams = lru_cache(256)(self._build_trigrams)

    def build_match(self, text: str, *, is_sorted_by_key: bool = False) -> str:
        """Return the index query for a text; empty if reading the rows is faster.

        The index returns rows in the order of their keys, so the first rows in that order are always fast.
        """
        trigrams = self._trigrams(text)
        return trigrams if trigrams and (is_sorted_by_key or self._is_rare(trigrams)) else ""

    def get_sample_step(self, text: str) -> int:
        """Return the distance between counted rows: 1, unless a frequent text is searched in a large scan."""
        if not text or self._rows <= self._max_exact_rows or self.build_match(text):
            return 1
        return max(1, self._rows // min(self._max_index_matches, _SAMPLE_SIZE))

    def _compute_is_rare(self, trigrams: str) -> bool:
        (count,) = self._db.execute(_COUNT, (trigrams, self._max_index_matches + 1)).fetchone()
        return bool(count <= self._max_index_matches)

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
