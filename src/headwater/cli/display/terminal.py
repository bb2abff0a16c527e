"""The escape sequences that Headwater itself sends to a terminal; no other module sends any."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from headwater.output_stream import OutputStream, escape_controls

if TYPE_CHECKING:
    from typing import TextIO

_CLEAR_LINE = "\r\x1b[K"
_CLEAR_SCREEN = "\x1b[H\x1b[J"


def clear_line() -> None:
    """Clear the progress line on standard error."""
    _send(sys.stderr, _CLEAR_LINE)


def draw_line(text: str) -> None:
    """Replace the progress line on standard error."""
    _send(sys.stderr, _CLEAR_LINE + escape_controls(text))
    sys.stderr.flush()


def clear_screen() -> None:
    """Clear standard output, which must be a terminal."""
    _send(sys.stdout, _CLEAR_SCREEN)


def _send(stream: TextIO, sequence: str) -> None:
    if isinstance(stream, OutputStream):
        stream.send(sequence)
    else:
        stream.write(sequence)
