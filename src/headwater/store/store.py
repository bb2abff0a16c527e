"""What a store can do; a batch of pages with the URLs and links they revealed is kept whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from headwater.model import NO_COUNTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from headwater.model import Candidate, Found, Page, State


class Scan(NamedTuple):
    """One run over a site, finished or not."""

    number: int
    seeds: tuple[str, ...]
    settings: Mapping[str, object]
    state: str
    started: str
    finished: str | None = None


class Settled(NamedTuple):
    """A candidate that was visited, and what came of it."""

    candidate: Candidate
    state: State
    status: int | None = None
    reason: str = ""
    title: str = ""
    language: str = ""
    content_type: str = ""
    canonical: str = ""
    etag: str = ""
    last_modified: str = ""
    found: Sequence[Found] = ()
    edges: Sequence[tuple[int, str]] = ()


class Counts(NamedTuple):
    """How far a scan has come."""

    known: int = 0
    waiting: int = 0
    fetched: int = 0
    failed: int = 0
    deferred: int = 0
    skipped: Mapping[str, int] = NO_COUNTS


class Store(Protocol):
    """Keeps scans. Every method is one transaction."""

    def begin(self, seeds: Sequence[str], settings: Mapping[str, object]) -> Scan:
        """A new scan."""

    def last(self, *, unfinished: bool = False) -> Scan | None:
        """The newest scan, or the newest that is not finished."""

    def scan(self, number: int) -> Scan | None:
        """A scan by its number."""

    def settle(self, scan: int, batch: Sequence[Settled], found: Sequence[Found], skipped: Mapping[str, int]) -> None:
        """Keep a batch: what was visited, what was found, and how many URLs were refused for which reason."""

    def waiting(self, scan: int, limit: int, depth: int, after: int = 0) -> list[tuple[int, Candidate]]:
        """Candidates of one depth in the order they were found, with their places in that order."""

    def next_depth(self, scan: int) -> int | None:
        """The smallest depth at which anything waits."""

    def retry_deferred(self, scan: int) -> None:
        """Let what was deferred wait again."""

    def moved_seeds(self, scan: int) -> list[str]:
        """Where the seeds redirected to."""

    def unknown(self, scan: int, identities: Sequence[int]) -> set[int]:
        """Those that the store has never seen."""

    def counts(self, scan: int) -> Counts:
        """How far the scan has come."""

    def pages(self, scan: int) -> Iterator[Page]:
        """Every URL of the scan, by key."""

    def page(self, scan: int, identity: int) -> Page | None:
        """One URL of the scan."""

    def edges(self, scan: int) -> Iterator[tuple[str, str, str]]:
        """Every link that was kept: from, to, element."""

    def end(self, scan: int, state: str) -> None:
        """Note how the scan ended."""

    def close(self) -> None:
        """Let go of the file."""
