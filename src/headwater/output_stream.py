"""Text streams for standard output, standard error and result files.

A failed write raises an OutputError that names the file. Text of a website can contain escape sequences that retitle,
recolor or reprogram a terminal, and bidirectional controls that reorder what a person reads. A stream to a terminal
shows such characters as `\\u001b`. Files and pipes get the text unchanged.
"""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from headwater.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import TextIO

STANDARD_OUTPUT = "standard output"
_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f"  # C0 without tab, line feed and carriage return
    "\x7f-\x9f"  # DEL and C1, which start an escape sequence on terminals
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # bidirectional marks, embeddings, overrides and isolates
    "|\r(?!\n)"  # a carriage return overwrites the line, except in CRLF
)


def escape_controls(text: str) -> str:
    """Return the text with control and bidirectional characters as `\\u001b`, which JSON reads as the same text."""
    return _CONTROLS.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


class OutputStream(io.TextIOWrapper):
    """A text stream whose failed writes raise OutputError; on a terminal it escapes control characters."""

    def __init__(self, buffer: BinaryIO, place: str, **options: object) -> None:
        self._place = place
        self._is_terminal = buffer.isatty()
        super().__init__(buffer, **options)  # type: ignore[arg-type]

    def write(self, text: str, /) -> int:
        """Write text from any source."""
        try:
            super().write(escape_controls(text) if self._is_terminal else text)
        except (OSError, UnicodeEncodeError) as error:
            self._fail(error)
        return len(text)

    def send(self, sequence: str) -> None:
        """Write an escape sequence of Headwater itself."""
        try:
            super().write(sequence)
        except OSError as error:
            self._fail(error)

    def flush(self) -> None:
        """Pass all buffered text to the operating system."""
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
        raise OutputError(self._place, _describe_error(error)) from error


class StandardErrorStream(OutputStream):
    """Standard error; messages that cannot be written are dropped."""

    def _fail(self, error: OSError | UnicodeEncodeError) -> None:
        """Ignore the failure, so that a scan continues."""


def _describe_error(error: OSError | UnicodeEncodeError) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"its encoding, {error.encoding}, lacks a character; set PYTHONIOENCODING=utf-8"


@contextmanager
def reporting_failures(place: str) -> Iterator[None]:
    """Turn the failures of libraries that write bytes to a stream themselves into OutputError."""
    try:
        yield
    except OSError as error:
        raise OutputError(place, _describe_error(error)) from error


def open_output(path: Path) -> OutputStream:
    """Open a result file for writing, in UTF-8 and without converting line ends."""
    try:
        buffer = path.open("wb")
    except OSError as error:
        raise OutputError(str(path), _describe_error(error)) from error
    return OutputStream(buffer, str(path), encoding="utf-8", newline="")


def replace_standard_streams() -> None:
    """Replace standard output and standard error by streams of this module; call it once at the start."""
    sys.stdout = _replace(sys.stdout, OutputStream, STANDARD_OUTPUT)
    sys.stderr = _replace(sys.stderr, StandardErrorStream, "standard error")


def _replace(stream: TextIO | None, kind: type[OutputStream], name: str) -> TextIO:
    if stream is None:  # the process was started with it closed; only writing to it fails
        return kind(os.fdopen(os.open(os.devnull, os.O_RDONLY), "wb"), name, encoding="utf-8")
    if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, OutputStream):
        return stream
    is_ascii = stream.encoding.lower() in {"ascii", "us-ascii", "ansi_x3.4-1968"}
    return kind(
        stream.buffer, name, encoding="utf-8" if is_ascii else stream.encoding,
        errors="backslashreplace" if stream.isatty() else stream.errors,
        line_buffering=stream.line_buffering, write_through=stream.write_through,
    )  # fmt: skip
