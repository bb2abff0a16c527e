"""Text streams for standard output, standard error and result files: failed writes name the file, terminals are safe.

Text of a website can hold escape sequences that retitle, recolor or reprogram a terminal, and bidirectional controls
that reorder what a person reads. A stream that leads to a terminal shows such characters as `\\u001b`, so no command
has to remember to. Files and pipes get the text as it is.
"""

from __future__ import annotations

import io
import os
import re
import sys
from typing import TYPE_CHECKING, BinaryIO

from headwater.errors import OutputError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO

STANDARD_OUTPUT = "standard output"
_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f"  # C0 without tab, line feed and carriage return
    "\x7f-\x9f"  # DEL and C1, which terminals take for the beginning of an escape sequence
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # bidirectional marks, embeddings, overrides and isolates
    "|\r(?!\n)"  # CSV ends its lines with CRLF; anywhere else it overwrites the line
)


def escape_controls(text: str) -> str:
    """Return the text with control and bidirectional characters as `\\u001b`, which means the same within JSON."""
    return _CONTROLS.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


class OutputStream(io.TextIOWrapper):
    """A text stream whose failed writes are an OutputError; on a terminal it escapes control characters."""

    def __init__(self, buffer: BinaryIO, place: str, **options: object) -> None:
        self._place = place
        self._is_terminal = buffer.isatty()
        super().__init__(buffer, **options)  # type: ignore[arg-type]

    def write(self, text: str, /) -> int:
        """Write text that may come from anywhere."""
        try:
            super().write(escape_controls(text) if self._is_terminal else text)
        except (OSError, UnicodeEncodeError) as error:
            self._fail(error)
        return len(text)

    def send(self, sequence: str) -> None:
        """Write an escape sequence of our own."""
        try:
            super().write(sequence)
        except OSError as error:
            self._fail(error)

    def flush(self) -> None:
        """Hand everything on to the system."""
        try:
            super().flush()
        except OSError as error:
            self._fail(error)

    def close(self) -> None:
        """Flush and close."""
        try:
            super().close()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError | UnicodeEncodeError) -> None:
        raise OutputError(self._place, _reason(error)) from error


class StandardErrorStream(OutputStream):
    """Standard error: a message that cannot be written is dropped, for there is nowhere to say so."""

    def _fail(self, error: OSError | UnicodeEncodeError) -> None:
        """Keep a scan going whose messages cannot be written."""


def _reason(error: OSError | UnicodeEncodeError) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"its encoding, {error.encoding}, lacks a character; PYTHONIOENCODING=utf-8 sets another"


def open_output(path: Path) -> OutputStream:
    """Open a result file for writing, in UTF-8; line ends are written as they are given."""
    try:
        buffer = path.open("wb")
    except OSError as error:
        raise OutputError(str(path), _reason(error)) from error
    return OutputStream(buffer, str(path), encoding="utf-8", newline="")


def replace_standard_streams() -> None:
    """Let everything this process prints pass through the streams of this module; call it once, at the start."""
    sys.stdout = _replaced(sys.stdout, OutputStream, STANDARD_OUTPUT)
    sys.stderr = _replaced(sys.stderr, StandardErrorStream, "standard error")


def _replaced(stream: TextIO | None, kind: type[OutputStream], name: str) -> TextIO:
    if stream is None:  # the process was started with it closed: only what is written to it fails
        return kind(os.fdopen(os.open(os.devnull, os.O_RDONLY), "wb"), name, encoding="utf-8")
    if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, OutputStream):
        return stream
    is_ascii = stream.encoding.lower() in {"ascii", "us-ascii", "ansi_x3.4-1968"}
    return kind(
        stream.buffer, name, encoding="utf-8" if is_ascii else stream.encoding,
        errors="backslashreplace" if stream.isatty() else stream.errors,
        line_buffering=stream.line_buffering, write_through=stream.write_through,
    )  # fmt: skip
