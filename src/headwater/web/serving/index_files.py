"""Paths of scan index files: beside a SQLite store, or in a temporary folder for a PostgreSQL store."""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path

from headwater.store import is_server_url
from headwater.store.scan_index.builder import get_index_path

MAX_TOTAL_BYTES = 4 << 30
"""Total size of the index files in the temporary folder; each can be rebuilt."""

IN_USE_SECONDS = 60.0
"""Seconds for which a file that was used is kept even if the total size is exceeded."""


class IndexFiles:
    """Index files of scans. A PostgreSQL store may hold thousands of scans, so its files are limited and temporary."""

    def __init__(self, db: str, max_bytes: int = MAX_TOTAL_BYTES, in_use_seconds: float = IN_USE_SECONDS) -> None:
        self._db, self._max_bytes, self._in_use_seconds = db, max_bytes, in_use_seconds
        self._folder = tempfile.TemporaryDirectory(prefix="headwater-index-") if is_server_url(db) else None
        self._last_used: dict[Path, float] = {}
        self._lock = threading.Lock()

    def path(self, scan: int) -> Path:
        """Return the path of the index of a scan, which may not exist yet, and mark it as used."""
        if self._folder is None:
            return get_index_path(self._db, scan)
        path = get_index_path(str(Path(self._folder.name) / "scan"), scan)
        with self._lock:
            self._last_used[path] = time.monotonic()
        return path

    def evict_unused(self) -> None:
        """Delete the least recently used files until the total size is within the limit."""
        with self._lock:
            oldest = sorted((used, path) for path, used in self._last_used.items() if path.is_file())
            size = sum(path.stat().st_size for _, path in oldest)
            for used, path in oldest:
                if size <= self._max_bytes or time.monotonic() - used < self._in_use_seconds:
                    return
                size -= path.stat().st_size
                path.unlink()
                del self._last_used[path]

    def close(self) -> None:
        """Delete the temporary folder, if there is one."""
        if self._folder is not None:
            self._folder.cleanup()
