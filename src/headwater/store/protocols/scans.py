"""Scans of a store, from their creation to their end, and their events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from headwater.store.records import Event, Scan


class ScanStore(Protocol):
    """Stores scans and their state."""

    def create_scan(self, seeds: Sequence[str], settings: Mapping[str, object]) -> Scan:
        """Add a scan that is running."""

    def last_scan(self, *, unfinished: bool = False) -> Scan | None:
        """Return the newest scan, or the newest unfinished one."""

    def scan(self, number: int) -> Scan | None:
        """Return a scan by its number."""

    def name_scan(self, scan: int, name: str) -> None:
        """Give a scan a name."""

    def scan_by_name(self, name: str) -> Scan | None:
        """Return the newest scan with this name."""

    def previous_scan(self, scan: int) -> int | None:
        """Return the number of the newest earlier scan of the same seeds that has ended."""

    def finish_scan(self, scan: int, state: str) -> None:
        """Store the end of a scan and its final state."""

    def is_stop_requested(self, scan: int) -> bool:
        """Return True if someone asked the scan to stop."""

    def clear_stop_request(self, scan: int) -> None:
        """Remove a stop request from before the scan was started."""

    def acquire_lock(self, name: str) -> bool:
        """Lock a scan or list until this process ends; return False if another process holds the lock."""


class EventStore(Protocol):
    """Stores the events of scans, for live displays."""

    def add_event(self, scan: int, kind: str, data: Mapping[str, object]) -> None:
        """Add an event."""

    def events(self, scan: int, after: int = 0, limit: int = 1000) -> list[Event]:
        """Return the events with higher numbers than `after`."""
