"""Where the files lie that scans are looked at through: beside a store in one file, else in a folder of our own."""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path

from headwater.store import is_server_url
from headwater.store.scan_index.builder import get_index_path

MAX_TOTAL_BYTES = 4 << 30
"""Bytes that the files of a server's scans may take; each can be made again."""

IN_USE_SECONDS = 60.0
"""Seconds for which a file that was looked into stays, whatever room it takes."""


class IndexFiles:
    """A server may be far away and hold thousands of scans, so the files of its scans are few and go at the end."""

    def __init__(self, db: str, room: int = MAX_TOTAL_BYTES, in_use: float = IN_USE_SECONDS) -> None:
        self._db, self._room, self._in_use_seconds = db, room, in_use
        self._folder = tempfile.TemporaryDirectory(prefix="headwater-look-") if is_server_url(db) else None
        self._last_used: dict[Path, float] = {}
        self._lock = threading.Lock()

    def path(self, scan: int) -> Path:
        """The file of a scan, whether it is there or not; it counts as used now."""
        if self._folder is None:
            return get_index_path(self._db, scan)
        path = get_index_path(str(Path(self._folder.name) / "scan"), scan)
        with self._lock:
            self._last_used[path] = time.monotonic()
        return path

    def make_room(self) -> None:
        """Take away what was not used for longest, as long as there is too much."""
        with self._lock:
            oldest = sorted((used, path) for path, used in self._last_used.items() if path.is_file())
            size = sum(path.stat().st_size for _, path in oldest)
            for used, path in oldest:
                if size <= self._room or time.monotonic() - used < self._in_use_seconds:
                    return
                size -= path.stat().st_size
                path.unlink()
                del self._last_used[path]

    def close(self) -> None:
        """Take the folder away, if it is our own."""
        if self._folder is not None:
            self._folder.cleanup()
