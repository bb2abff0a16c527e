"""Cursors: the position in a list as an opaque word in an address."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any, TypeVar

from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Row = TypeVar("Row")

CURSOR_PATTERN = "^[A-Za-z0-9_-]{1,400}$"


def encode_cursor(position: tuple[Any, ...] | None) -> str | None:
    """Return a position as a cursor; None stays None."""
    if position is None:
        return None
    return base64.urlsafe_b64encode(json.dumps(list(position)).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, *types: type | tuple[type, ...]) -> tuple[Any, ...] | None:
    """Return the position of a cursor, whose parts must have these types; None if there is no cursor."""
    if not cursor:
        return None
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        json.dumps(position, ensure_ascii=False).encode()  # fails for half of a surrogate pair, which stores reject
    except (binascii.Error, ValueError, RecursionError):
        raise _invalid_cursor() from None
    if not isinstance(position, list) or len(position) != len(types):
        raise _invalid_cursor()
    if not all(_has_type(part, expected) for part, expected in zip(position, types, strict=True)):
        raise _invalid_cursor()
    return tuple(position)


def decode_offset(cursor: str) -> int | None:
    """Return the number that a cursor holds; None if there is no cursor."""
    position = decode_cursor(cursor, int)
    return int(position[0]) if position else None


def cut_page(rows: Sequence[Row], limit: int, number_of: Callable[[Row], int]) -> tuple[Sequence[Row], str | None]:
    """Return the first rows and the cursor of the next ones; the store was asked for one row more than the limit."""
    shown = rows[:limit]
    return shown, encode_cursor((number_of(shown[-1]),)) if len(rows) > limit else None


def _invalid_cursor() -> Problem:
    return Problem(400, "Invalid cursor; use the `cursor` of a previous answer", "cursor")


def _has_type(part: object, expected: type | tuple[type, ...]) -> bool:
    if isinstance(part, bool) or (isinstance(part, int) and abs(part) >= 1 << 62):
        return False
    return isinstance(part, expected)
