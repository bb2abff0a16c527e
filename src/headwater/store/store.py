"""What a store can do; a batch of pages with the URLs and links they revealed is kept whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from headwater.model import NO_COUNTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from headwater.classify import LinkSummary
    from headwater.model import Candidate, DiscoveredUrl, Evidence, LinkBlock, Page
    from headwater.store.dive_store import DiveStore
    from headwater.store.links.packed_links import PackedLinks
    from headwater.store.site_list_store import SiteListStore


class Scan(NamedTuple):
    """One run over a site, finished or not."""

    number: int
    seeds: tuple[str, ...]
    settings: Mapping[str, object]
    state: str
    started: str
    finished: str | None = None


class VisitResult(NamedTuple):
    """A candidate that was visited, and what came of it.

    `url` is the URL that answered, if the page is listed and requested by it from now on. `leads_to` is the page that
    a redirect leads to, `spellings` the other ways in which pages were linked to. `links` are the numbers
    of its links, if links are kept, `cleared` the URLs that are suspect no longer.
    """

    candidate: Candidate
    state: str
    status: int | None = None
    reason: str = ""
    title: str = ""
    language: str = ""
    content_type: str = ""
    canonical: str = ""
    etag: str = ""
    last_modified: str = ""
    found: Sequence[DiscoveredUrl] = ()
    links: Sequence[int] | None = None
    content_hash: int | None = None
    url: str = ""
    leads_to: int | None = None
    noindex: bool = False
    unchanged: bool = False
    may_be_duplicate: bool = False
    text_hash: int | None = None
    spellings: Sequence[tuple[int, str]] = ()
    cleared: Sequence[int] = ()


class PreviousVisit(NamedTuple):
    """What an earlier scan knows of a page it visited: enough to ask whether it changed, and to do without it."""

    etag: str = ""
    last_modified: str = ""
    title: str = ""
    language: str = ""
    content_type: str = ""
    canonical: str = ""
    content_hash: int | None = None
    status: int | None = None
    noindex: bool = False
    may_be_duplicate: bool = False
    text_hash: int | None = None
    url: str = ""
    has_links: bool = False


class KnownUrl(NamedTuple):
    """A URL of a scan as far as a crawl that has forgotten it needs it; `number` grows with every URL that is added."""

    identity: int
    number: int
    kind: str
    depth: int
    reason: str
    is_suspect: bool
    state: str
    fetch_url: str
    url: str
    is_visited: bool


class Counts(NamedTuple):
    """How far a scan has come."""

    known: int = 0
    waiting: int = 0
    fetched: int = 0
    failed: int = 0
    deferred: int = 0
    skipped: Mapping[str, int] = NO_COUNTS
    held: int = 0


class Event(NamedTuple):
    """Something that happened during a scan, for those who watch it."""

    number: int
    at: str
    kind: str
    data: Mapping[str, object]


class Classification(NamedTuple):
    """What classification says of one page."""

    identity: int
    priority: float
    language: str
    skip_scrape: bool
    clusters: Sequence[tuple[str, str, str]] = ()


class ClassifierInput(NamedTuple):
    """What all sources together tell of a page, as far as classification asks."""

    identity: int
    url: str
    title: str
    language: str
    hreflang: str
    sources: tuple[str, ...]
    importance: float | None
    depth: int | None
    inlinks: int
    sitemap_priority: float | None
    lastmod: str | None
    content_inlinks: int = 0


class ClusterCount(NamedTuple):
    """A cluster and how many pages are in it."""

    name: str
    kind: str
    title: str
    pages: int


class Store(Protocol):
    """Keeps scans. Every method is one transaction."""

    def begin(self, seeds: Sequence[str], settings: Mapping[str, object]) -> Scan:
        """A new scan."""

    def last(self, *, unfinished: bool = False) -> Scan | None:
        """The newest scan, or the newest that is not finished."""

    def scan(self, number: int) -> Scan | None:
        """A scan by its number."""

    def name_scan(self, scan: int, name: str) -> None:
        """Give a scan a name of the caller's own."""

    def scan_by_name(self, name: str) -> Scan | None:
        """The newest scan of this name."""

    def settle(
        self,
        scan: int,
        batch: Sequence[VisitResult],
        found: Sequence[DiscoveredUrl],
        skipped: Mapping[str, int],
        *,
        links: LinkBlock | None = None,
        first_list: int = 0,
    ) -> None:
        """Keep a batch: what was visited, what was found, and how many URLs were skipped for which reason.

        `links` are links that got a number since the last batch; lists of links are numbered from `first_list` on.
        """

    def waiting(self, scan: int, limit: int, depth: int, after: int = 0) -> list[tuple[int, Candidate]]:
        """Candidates of one depth that are not suspect, in the order they were found, with their places in it."""

    def suspects(self, scan: int, depth: int) -> list[int]:
        """Identities of the suspect candidates of one depth, in the order of their keys."""

    def candidates(self, scan: int, identities: Sequence[int]) -> list[Candidate]:
        """The candidates with these identities, in this order."""

    def next_depth(self, scan: int, start: int = 0) -> int | None:
        """The smallest depth, from `start_scan` on, at which anything waits."""

    def retry_deferred(self, scan: int) -> None:
        """Let what was deferred wait again."""

    def release_held(self, scan: int, limit: int | None) -> None:
        """Let pages beyond an earlier `max_urls_per_source` wait, as far as each source has room under this limit."""

    def source_usage(self, scan: int) -> Mapping[str, int]:
        """How many pages of each source count towards `max_urls_per_source`."""

    def redirected_seeds(self, scan: int) -> list[str]:
        """Where the seeds redirected to."""

    def filter_unknown(self, scan: int, identities: Sequence[int]) -> set[int]:
        """Those that the store has never seen."""

    def known_urls(self, scan: int, identities: Sequence[int]) -> list[KnownUrl]:
        """Return those of these URLs that the store has."""

    def last_url_number(self) -> int:
        """Return the number of the URL that was added last; 0 if there is none."""

    def counts(self, scan: int) -> Counts:
        """How far the scan has come."""

    def pages(self, scan: int, limit: int | None = None) -> Iterator[Page]:
        """Every URL of the scan by key, or the pages that matter most, at most this many."""

    def page(self, scan: int, identity: int) -> Page | None:
        """One URL of the scan."""

    @property
    def links(self) -> PackedLinks:
        """The links that its scans have kept."""

    def set_ways(self, scan: int, ways: Sequence[LinkSummary]) -> None:
        """Keep what the links say of some pages."""

    def previous(self, scan: int) -> int | None:
        """The newest scan of the same seeds before this one that came to its end."""

    def visited(self, scan: int, identity: int) -> PreviousVisit | None:
        """What a scan knows of a page it visited."""

    def unreached_pages(self, scan: int, previous: int) -> Iterator[Page]:
        """Pages that the earlier scan visited and this one has not heard of."""

    def flag_unreliable_sitemaps(self, scan: int, previous: int) -> None:
        """Mark sitemaps whose `lastmod` says changed where most pages are as they were."""

    def changes(self, old: int, new: int) -> Iterator[Page]:
        """What differs between two scans, by key: each page with its `change`, new, changed or gone."""

    @property
    def path(self) -> str:
        """The file it is kept in; empty if it is kept in none."""

    @property
    def dives(self) -> DiveStore:
        """The dives of this store."""

    @property
    def lists(self) -> SiteListStore:
        """The lists of sites of this store."""

    @property
    def is_shared(self) -> bool:
        """Whether others can look at it while it is written to."""

    def is_stop_requested(self, scan: int) -> bool:
        """Whether somebody wants the scan to stop."""

    def clear_stop_request(self, scan: int) -> None:
        """What was wished before it ran does not count."""

    def record_crash(self, scan: int, identity: int, limit: int) -> None:
        """A process died over this page; at the limit it is no longer visited."""

    def add_evidence(self, scan: int, evidence: Evidence) -> int:
        """Keep a piece of evidence; gives its number."""

    def update_evidence(self, number: int, content: Mapping[str, object]) -> None:
        """Replace the content of a piece of evidence, and note the time as its end."""

    def evidence(self, scan: int, kind: str = "") -> list[Evidence]:
        """The evidence of a scan in order, all of it or of one kind."""

    def add_event(self, scan: int, kind: str, data: Mapping[str, object]) -> None:
        """Note something that those who watch want to hear of."""

    def events(self, scan: int, after: int = 0, limit: int = 1000) -> list[Event]:
        """What was noted behind a number."""

    def told(self, scan: int) -> Iterator[ClassifierInput]:
        """Every listed page as classification sees it, in no order."""

    def add_inlinks(self, scan: int, counts: Mapping[int, int]) -> None:
        """So many more visited pages link to these."""

    def clear_clusters(self, scan: int) -> None:
        """Let no page be in a cluster, before they are classified anew."""

    def classify(self, scan: int, rows: Sequence[Classification]) -> None:
        """Keep what classification made of some pages."""

    def clusters(self, scan: int) -> list[ClusterCount]:
        """Return all clusters of a scan, those that say most about the site first."""

    def enqueue_listed(self, scan: int, depth: int | None = None) -> None:
        """Let every page that was only listed wait for a visit; with `depth` those of sitemaps only, at that depth."""

    def retry_other_spellings(self, scan: int) -> int:
        """Let pages that failed under one spelling wait for a visit under the next; return how many do."""

    def mark_duplicates(self, scan: int) -> None:
        """Find the pages that are the same as another, and keep one of each group in the list."""

    def list_counts(self, scan: int) -> Mapping[str, int]:
        """How many URLs of kind `page` stand in each list."""

    def status_counts(self, scan: int) -> Mapping[str, int]:
        """How many pages answered what: a status, a reason, or that they were not visited."""

    def orphans_and_gaps(self, scan: int) -> tuple[int, int]:
        """How many pages only sitemaps name, and how many links name but no sitemap."""

    def listed(self, scan: int) -> int:
        """How many pages are listed: all that no rule refused."""

    def sources(self, scan: int) -> Mapping[str, int]:
        """How many pages each source names."""

    def end(self, scan: int, state: str) -> None:
        """Note how the scan ended."""

    def acquire_lock(self, name: str) -> bool:
        """Keep other processes from working on a scan or list until this one ends; false if one of them does."""

    def close(self) -> None:
        """Let go of the file."""
