"""Record which page is being examined in a file that survives a crash: a page that crashes the parser is skipped later.

The record is sixteen bytes in a memory-mapped file: cheap to write, and on disk even if the process is killed.
"""

from __future__ import annotations

import mmap
import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self

MAX_CRASHES = 3
"""Crashes after which a page is no longer examined."""

_RECORD = struct.Struct("=qq")


def _reserve(file: BinaryIO) -> None:
    """Fill the file. Writing to a hole in a mapped file kills the process if the disk is full."""
    missing = _RECORD.size - file.seek(0, os.SEEK_END)
    file.write(bytes(max(0, missing)))
    file.truncate(_RECORD.size)
    file.flush()


def read_crash_record(path: Path) -> tuple[int, int]:
    """Return the scan and the page that a crashed process was examining; zeros if it was examining none."""
    scan, identity = _RECORD.unpack(path.read_bytes())
    return scan, identity


class CrashRecord:
    """The record beside a store; without a path nothing is recorded."""

    def __init__(self, path: str = "") -> None:
        self._path = Path(path) if path else None
        self._map: mmap.mmap | None = None
        if self._path is not None:
            with suppress(OSError), self._path.open("a+b") as file:  # on a full disk the crawl runs without a record
                _reserve(file)
                self._map = mmap.mmap(file.fileno(), _RECORD.size)

    def take_crashed_page(self, scan: int) -> int | None:
        """Return the page of this scan that crashed a process, if one did, and clear the record."""
        recorded = _RECORD.unpack_from(self._map) if self._map is not None else (0, 0)
        self.clear()
        return recorded[1] if recorded[0] == scan and recorded[1] else None

    def note(self, scan: int, identity: int) -> None:
        """Record that a page is being examined."""
        if self._map is not None:
            _RECORD.pack_into(self._map, 0, scan, identity)

    def clear(self) -> None:
        """Record that no page is being examined."""
        if self._map is not None:
            _RECORD.pack_into(self._map, 0, 0, 0)

    def close(self) -> None:
        """Delete the file: the process has survived."""
        if self._map is not None and self._path is not None:
            self._map.close()
            self._map = None
            self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
