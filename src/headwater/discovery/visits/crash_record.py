"""Which page is being examined, noted where it survives the process: a page that kills the parser is left alone.

The note is sixteen bytes in a file mapped into memory, so writing it costs next to nothing and needs no goodbye.
"""

from __future__ import annotations

import mmap
import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self

MAX_CRASHES = 3
"""After so many deaths over one page it is no longer examined."""

_RECORD = struct.Struct("=qq")


def _reserve(file: BinaryIO) -> None:
    """Write the missing bytes of a note. Writing to a hole in a mapped file ends the process if the disk is full."""
    missing = _RECORD.size - file.seek(0, os.SEEK_END)
    file.write(bytes(max(0, missing)))
    file.truncate(_RECORD.size)
    file.flush()


class CrashRecord:
    """The note beside a store; without a path it is kept nowhere."""

    def __init__(self, path: str = "") -> None:
        self._path = Path(path) if path else None
        self._map: mmap.mmap | None = None
        if self._path is not None:
            with suppress(OSError), self._path.open("a+b") as file:  # on a full disk it goes on without the note
                _reserve(file)
                self._map = mmap.mmap(file.fileno(), _RECORD.size)

    def take_crashed_page(self, scan: int) -> int | None:
        """The page of this scan that a process died over, if one did."""
        noted = _RECORD.unpack_from(self._map) if self._map is not None else (0, 0)
        self.clear()
        return noted[1] if noted[0] == scan and noted[1] else None

    def note(self, scan: int, identity: int) -> None:
        """From here on this page is examined."""
        if self._map is not None:
            _RECORD.pack_into(self._map, 0, scan, identity)

    def clear(self) -> None:
        """Nothing is examined."""
        if self._map is not None:
            _RECORD.pack_into(self._map, 0, 0, 0)

    def close(self) -> None:
        """Take the file away; whoever comes here has survived."""
        if self._map is not None and self._path is not None:
            self._map.close()
            self._map = None
            self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
