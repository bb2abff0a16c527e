"""Named queries and numbered migrations, read from the files beside this one."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from headwater.model import NO_DEPTH, NOT_FOLLOWED
from headwater.store.page_lists import LISTED_STATES_SQL

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_SQL_DIR = files("headwater.store") / "sql"

_NEW, _OLD = {"sqlite": "?1", "postgres": "%(new)s"}, "coalesce(fetch_url, url)"
_LINKED_AT = {"sqlite": "?4", "postgres": "%(depth)s"}
_MACROS = {
    "$LISTED": LISTED_STATES_SQL,
    # A URL that was only listed or recorded, and that a link which is followed leads to now.
    "$IS_REOPENED": "(excluded.state = 0 AND (page.state = 5 OR page.reason = $NOT_FOLLOWED))",
    "$NOT_FOLLOWED": f"'{NOT_FOLLOWED}'",
    # A spelling that the user typed or a page links to is tried before one that only a sitemap has; https comes first.
    "$TAKES_SPELLING": (
        f"(page.state IN (0, 5) AND (page.depth >= {NO_DEPTH} OR excluded.source = 'seed')"
        " AND (substr(excluded.url, 1, 6) = 'https:' OR substr(page.url, 1, 6) <> 'https:'))"
    ),
    # Only pages nearer to the seed decide what is tried first: others are read while the page itself is requested.
    "$IS_BETTER": (
        f"(state = 0 AND source <> 'seed' AND $LINKED_AT < depth AND depth < {NO_DEPTH} AND "
        f"((substr($NEW, 1, 6) = 'https:') > (substr({_OLD}, 1, 6) = 'https:') OR "
        f"((substr($NEW, 1, 6) = 'https:') = (substr({_OLD}, 1, 6) = 'https:') AND $NEW < {_OLD}$BYTES)))"
    ),
}


@cache
def load_queries(dialect: str, name: str = "queries.sql") -> dict[str, str]:
    """The queries of a dialect's file by name."""
    text = (_SQL_DIR / dialect / name).read_text("utf-8")
    for macro, meaning in _MACROS.items():
        text = text.replace(macro, meaning)
    text = text.replace("$NEW", _NEW[dialect]).replace("$LINKED_AT", _LINKED_AT[dialect])
    text = text.replace("$BYTES", "" if dialect == "sqlite" else ' COLLATE "C"')
    parts = _NAME.split(text)
    return {title: body.strip().rstrip(";") for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def load_migrations(dialect: str) -> dict[int, str]:
    """The migrations by number; a file `0002.sql` takes a store from version 1 to 2."""
    files = [file for file in (_SQL_DIR / dialect).iterdir() if file.name[:4].isdigit()]
    return dict(sorted((int(file.name[:4]), file.read_text("utf-8")) for file in files))
