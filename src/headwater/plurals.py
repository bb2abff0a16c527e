"""Counts with a noun in the right number."""

from __future__ import annotations


def format_count(number: int, noun: str) -> str:
    """Return for example `1 page` or `1,000 pages`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
