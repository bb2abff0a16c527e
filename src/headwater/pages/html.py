"""A page as a tree: one place that says how documents are parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import turbohtml

if TYPE_CHECKING:
    from turbohtml import Document


def parse_html(body: bytes | str, charset: str = "") -> Document:
    """The document's tree; templates, declarative shadow roots and noscript stay ordinary elements, so links show."""
    if isinstance(body, str) or not charset:
        return turbohtml.parse(body, positions=False, allow_declarative_shadow_roots=False)
    try:
        return turbohtml.parse(body, positions=False, allow_declarative_shadow_roots=False, encoding=charset)
    except LookupError:  # the server names an encoding nobody knows
        return turbohtml.parse(body, positions=False, allow_declarative_shadow_roots=False)


def squeezed(text: str) -> str:
    """Text with runs of white space made one blank."""
    return " ".join(text.split())
