"""Read values from scripts without running them: JSON inside a call or an assignment, and quoted strings."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENING = re.compile(r"JSON\.parse\(\s*(?=['\"`])|[\[{]")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*+)"?|\'((?:[^\'\\\n]|\\.)*+)\'?')
_JSON_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_STRING_ENDS = {quote: re.compile(rf"(?:[^\\{quote}]|\\.)*+{quote}", re.DOTALL) for quote in "\"'`"}
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_decoder = json.JSONDecoder()


def read_json(text: str) -> Any:  # noqa: ANN401  (JSON of any shape)
    """Return the JSON value of a text, or None."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_json_after(text: str, marker: str) -> Any:  # noqa: ANN401  (JSON of any shape)
    """Return the first JSON object or array after a marker, or None.

    `Search.setIndex({…})`, `window.search = {…}` and `JSON.parse('{…}')` are read alike.
    """
    start = text.find(marker)
    if start < 0:
        return None
    opening = _OPENING.search(text, start + len(marker))
    if opening is None:
        return None
    if opening.group().startswith("JSON"):
        literal = read_string(text, opening.end())
        return read_json(literal) if literal is not None else None
    try:
        return _decoder.raw_decode(text, opening.start())[0]
    except (ValueError, RecursionError):
        return None


def read_string(text: str, start: int) -> str | None:
    """Return the value of the string literal that starts at a position, or None if none does."""
    quote = text[start : start + 1]
    if quote not in {'"', "'", "`"}:
        return None
    end = _STRING_ENDS[quote].match(text, start + 1)
    return unescape(text[start + 1 : end.end() - 1]) if end else None


def find_strings(text: str) -> Iterator[str]:
    """Yield the values of all quoted strings in a script, in order."""
    for match in _STRING.finditer(text):
        double, single = match.groups()
        yield unescape(double if double is not None else single)


def unescape(text: str) -> str:
    """Undo the escapes of a JavaScript string."""
    return _JSON_ESCAPE.sub(_unescape_one, text) if "\\" in text else text


def _unescape_one(match: re.Match[str]) -> str:
    escape = match.group(1)
    if escape[0] in "ux" and len(escape) > 1:
        return chr(int(escape[1:], 16))
    return _CONTROL.get(escape, escape)
