"""Parse the event stream of an OpenAI-compatible server. Pure."""

from __future__ import annotations

import json
from typing import NamedTuple

from headwater.errors import ModelError

MAX_LINE = 1_000_000


class Delta(NamedTuple):
    """The next part of the text, or the reason why the text has ended."""

    text: str = ""
    finish: str = ""


class EventStreamParser:
    """Parses bytes in parts of any size."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, piece: bytes) -> list[Delta]:
        """Return the deltas that are complete after these bytes."""
        *lines, self._buffer = (self._buffer + piece).split(b"\n")
        if len(self._buffer) > MAX_LINE:
            raise ModelError("the response of the model server is not an event stream")
        return [delta for line in lines if (delta := self._parse_line(line.strip())) is not None]

    def _parse_line(self, line: bytes) -> Delta | None:
        if not line.startswith(b"data:"):
            return None
        data = line[5:].strip()
        if data == b"[DONE]":
            return None
        try:
            event = json.loads(data)
        except ValueError:
            raise ModelError("the event stream of the model server contains invalid JSON") from None
        return _parse_event(event)


def _parse_event(event: object) -> Delta | None:
    if not isinstance(event, dict):
        return None
    if error := event.get("error"):
        text = error.get("message", error) if isinstance(error, dict) else error
        raise ModelError(f"the model server reported an error: {str(text)[:300]}")
    choices = event.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    inner = choice.get("delta") or choice.get("message") or {}
    return Delta(str(inner.get("content") or ""), str(choice.get("finish_reason") or ""))
