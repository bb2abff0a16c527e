"""Where scans are kept: one protocol, several materials."""

from headwater.store.memory import MemoryStore
from headwater.store.opening import is_server, open_store
from headwater.store.sqlite import SqliteStore
from headwater.store.store import Classified, ClusterCount, Counts, Event, Scan, Settled, Store, Told, Visited

__all__ = [
    "Classified",
    "ClusterCount",
    "Counts",
    "Event",
    "MemoryStore",
    "Scan",
    "Settled",
    "SqliteStore",
    "Store",
    "Told",
    "Visited",
    "is_server",
    "open_store",
]
