"""Parse JSON columns of a store into text that can be encoded."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str) -> Any:  # noqa: ANN401  (anything JSON can hold)
    """Parse JSON; lone surrogates, which cannot be encoded, become U+FFFD."""
    value = json.loads(text)
    if "\\ud" not in text.lower():
        return value
    halves = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass")
    return json.loads(halves.decode("utf-16", "replace"))
