"""What the script in a page tells, in Python's terms; a page may have cut or bent any of it."""

from __future__ import annotations

import json
import re
from typing import Any

_HALF = re.compile("[\ud800-\udfff]")


def read_told(text: str) -> Any:  # noqa: ANN401
    """The value of a JSON text. Halves of characters, as `slice` in a page makes them, are in no encoding: U+FFFD."""
    value = json.loads(text)
    if "\\ud" not in text:
        return value
    return json.loads(_HALF.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
