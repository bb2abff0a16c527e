"""Extract URLs from structured data: schema.org as JSON in a `<script type="application/ld+json">`."""

from __future__ import annotations

import json

_NAMES = frozenset("url @id mainEntityOfPage item sameAs contentUrl embedUrl target urlTemplate".split())
_MAX_DEPTH = 100
_MAX_LENGTH = 4_000_000
"""Parsed JSON takes up to thirty times the memory of its text."""


def extract_json_ld_urls(text: str) -> list[str]:
    """Return the URLs in a block of structured data, under names that hold pages; empty if it is not valid JSON."""
    if len(text) > _MAX_LENGTH:
        return []
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    found: dict[str, None] = {}
    _walk(value, "", found, 0)
    return list(found)


def _walk(value: object, name: str, found: dict[str, None], depth: int) -> None:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        for inner_name, inner in value.items():
            _walk(inner, inner_name, found, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _walk(inner, name, found, depth + 1)
    elif isinstance(value, str) and name in _NAMES and value.strip():
        found[value.strip()] = None
