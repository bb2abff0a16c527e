"""Named queries and numbered migrations, read from the files beside this one."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_FOLDER = files("headwater.store") / "sql"


@cache
def load_queries(dialect: str, name: str = "queries.sql") -> dict[str, str]:
    """The queries of a dialect's file by name."""
    parts = _NAME.split((_FOLDER / dialect / name).read_text("utf-8"))
    return {title: body.strip().rstrip(";") for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def load_migrations(dialect: str) -> dict[int, str]:
    """The migrations by number; a file `0002.sql` takes a store from version 1 to 2."""
    files = [file for file in (_FOLDER / dialect).iterdir() if file.name[:4].isdigit()]
    return dict(sorted((int(file.name[:4]), file.read_text("utf-8")) for file in files))
