"""Parse Markdown into blocks (headings, text, tables, code), and find blocks that many pages repeat. Pure."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from headwater.dive.content.markdown import hash_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

_HEADING = re.compile(r"(#{1,6}) (.*?)(?: \{#([^\s{}]+)\})?\Z")
_FENCE = re.compile(r"\s*+(?:> ?)*+(?:[-*+] |\d++[.)] )?+\s*+(`{3,}|~{3,})")
MIN_REPEATED_PAGES = 3
MIN_REPEATED_SHARE = 0.3
"""A block on this share of the pages, and on at least `MIN_REPEATED_PAGES`, is boilerplate."""


class Block(NamedTuple):
    """One block; `kind` is heading, text, table or code, and headings have a level and an anchor."""

    kind: str
    text: str
    level: int = 0
    anchor: str = ""


def parse_blocks(markdown: str) -> Iterator[Block]:
    """Yield the blocks in order; a fenced code block is one block even if it contains blank lines."""
    lines: list[str] = []
    fence = ""
    kind = "text"
    for line in markdown.split("\n"):
        if fence:
            lines.append(line)
            if line.strip(" >").startswith(fence) and not line.strip(" >").strip(fence[0]):
                yield Block("code", "\n".join(lines))
                lines, fence = [], ""
            continue
        opening = _FENCE.match(line)
        starts = opening is not None or not line.strip() or _HEADING.match(line)
        if starts and lines:
            yield Block(kind, "\n".join(lines))
            lines = []
        if opening:
            fence, lines = opening.group(1), [line]
        elif heading := _HEADING.match(line):
            yield Block("heading", heading.group(2), len(heading.group(1)), heading.group(3) or "")
        elif line.strip():
            kind = kind if lines else "table" if line.lstrip().startswith("|") else "text"
            lines.append(line)
    if lines:
        yield Block("code" if fence else kind, "\n".join(lines))


def find_repeated_blocks(pages: Iterable[str]) -> frozenset[int]:
    """Return the hashes of text and table blocks that many of these pages share."""
    counts: Counter[int] = Counter()
    total = 0
    for markdown in pages:
        total += 1
        counts.update({hash_text(block.text) for block in parse_blocks(markdown) if block.kind in {"text", "table"}})
    min_pages = max(MIN_REPEATED_PAGES, total * MIN_REPEATED_SHARE)
    return frozenset(one for one, count in counts.items() if count >= min_pages)


def remove_repeated_blocks(markdown: str, repeated: Set[int]) -> str:
    """Return a page without repeated blocks."""
    if not repeated:
        return markdown
    kept = [
        render_block(block)
        for block in parse_blocks(markdown)
        if block.kind not in {"text", "table"} or _is_new(block, repeated)
    ]
    return "\n\n".join(kept) + "\n" if kept else ""


def render_block(block: Block) -> str:
    """Return the Markdown of a block."""
    if block.kind != "heading":
        return block.text
    return f"{'#' * block.level} {block.text}{f' {{#{block.anchor}}}' if block.anchor else ''}"


def _is_new(block: Block, repeated: Set[int]) -> bool:
    return hash_text(block.text) not in repeated
