"""Where the files lie that scans are looked at through: beside a store in one file, else in a folder of our own."""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path

from headwater.store import is_server
from headwater.store.scan_index.build import look_path

ROOM = 4 << 30
"""Bytes that the files of a server's scans may take; each can be made again."""

IN_USE = 60.0
"""Seconds for which a file that was looked into stays, whatever room it takes."""


class Shelf:
    """A server may be far away and hold thousands of scans, so the files of its scans are few and go at the end."""

    def __init__(self, db: str, room: int = ROOM, in_use: float = IN_USE) -> None:
        self._db, self._room, self._in_use = db, room, in_use
        self._folder = tempfile.TemporaryDirectory(prefix="headwater-look-") if is_server(db) else None
        self._used: dict[Path, float] = {}
        self._lock = threading.Lock()

    def path(self, scan: int) -> Path:
        """The file of a scan, whether it is there or not; it counts as used now."""
        if self._folder is None:
            return look_path(self._db, scan)
        path = look_path(str(Path(self._folder.name) / "scan"), scan)
        with self._lock:
            self._used[path] = time.monotonic()
        return path

    def make_room(self) -> None:
        """Take away what was not used for longest, as long as there is too much."""
        with self._lock:
            oldest = sorted((used, path) for path, used in self._used.items() if path.is_file())
            size = sum(path.stat().st_size for _, path in oldest)
            for used, path in oldest:
                if size <= self._room or time.monotonic() - used < self._in_use:
                    return
                size -= path.stat().st_size
                path.unlink()
                del self._used[path]

    def close(self) -> None:
        """Take the folder away, if it is our own."""
        if self._folder is not None:
            self._folder.cleanup()
