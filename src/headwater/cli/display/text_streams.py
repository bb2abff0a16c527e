"""Lines in and out, of any length and in any encoding, in bounded memory."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    class Readable(Protocol):
        """A binary stream that gives what it has, as stdin's buffer does."""

        def read1(self, size: int, /) -> bytes:
            """Up to `size` bytes, as soon as there are any."""


CHUNK_SIZE = 1 << 18
MAX_LINE_BYTES = 1 << 16


def get_stdin() -> Readable:
    """The bytes of stdin."""
    return cast("Readable", sys.stdin.buffer)


def read_lines(stream: Readable) -> Iterator[list[bytes | None]]:
    """The stream's lines as they arrive, many at a time; None stands for one longer than MAX_LINE."""
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
    """A line grows only until it is certainly too long, so that memory stays bounded."""
    return rest if len(rest) > MAX_LINE_BYTES else rest + more


def printable(text: str, limit: int = 120) -> str:
    """Text from elsewhere made safe for a terminal: control characters written as escapes, and cut."""
    safe = "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in text[:limit])
    return safe + "…" if len(text) > limit else safe
