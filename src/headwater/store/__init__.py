"""Where scans are kept: one protocol, several materials."""

from headwater.store.memory import MemoryStore
from headwater.store.sqlite import SqliteStore
from headwater.store.store import Counts, Scan, Settled, Store

__all__ = ["Counts", "MemoryStore", "Scan", "Settled", "SqliteStore", "Store"]
