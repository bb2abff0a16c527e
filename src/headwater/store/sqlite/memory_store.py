"""A store that lasts as long as the process: SQLite without a file, so that it behaves like a store in a file."""

from __future__ import annotations

from headwater.store.sqlite.store import SqliteStore


class MemoryStore(SqliteStore):
    """Stores scans in memory."""

    def __init__(self) -> None:
        super().__init__(":memory:")
