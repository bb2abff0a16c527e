"""Protocol of a store: checks of URLs of other sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from headwater.store.records import ExternalCheck, ExternalUrl


class ExternalCheckStore(Protocol):
    """Stores the results of checks, which all scans share."""

    def unchecked_external_urls(self, scan: int, since: str) -> list[ExternalUrl]:
        """Return the URLs of other sites that a scan found and that were not checked since a time, by key."""

    def save_external_checks(self, scan: int, checks: Sequence[ExternalCheck]) -> None:
        """Store the results of checks in place of earlier ones."""

    def copy_external_statuses(self, scan: int) -> None:
        """Give the URLs of other sites that a scan found the status of their last check."""

    def external_checks(self, scan: int) -> Iterator[ExternalCheck]:
        """Yield the last check of each URL of another site that a scan found."""
