"""Extract the values that a user asked for from one page, within bounds."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from headwater.pages.documents.html_parser import collapse_whitespace
from headwater.pages.extraction.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from turbohtml import Document

    from headwater.model import Response
    from headwater.pages.extraction.expressions import Extractor

MAX_MATCHES = 20
"""Matches of one expression that are kept."""

MAX_VALUE = 1000
"""Characters of one match that are kept."""

MAX_RAW = 10_000
MAX_PAGE = 20_000
"""Characters of all values of a page that are stored; further values are left out."""


def extract_values(extractors: Sequence[Extractor], document: Document, response: Response) -> str:
    """Return the values of a page as a JSON object: a text, or a list of texts if there are several matches."""
    source = Source(document, response)
    found: dict[str, str | list[str]] = {}
    size = 0
    for extractor in extractors:
        values = _clean(islice(extractor.find(source), MAX_MATCHES))
        size += sum(map(len, values))
        if values and size <= MAX_PAGE:
            found[extractor.name] = values[0] if len(values) == 1 else values
    return json.dumps(found, ensure_ascii=False) if found else ""


def _clean(values: Iterable[str]) -> list[str]:
    """Return texts on one line each, without empty ones; unpaired surrogates cannot be stored."""
    cleaned = (collapse_whitespace(value[:MAX_RAW])[:MAX_VALUE] for value in values)
    return [one if one.isascii() else one.encode("utf-8", "replace").decode() for one in cleaned if one]
