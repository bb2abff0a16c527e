"""The frontier of a scan: URLs that wait for a visit, and batches of visits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from headwater.model import Candidate, DiscoveredUrl, LinkBlock
    from headwater.store.records import KnownUrl, VisitResult


class BatchStore(Protocol):
    """Stores batches of visits."""

    def save_batch(
        self,
        scan: int,
        batch: Sequence[VisitResult],
        found: Sequence[DiscoveredUrl],
        skipped: Mapping[str, int],
        *,
        links: LinkBlock | None = None,
        first_list: int = 0,
    ) -> None:
        """Store visits, discovered URLs and the number of skipped URLs by reason, all in one transaction.

        `links` are the links that were numbered since the last batch; lists of links are numbered from `first_list` on.
        """

    def record_crash(self, scan: int, identity: int, limit: int) -> None:
        """Count a crash of the process that visited this page; at the limit the page fails as quarantined."""

    def filter_unknown(self, scan: int, identities: Sequence[int]) -> set[int]:
        """Return the identities that are unknown to the scan."""

    def visited_urls(self, scan: int) -> Iterator[str]:
        """Yield the URLs of the pages that were visited, in no particular order."""

    def known_urls(self, scan: int, identities: Sequence[int]) -> list[KnownUrl]:
        """Return the URLs with these identities that the scan has."""

    def last_url_number(self) -> int:
        """Return the number of the URL that was added last; 0 if there is none."""


class FrontierStore(Protocol):
    """Selects candidates, and puts URLs back into the frontier."""

    def next_candidates(self, scan: int, limit: int, depth: int, after: int = 0) -> list[tuple[int, Candidate]]:
        """Return the non-suspect candidates of one depth with their positions, in the order they were found."""

    def suspects(self, scan: int, depth: int) -> list[int]:
        """Return the identities of the suspect candidates of one depth, by key."""

    def candidates(self, scan: int, identities: Sequence[int]) -> list[Candidate]:
        """Return the candidates with these identities, in this order."""

    def candidates_by_key(self, scan: int, depth: int) -> Iterator[Candidate]:
        """Yield all candidates of one depth, suspects included, by key."""

    def visited_keys(self, scan: int) -> list[str]:
        """Return the keys of all pages that were visited."""

    def leave_unvisited(self, scan: int, identities: Sequence[int]) -> None:
        """List candidates without a visit, because of --per-shape."""

    def next_depth(self, scan: int, start: int = 0) -> int | None:
        """Return the smallest depth, from `start` on, that has candidates."""

    def redirected_seeds(self, scan: int) -> list[str]:
        """Return the URLs that the seeds redirected to."""

    def source_usage(self, scan: int) -> Mapping[str, int]:
        """Return the number of pages of each source that count towards `max_urls_per_source`."""

    def release_held(self, scan: int, limit: int | None) -> None:
        """Turn pages that an earlier `max_urls_per_source` held back into candidates, up to this limit."""

    def retry_deferred(self, scan: int) -> None:
        """Turn deferred URLs, and pages that --per-shape left unvisited, into candidates."""

    def enqueue_listed(self, scan: int, depth: int | None = None) -> None:
        """Turn pages that are only listed into candidates; with `depth`, only those from sitemaps, at that depth."""

    def retry_other_spellings(self, scan: int) -> int:
        """Turn failed pages that have another spelling into candidates again; return how many."""
