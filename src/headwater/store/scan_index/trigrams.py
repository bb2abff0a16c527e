"""Words in a million URLs and titles: an index of all runs of three characters says where they may stand.

Where they really stand the folded text itself tells, so the index holds neither places nor lengths and stays small.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

GRAM = 3
FEW = 20_000
"""Rows with all the runs of a text up to which each is looked at; what stands in more is met on the way."""

SURE = 200_000
"""Rows of a scan up to which everything is counted; in larger ones what stands in many rows is counted in a sample."""

TABLE = (
    "CREATE VIRTUAL TABLE grams USING fts5(text, content='', detail=none, columnsize=0,"
    " tokenize='trigram case_sensitive 1')"
)
FILL = (
    # Two blanks behind it: so every character begins a run, and short words are found as the beginnings of runs.
    "INSERT INTO grams (rowid, text) SELECT rank, text || '  ' FROM words",
    "CREATE TABLE run (text TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'grams', 'row')",
    "INSERT INTO run SELECT term FROM temp.vocabulary",
    "DROP TABLE temp.vocabulary",
)
SAMPLE = (
    "WITH RECURSIVE sample (rank) AS"
    " (SELECT {step} UNION ALL SELECT rank + {step} FROM sample WHERE rank + {step} <= {rows})"
)
_SAMPLED = 10_000
_MOST_RUNS = 500
_NOTHING = '"\U0010fffd\U0010fffd\U0010fffd"'
_COUNT = "SELECT count(*) FROM (SELECT rowid FROM grams WHERE grams MATCH ? LIMIT ?)"


class Words:
    """Decides how a text is looked for."""

    def __init__(self, db: sqlite3.Connection, rows: int, few: int, sure: int) -> None:
        self._db, self._rows, self._few, self._sure = db, rows, few, sure
        self._is_few = lru_cache(256)(self._has_few)
        self._runs = lru_cache(256)(self._runs_of)

    def plan(self, text: str, *, is_by_key: bool = False) -> str:
        """What to ask the index, if going by it is quicker than meeting the text on the way.

        It gives its rows in the order of keys, so in that order the first ones are always quick.
        """
        runs = self._runs(text)
        return runs if runs and (is_by_key or self._is_few(runs)) else ""

    def step(self, text: str) -> int:
        """Every how many rows are counted: all of them, unless a text stands in many of very many."""
        if not text or self._rows <= self._sure or self.plan(text):
            return 1
        return max(1, self._rows // min(self._few, _SAMPLED))

    def _has_few(self, runs: str) -> bool:
        (count,) = self._db.execute(_COUNT, (runs, self._few + 1)).fetchone()
        return bool(count <= self._few)

    def _runs_of(self, text: str) -> str:
        """What the index is asked for a text: every run of its words; nothing if it cannot help."""
        words = [word for word in text.casefold().split() if "\0" not in word]
        runs = dict.fromkeys(_quoted(word[at : at + GRAM]) for word in words for at in range(len(word) - GRAM + 1))
        short = [self._beginnings(word) for word in words if len(word) < GRAM]
        return " AND ".join([*runs, *filter(None, short)])

    def _beginnings(self, word: str) -> str:
        """Any of the runs that begin so; nothing if these are too many, for then the word is no rare one."""
        query = "SELECT text FROM run WHERE text >= ? AND text < ? LIMIT ?"
        found = [run for (run,) in self._db.execute(query, (word, word + "\U0010ffff", _MOST_RUNS + 1))]
        if len(found) > _MOST_RUNS:
            return ""
        return f"({' OR '.join(map(_quoted, found))})" if found else _NOTHING


def _quoted(run: str) -> str:
    return '"' + run.replace('"', '""') + '"'
