"""Words in a million URLs and titles: an index of all runs of three characters says where they may stand.

Where they really stand the folded text itself tells, so the index holds neither places nor lengths and stays small.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

GRAM = 3
FEW = 50_000
"""Rows with all the runs of a text up to which each is looked at; what stands in more is met on the way."""

SURE = 200_000
"""Rows of a scan up to which everything is counted; in larger ones what stands in many rows is counted in a sample."""

TABLE = (
    "CREATE VIRTUAL TABLE grams USING fts5(text, content='', detail=none, columnsize=0,"
    " tokenize='trigram case_sensitive 1')"
)
FILL = "INSERT INTO grams (rowid, text) SELECT rank, text FROM words"
_COUNT = "SELECT count(*) FROM (SELECT rowid FROM grams WHERE grams MATCH ? LIMIT ?)"


def runs_of(text: str) -> str:
    """What the index is asked for a text: every run of its words; nothing if no word is long enough."""
    words = [word for word in text.casefold().split() if "\0" not in word]
    runs = dict.fromkeys(word[at : at + GRAM] for word in words for at in range(len(word) - GRAM + 1))
    return " AND ".join('"' + run.replace('"', '""') + '"' for run in runs)


class Words:
    """Decides how a text is looked for."""

    def __init__(self, db: sqlite3.Connection, rows: int, few: int, sure: int) -> None:
        self._db, self._rows, self._few, self._sure = db, rows, few, sure
        self._is_few = lru_cache(256)(self._has_few)

    def plan(self, text: str, *, is_by_key: bool = False) -> str:
        """What to ask the index, if going by it is quicker than meeting the text on the way.

        It gives its rows in the order of keys, so in that order the first ones are always quick.
        """
        runs = runs_of(text)
        return runs if runs and (is_by_key or self._is_few(runs)) else ""

    def step(self, text: str) -> int:
        """Every how many rows are counted: all of them, unless a text stands in many of very many."""
        if not text or self._rows <= self._sure or self.plan(text):
            return 1
        return -(-self._rows // self._few)

    def _has_few(self, runs: str) -> bool:
        (count,) = self._db.execute(_COUNT, (runs, self._few + 1)).fetchone()
        return bool(count <= self._few)
