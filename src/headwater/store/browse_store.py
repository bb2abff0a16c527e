"""The store as screens use it: a store of scans that can also be browsed."""

from __future__ import annotations

from typing import Protocol

from headwater.store.protocols.browse import BrowseLinks, BrowsePages, BrowseScans, ScanRemoval
from headwater.store.store import Store


class BrowseStore(Store, BrowseScans, ScanRemoval, BrowsePages, BrowseLinks, Protocol):
    """A store whose scans can be browsed."""
