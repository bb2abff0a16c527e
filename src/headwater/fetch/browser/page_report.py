"""What the script in a page tells, in Python's terms; a page may have cut or bent any of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from headwater.model import REGIONS

if TYPE_CHECKING:
    from headwater.model import Region

EMPTY_REPORT: dict[str, Any] = {
    "title": "", "language": "", "routes": [], "frames": [], "fragments": [], "tables": [], "hears_hash": False,
    "has_unseen_roots": False, "text": "", "wants_scroll": False,
}  # fmt: skip
"""What a document lacks that could not be asked."""

_KINDS: dict[str, type] = {"url": str, "base": str, "html": str, **{name: type(one) for name, one in EMPTY_REPORT.items()}}
_ROWS: dict[str, tuple[type, ...]] = {"routes": (str, str), "fragments": (str, bool, str, str), "tables": (str, str)}
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_report(text: str) -> Any:  # noqa: ANN401
    """The value of a JSON text. Halves of characters, as `slice` in a page makes them, are in no encoding: U+FFFD."""
    value = json.loads(text)
    if "\\ud" not in text:
        return value
    return json.loads(_SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False)))


def parse_route_trigger(text: str) -> tuple[str, Region | None]:
    """Return by which means a URL was found, and the region of the element that carried it, if one did."""
    how, _, region = text.partition(" in ")
    return how, parse_region(region)


def parse_region(text: str) -> Region | None:
    """Return the region of this name; a page may have put anything in its place."""
    return next((one for one in REGIONS if one == text), None)


def is_page_report(value: object) -> bool:
    """Whether this is a page as `scripts/reading.js` tells it; what a page puts in its place may be anything."""
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(name), kind) for name, kind in _KINDS.items())
        and all(_is_row(row, kinds) for name, kinds in _ROWS.items() for row in value[name])
        and all(is_page_report(frame) for frame in value["frames"])
    )


def _is_row(row: object, kinds: tuple[type, ...]) -> bool:
    return isinstance(row, list) and tuple(map(type, row)) == kinds
