"""The whole store of scans, as the composition of its roles; every method is one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from headwater.store.protocols.classification import ClassificationStore
from headwater.store.protocols.evidence import EvidenceStore
from headwater.store.protocols.external_checks import ExternalCheckStore
from headwater.store.protocols.frontier import BatchStore, FrontierStore
from headwater.store.protocols.pages import PageStore, StatisticsStore
from headwater.store.protocols.scans import EventStore, ScanStore

if TYPE_CHECKING:
    from headwater.store.dive_store import DiveStore
    from headwater.store.site_list_store import SiteListStore


class Store(
    ScanStore,
    EventStore,
    BatchStore,
    FrontierStore,
    PageStore,
    ExternalCheckStore,
    StatisticsStore,
    EvidenceStore,
    ClassificationStore,
    Protocol,
):
    """Stores scans with everything that belongs to them."""

    @property
    def path(self) -> str:
        """Path of the file; empty without one."""

    @property
    def is_shared(self) -> bool:
        """True if other processes can read the store while it is written."""

    @property
    def dives(self) -> DiveStore:
        """Dives of this store."""

    @property
    def site_lists(self) -> SiteListStore:
        """Lists of sites of this store."""

    def close(self) -> None:
        """Close the file or the connection, and release the locks."""
