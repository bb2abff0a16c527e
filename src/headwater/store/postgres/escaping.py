"""Escape texts that PostgreSQL cannot store: the character NUL, and lone surrogates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_ESCAPE = "\U0010fffe"
"""Escape character for characters that PostgreSQL cannot store; no text contains it."""


def escape_row(row: Iterable[object]) -> tuple[object, ...]:
    """Return a row whose texts PostgreSQL can store."""
    return tuple([_escape_text(value) if type(value) is str else value for value in row])


def escape_values(values: Mapping[str, object]) -> dict[str, object]:
    """Return values whose texts PostgreSQL can store; texts in lists are not changed."""
    return {name: _escape_text(value) if type(value) is str else value for name, value in values.items()}


def _escape_text(text: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:  # a lone surrogate
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = text.replace(_ESCAPE, _ESCAPE + "e")
    return text.replace("\x00", _ESCAPE + "0") if "\x00" in text else text


def unescape_row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row as it was before `escape_row`."""
    if any(type(value) is str and _ESCAPE in value for value in row):
        return tuple(_unescape_text(value) if type(value) is str else value for value in row)
    return row


def _unescape_text(text: str) -> str:
    return text.replace(_ESCAPE + "0", "\x00").replace(_ESCAPE + "e", _ESCAPE)
