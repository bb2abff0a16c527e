"""Stores of scans: protocols by role, and their implementations in SQLite and PostgreSQL."""

from headwater.store.dive_store import DiveStore
from headwater.store.factory import is_server_url, open_store
from headwater.store.page_lists import is_selected
from headwater.store.page_selection import select_pages
from headwater.store.records import (
    Classification,
    ClassifierInput,
    ClusterCount,
    Counts,
    Event,
    KnownUrl,
    Scan,
    VisitResult,
)
from headwater.store.records.dive_records import (
    ChunkRow,
    Dive,
    DivePage,
    Document,
    Message,
    PageContent,
    Passage,
    PendingPage,
    ScanPage,
)
from headwater.store.sqlite.memory_store import MemoryStore
from headwater.store.sqlite.store import SqliteStore
from headwater.store.store import Store

__all__ = [
    "ChunkRow",
    "Classification",
    "ClassifierInput",
    "ClusterCount",
    "Counts",
    "Dive",
    "DivePage",
    "DiveStore",
    "Document",
    "Event",
    "KnownUrl",
    "MemoryStore",
    "Message",
    "PageContent",
    "Passage",
    "PendingPage",
    "Scan",
    "ScanPage",
    "SqliteStore",
    "Store",
    "VisitResult",
    "is_selected",
    "is_server_url",
    "open_store",
    "select_pages",
]
