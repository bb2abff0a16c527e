"""JSON in columns of a store, read so that its text can be shown and sent."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str) -> Any:  # noqa: ANN401  (whatever was written)
    """Return what was written as JSON; half of a surrogate pair, which no encoding has, becomes U+FFFD."""
    value = json.loads(text)
    if "\\ud" not in text.lower():
        return value
    halves = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass")
    return json.loads(halves.decode("utf-16", "replace"))
