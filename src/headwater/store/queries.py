"""Load named queries and numbered migrations from the SQL files of this package.

Values are written `:name`. Queries that both dialects share are in `sql/common`; the few words in which the dialects
differ are written `$NAME` there, and replaced when the files are loaded.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from headwater.model import NO_DEPTH, NOT_FOLLOWED
from headwater.store.columns import COLUMN_MACROS
from headwater.store.page_lists import LISTED_STATES_SQL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_COMMENT = re.compile(r"^-- (?!name: ).*\n", re.MULTILINE)
_INCLUDE = re.compile(r"\$INCLUDE\((\w+)\)")
_CALL = re.compile(r"\$(IN|HASH|JOIN_TEXT)\(([^()]+?)(?:, (\d+))?\)")
_WORD = re.compile(r"\$([A-Z_]+)")
_VALUE = re.compile(r"(?<![:\w]):([a-z_][a-z0-9_]*)")
_SQL_DIR = files("headwater.store") / "sql"
STORE_FILES = (
    "scans.sql",
    "frontier.sql",
    "pages.sql",
    "links.sql",
    "statistics.sql",
    "classification.sql",
    "external.sql",
    "browse.sql",
    "lists.sql",
    "dives.sql",
    "store.sql",
)

_SPELLING = "coalesce(fetch_url, url)"
_MACROS = {
    **COLUMN_MACROS,
    "LISTED": LISTED_STATES_SQL,
    "NO_DEPTH": str(NO_DEPTH),
    # True for a URL that was only listed or recorded, if a followed link leads to it now.
    "IS_REOPENED": "(excluded.state = 0 AND (page.state = 5 OR page.reason = $NOT_FOLLOWED))",
    "NOT_FOLLOWED": f"'{NOT_FOLLOWED}'",
    # A spelling that the user typed or a page links to is tried before one that only a sitemap has; https comes first.
    "TAKES_SPELLING": (
        "(page.state IN (0, 5) AND (page.depth >= $NO_DEPTH OR excluded.source = 'seed')"
        " AND (substr(excluded.url, 1, 6) = 'https:' OR substr(page.url, 1, 6) <> 'https:'))"
    ),
    # Only pages nearer to the seed decide which spelling is tried first: others are read while the page is requested.
    "IS_BETTER": (
        "(state = 0 AND source <> 'seed' AND :depth < depth AND depth < $NO_DEPTH AND "
        f"((substr(:new, 1, 6) = 'https:') > (substr({_SPELLING}, 1, 6) = 'https:') OR "
        f"((substr(:new, 1, 6) = 'https:') = (substr({_SPELLING}, 1, 6) = 'https:')"
        f" AND :new < {_SPELLING} $COLLATE_BYTES)))"
    ),
}
_DIALECTS: Mapping[str, Mapping[str, str]] = {
    "sqlite": {
        "IN": "IN (SELECT value FROM json_each(:{0}))",
        "HASH": "{0}",
        "JOIN_TEXT": "group_concat({0}, char({1}))",
        "LEAST": "min",
        "FIND": "instr",
        "LINE_FEED": "char(10)",
        "UNIT_SEPARATOR": "char(31)",
        "DIFFERS_FROM": "IS NOT",
        "COLLATE_BYTES": "",
        "VECTORS": "vector",
        "NOT_INDEXED": "NOT INDEXED",
        "LATEST_ROWS": "500",
        # Reads the table from the scan's first page on: reading each row by the index takes eight times as long.
        "FROM_SCAN": (
            "FROM page NOT INDEXED WHERE id > (SELECT first_page FROM scan WHERE number = :scan) AND scan = :scan"
        ),
        "VISIT_ASSIGNMENTS": "$VISIT_ASSIGNMENTS_BY_VALUE",
    },
    "postgres": {
        "IN": "= ANY(:{0}::bigint[])",
        "HASH": "md5({0})",
        "JOIN_TEXT": "string_agg({0}, chr({1}) ORDER BY cluster.number)",
        "LEAST": "least",
        "FIND": "strpos",
        "LINE_FEED": "chr(10)",
        "UNIT_SEPARATOR": "chr(31)",
        "DIFFERS_FROM": "IS DISTINCT FROM",
        "COLLATE_BYTES": 'COLLATE "C"',
        "VECTORS": "embedding",
        "NOT_INDEXED": "",
        "LATEST_ROWS": "5000",
        "FROM_SCAN": "FROM page WHERE scan = :scan",
        "VISIT_ASSIGNMENTS": "$VISIT_ASSIGNMENTS_BY_OUTCOME",
    },
}


@cache
def load_queries(dialect: str, *names: str) -> dict[str, str]:
    """Return the queries of these files by name, those that both dialects share first; by default all of a store."""
    text = "".join(_read(folder, name) for name in names or STORE_FILES for folder in ("common", dialect))
    parts = _NAME.split(text)
    queries = {name: body.strip().rstrip(";") for name, body in zip(parts[1::2], parts[2::2], strict=True)}
    included = {name: _INCLUDE.sub(lambda found: queries[found[1]], body) for name, body in queries.items()}
    return {name: _translate(body, dialect) for name, body in included.items()}


def _read(folder: str, name: str) -> str:
    file = _SQL_DIR / folder / name
    return _COMMENT.sub("", file.read_text("utf-8")) if file.is_file() else ""


def _translate(query: str, dialect: str) -> str:
    words = {**_MACROS, **_DIALECTS[dialect]}
    while "$" in query:
        query = _CALL.sub(lambda found: words[found[1]].format(found[2], found[3]), query)
        query = _WORD.sub(lambda found: found[0] if found[1] in {"IN", "HASH", "JOIN_TEXT"} else words[found[1]], query)
    if dialect == "postgres":
        query = re.sub(r"%(?![s(%])", "%%", query)
        query = _VALUE.sub(r"%(\1)s", query)
    return query


def number_values(query: str, columns: Sequence[str]) -> str:
    """Return an SQLite query whose values are given by position, in the order of these columns."""
    return _VALUE.sub(lambda found: f"?{columns.index(found[1]) + 1}", query)


def load_migrations(dialect: str) -> dict[int, str]:
    """Return the migrations by number; the file `0002.sql` takes a store from version 1 to 2."""
    scripts = [file for file in (_SQL_DIR / dialect).iterdir() if file.name[:4].isdigit()]
    return dict(sorted((int(file.name[:4]), file.read_text("utf-8")) for file in scripts))
