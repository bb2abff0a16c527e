"""The store of dives, as the composition of its roles; every method is one transaction."""

from __future__ import annotations

from typing import Protocol

from headwater.store.protocols.dives import DiveCatalog, DiveDocuments, DiveMessages, DivePassages, DiveReading


class DiveStore(DiveCatalog, DiveReading, DiveDocuments, DivePassages, DiveMessages, Protocol):
    """Stores dives with their pages, passages and conversations."""
