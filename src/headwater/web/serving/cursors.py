"""Where a list goes on, as an opaque word in an address."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from headwater.web.serving.problems import Problem

CURSOR_PATTERN = "^[A-Za-z0-9_-]{1,400}$"


def encode_cursor(place: tuple[Any, ...] | None) -> str | None:
    """A place as a word."""
    if place is None:
        return None
    return base64.urlsafe_b64encode(json.dumps(list(place)).encode()).decode().rstrip("=")


def decode_cursor(word: str | None, *kinds: type | tuple[type, ...]) -> tuple[Any, ...] | None:
    """The place behind a word; its parts must be of these kinds."""
    if not word:
        return None
    try:
        place = json.loads(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)))
        json.dumps(place, ensure_ascii=False).encode()  # no half of a surrogate pair, which no store takes
    except (binascii.Error, ValueError, RecursionError):
        raise Problem(400, "this is no cursor that was handed out", "cursor") from None
    if not isinstance(place, list) or len(place) != len(kinds):
        raise Problem(400, "this is no cursor that was handed out", "cursor")
    if not all(_is_of_type(part, kind) for part, kind in zip(place, kinds, strict=True)):
        raise Problem(400, "this is no cursor that was handed out", "cursor")
    return tuple(place)


def _is_of_type(part: object, kind: type | tuple[type, ...]) -> bool:
    if isinstance(part, bool) or (isinstance(part, int) and abs(part) >= 1 << 62):
        return False
    return isinstance(part, kind)
