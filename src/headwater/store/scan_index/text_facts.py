"""Facts about the text of pages as a scan index holds them: ranges of word counts, and extracted values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

WORD_RANGES = ((100, "0-99"), (300, "100-299"), (1000, "300-999"))
MORE_WORDS, NO_WORDS = "1000+", "none"
WORD_RANGE_NAMES = (*(name for _, name in WORD_RANGES), MORE_WORDS, NO_WORDS)


def get_word_range(count: int | None) -> str:
    """Return the range of a word count; `none` for a page that was not analyzed."""
    if count is None:
        return NO_WORDS
    return next((name for end, name in WORD_RANGES if count < end), MORE_WORDS)


def list_extracted_rows(rank: int, values: str) -> Iterator[tuple[str, int, str]]:
    """Yield the extracted values of a page for comparison: without case, several matches on a line each."""
    for name, value in json.loads(values).items():
        yield name, rank, ("\n".join(value) if isinstance(value, list) else value).casefold()


def build_extracted_condition(wanted: str) -> tuple[str, tuple[Any, ...]]:
    """Return the condition for `name` (there is a value), `-name` (there is none) or `name=text` (it has this text)."""
    name, equals, text = wanted.partition("=")
    found = "SELECT rank FROM extracted WHERE name = ?"
    if equals:
        return f"entry.rank IN ({found} AND instr(value, ?))", (name, text.casefold())
    verb = "NOT IN" if name.startswith("-") else "IN"
    return f"entry.rank {verb} ({found})", (name.removeprefix("-"),)
