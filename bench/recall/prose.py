"""Deterministic titles and paragraphs for generated pages."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WORDS = (
    "river stone lamp harbour winter copper meadow ladder engine candle garden signal timber bridge market paper "
    "silver window thread basket valley anchor kettle feather compass barrel orchard mirror tunnel island pocket hammer"
).split()
SENTENCES = (
    "The {0} was carried from the {1} to the {2} before the day ended.",
    "Nobody who knew the {0} expected the {1} to last longer than the {2}.",
    "A {0} without a {1} is of little use, as every owner of a {2} knows.",
    "In the north the {0} is set beside the {1}, and the {2} is kept indoors.",
)


def title(number: int) -> str:
    """Return a title; every number has a different one."""
    choice = random.Random(f"title {number}")
    return f"The {choice.choice(WORDS)} and the {choice.choice(WORDS)}, part {number}"


def paragraph(number: int, sentences: int = 6) -> str:
    """Return a paragraph; every number has a different one."""
    choice = random.Random(f"paragraph {number}")
    return " ".join(choice.choice(SENTENCES).format(*choice.sample(WORDS, 3)) for _ in range(sentences))


def day(number: int) -> str:
    """Return a date of 2024."""
    return f"2024-{1 + number % 12:02}-{1 + number % 28:02}"


def items(prefix: str, count: int) -> list[dict[str, str]]:
    """Return items with an id, a title and a text."""
    return [{"id": f"{prefix}-{n}", "title": title(n), "text": paragraph(n)} for n in range(1, count + 1)]


def write_items(path: Path, prefix: str, count: int) -> list[dict[str, str]]:
    """Write items as JSON and return them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    listed = items(prefix, count)
    path.write_text(json.dumps(listed))
    return listed


def write_text(path: Path, text: str) -> None:
    """Write a text file, with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
