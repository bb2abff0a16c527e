"""Split a page into passages that fit a model: by heading, without splitting fenced code or table rows. Pure.

Only a single row or line above the limit is split inside.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from headwater.dive.content.markdown import hash_text, strip_inline_markup
from headwater.dive.content.markdown_blocks import parse_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    TokenCounter = Callable[[str], int]

MAX_TOKENS = 220
HEADING_TOKEN_DIVISOR = 4
"""At most one in this many tokens belongs to "Title > Heading", which is truncated if it is longer."""

_WORDS = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[^\s])")
_SITE = re.compile(r"\s+(?:[—–|·»]|::|-)\s+[^—–|·»]*\Z")


class Chunk(NamedTuple):
    """One passage; `heading` is "Title > Heading", `anchor` is its id, and `tokens` counts heading and text."""

    heading: str
    anchor: str
    text: str
    tokens: int

    @property
    def full_text(self) -> str:
        """The heading and the text, as they are embedded."""
        return f"{self.heading}\n{self.text}" if self.heading else self.text

    @property
    def content_hash(self) -> int:
        """A hash of the full text."""
        return hash_text(self.full_text)


def estimate_tokens(text: str) -> int:
    """Estimate the number of WordPiece tokens of a text, erring on the high side."""
    return sum((len(word) + 3) // 4 for word in _WORDS.findall(text))


def split_into_chunks(
    title: str, markdown: str, count: TokenCounter = estimate_tokens, limit: int = MAX_TOKENS
) -> list[Chunk]:
    """Return the passages of a page in order."""
    chunks: list[Chunk] = []
    name = strip_site_name(title)
    for heading_path, anchor, pieces in _iter_sections(markdown):
        heading = _build_heading(name, heading_path, count, limit // HEADING_TOKEN_DIVISOR)
        room = limit - count(heading)
        texts = _group_parts(_split_oversized_pieces(pieces, count, room), count, room, "\n\n")
        chunks += [Chunk(heading, anchor, text, count(heading) + count(text)) for text in texts]
    return chunks


def strip_site_name(title: str) -> str:
    """Return a page's title without the site name at its end."""
    return _SITE.sub("", title).strip() or title


def _build_heading(title: str, heading_path: list[str], count: TokenCounter, max_tokens: int) -> str:
    """Return "Title > Heading", truncated to the given number of tokens."""
    parts = [part for part in heading_path if part and part != title]
    text = " > ".join(part for part in (title, parts[-1] if parts else "") if part)
    words = text.split()
    while words and count(" ".join(words)) > max_tokens:
        words = words[: len(words) * 3 // 4]
    return " ".join(words)


def _iter_sections(markdown: str) -> Iterator[tuple[list[str], str, list[tuple[str, str]]]]:
    """Yield each section: its headings from the top, its anchor, and its blocks as (kind, text)."""
    heading_path: list[str] = []
    anchor = ""
    pieces: list[tuple[str, str]] = []
    for block in parse_blocks(markdown):
        if block.kind != "heading":
            text = block.text if block.kind == "code" else _strip_markup(block.text)
            pieces += [(block.kind, text)] if text.strip() else []
            continue
        if pieces:
            yield heading_path, anchor, pieces
        heading_path = [
            *heading_path[: block.level - 1],
            *[""] * (block.level - 1 - len(heading_path)),
            strip_inline_markup(block.text),
        ]
        anchor, pieces = block.anchor, []
    if pieces:
        yield heading_path, anchor, pieces


def _strip_markup(text: str) -> str:
    return "\n".join(strip_inline_markup(line) for line in text.split("\n"))


def _split_oversized_pieces(pieces: Iterable[tuple[str, str]], count: TokenCounter, room: int) -> Iterator[str]:
    """Yield pieces that fit; larger ones are split as their kind allows."""
    for kind, text in pieces:
        if count(text) <= room:
            yield text
        elif kind == "code":
            yield from _split_code(text, count, room)
        elif kind == "table":
            yield from _split_table(text, count, room)
        else:
            yield from _split_text(text, count, room)


def _split_code(text: str, count: TokenCounter, room: int) -> Iterator[str]:
    """Split a fenced code block that is too long into several complete ones."""
    opening, *lines = text.split("\n")
    closing = (
        lines.pop() if lines and not lines[-1].strip(" >`~") else opening[: len(opening) - len(opening.lstrip("` ~>"))]
    )
    inner = room - count(opening) - count(closing)
    for part in _group_parts(_split_oversized_lines(lines, count, inner), count, inner, "\n"):
        yield f"{opening}\n{part}\n{closing}"


def _split_table(text: str, count: TokenCounter, room: int) -> Iterator[str]:
    """Split a table that is too long into several, each with the header."""
    lines = text.split("\n")
    head, rows = (lines[:2], lines[2:]) if len(lines) > 2 and set(lines[1]) <= set("|-: ") else ([], lines)
    frame = "\n".join(head)
    if count(frame) > room // 2:
        head, frame = [], ""
    inner = room - count(frame)
    for part in _group_parts(_split_oversized_lines(rows, count, inner), count, inner, "\n"):
        yield f"{frame}\n{part}" if frame else part


def _split_text(text: str, count: TokenCounter, room: int) -> Iterator[str]:
    """Split text into lines, then sentences, then words."""
    parts = [piece for line in text.split("\n") for piece in ([line] if count(line) <= room else _SENTENCE.split(line))]
    yield from _group_parts(_split_oversized_lines(parts, count, room), count, room, "\n")


def _split_oversized_lines(lines: Iterable[str], count: TokenCounter, room: int) -> Iterator[str]:
    """Yield lines that fit; longer ones are split between words, and longer words anywhere."""
    for line in lines:
        if count(line) <= room:
            yield line
            continue
        words = (part for word in line.split() for part in ([word] if count(word) <= room else _split_word(word, room)))
        yield from _group_parts(words, count, room, " ")


def _split_word(word: str, size: int) -> list[str]:
    """Split a word into parts of `size` characters, each of which is at most one token."""
    return [word[start : start + size] for start in range(0, len(word), size)]


def _group_parts(parts: Iterable[str], count: TokenCounter, room: int, separator: str) -> Iterator[str]:
    """Join as many parts as fit."""
    group: list[str] = []
    size = 0
    for part in parts:
        tokens = count(part)
        if group and size + tokens > room:
            yield separator.join(group)
            group, size = [], 0
        group.append(part)
        size += tokens
    if group:
        yield separator.join(group)
