"""Words in a million URLs and titles: an index of all runs of three characters says where they may stand.

Where they really stand the folded text itself tells, so the index holds neither places nor lengths and stays small.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

TRIGRAM_LENGTH = 3
MAX_INDEX_MATCHES = 20_000
"""Rows with all the runs of a text up to which each is looked at; what stands in more is met on the way."""

MAX_EXACT_ROWS = 200_000
"""Rows of a scan up to which everything is counted; in larger ones what stands in many rows is counted in a sample."""

CREATE_TABLE_SQL = (
    "CREATE VIRTUAL TABLE grams USING fts5(text, content='', detail=none, columnsize=0,"
    " tokenize='trigram case_sensitive 1')"
)
FILL_STATEMENTS = (
    # Two blanks behind it: so every character begins a run, and short words are found as the beginnings of runs.
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
    """Decides how a text is looked for."""

    def __init__(self, db: sqlite3.Connection, rows: int, few: int, sure: int) -> None:
        self._db, self._rows, self._few, self._sure = db, rows, few, sure
        self._is_few = lru_cache(256)(self._has_few)
        self._runs = lru_cache(256)(self._build_trigrams)

    def build_match(self, text: str, *, is_by_key: bool = False) -> str:
        """What to ask the index, if going by it is quicker than meeting the text on the way.

        It gives its rows in the order of keys, so in that order the first ones are always quick.
        """
        runs = self._runs(text)
        return runs if runs and (is_by_key or self._is_few(runs)) else ""

    def get_sample_step(self, text: str) -> int:
        """Every how many rows are counted: all of them, unless a text stands in many of very many."""
        if not text or self._rows <= self._sure or self.build_match(text):
            return 1
        return max(1, self._rows // min(self._few, _SAMPLE_SIZE))

    def _has_few(self, runs: str) -> bool:
        (count,) = self._db.execute(_COUNT, (runs, self._few + 1)).fetchone()
        return bool(count <= self._few)

    def _build_trigrams(self, text: str) -> str:
        """What the index is asked for a text: every run of its words; nothing if it cannot help."""
        words = [word for word in text.casefold().split() if "\0" not in word]
        runs = dict.fromkeys(
            _quote(word[at : at + TRIGRAM_LENGTH]) for word in words for at in range(len(word) - TRIGRAM_LENGTH + 1)
        )
        short = [self._expand_prefix(word) for word in words if len(word) < TRIGRAM_LENGTH]
        return " AND ".join([*runs, *filter(None, short)])

    def _expand_prefix(self, word: str) -> str:
        """Any of the runs that begin so; nothing if these are too many, for then the word is no rare one."""
        query = "SELECT text FROM run WHERE text >= ? AND text < ? LIMIT ?"
        found = [run for (run,) in self._db.execute(query, (word, word + "\U0010ffff", _MAX_PREFIX_TRIGRAMS + 1))]
        if len(found) > _MAX_PREFIX_TRIGRAMS:
            return ""
        return f"({' OR '.join(map(_quote, found))})" if found else _NO_MATCH


def _quote(run: str) -> str:
    return '"' + run.replace('"', '""') + '"'
