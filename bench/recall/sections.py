"""Sections of a Markdown page, each written by a command of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MARK = "\n## "


def section_of(text: str, heading: str) -> str | None:
    """Return the body of a section, or None if the page has no such section."""
    for part in text.split(MARK)[1:]:
        name, _, body = part.partition("\n")
        if name == heading:
            return body.strip()
    return None


def replace_section(text: str, heading: str, body: str) -> str:
    """Return a page with a section replaced, or added at its end."""
    first, *parts = text.rstrip("\n").split(MARK)
    written = f"{heading}\n\n{body.strip()}\n"
    kept = [part if part.partition("\n")[0] != heading else written for part in parts]
    if written not in kept:
        kept.append(written)
    return MARK.join(part.rstrip("\n") + "\n" for part in (first, *kept))


def keep_sections(text: str, old: str, headings: Iterable[str]) -> str:
    """Return a new page with the named sections of the old one at its end."""
    for heading in headings:
        body = section_of(old, heading)
        if body is not None:
            text = replace_section(text, heading, body)
    return text
