"""Where scans are kept: one protocol, several materials."""

from headwater.store.dive_rows import (
    ChunkRow,
    Dive,
    DivePage,
    Document,
    Listed,
    Message,
    PageContent,
    Passage,
    WaitingPage,
)
from headwater.store.dives import Dives
from headwater.store.opening import is_server, open_store
from headwater.store.page_lists import is_wanted
from headwater.store.sqlite.memory import MemoryStore
from headwater.store.sqlite.store import SqliteStore
from headwater.store.store import Classified, ClusterCount, Counts, Event, KnownUrl, Scan, Settled, Store, Told, Visited

__all__ = [
    "ChunkRow",
    "Classified",
    "ClusterCount",
    "Counts",
    "Dive",
    "DivePage",
    "Dives",
    "Document",
    "Event",
    "KnownUrl",
    "Listed",
    "MemoryStore",
    "Message",
    "PageContent",
    "Passage",
    "Scan",
    "Settled",
    "SqliteStore",
    "Store",
    "Told",
    "Visited",
    "WaitingPage",
    "is_server",
    "is_wanted",
    "open_store",
]
