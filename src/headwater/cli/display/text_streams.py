"""Read lines of any length and encoding in bounded memory, and make text safe to print."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    class Readable(Protocol):
        """A binary stream whose `read1` returns the bytes that are available, like the buffer of stdin."""

        def read1(self, size: int, /) -> bytes:
            """Return up to `size` bytes as soon as there are any."""


CHUNK_SIZE = 1 << 18
MAX_LINE_BYTES = 1 << 16


def get_stdin() -> Readable:
    """Return the binary stream of standard input."""
    return cast("Readable", sys.stdin.buffer)


def read_lines(stream: Readable) -> Iterator[list[bytes | None]]:
    """Yield lists of lines as they arrive; None stands for a line longer than MAX_LINE_BYTES."""
    rest = b""
    while chunk := stream.read1(CHUNK_SIZE):
        lines: list[bytes | None] = []
        first, *others = chunk.split(b"\n")
        rest = _join(rest, first)
        for line in others:
            lines.append(None if len(rest) > MAX_LINE_BYTES else rest)
            rest = line
        yield lines
    if rest:
        yield [None if len(rest) > MAX_LINE_BYTES else rest]


def _join(rest: bytes, more: bytes) -> bytes:
    """Extend a line, unless it is already too long; this keeps memory bounded."""
    return rest if len(rest) > MAX_LINE_BYTES else rest + more


def printable(text: str, limit: int = 120) -> str:
    """Return text from outside with control characters escaped, cut to a number of characters."""
    safe = "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in text[:limit])
    return safe + "…" if len(text) > limit else safe
