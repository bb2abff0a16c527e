"""Records that pass between a scan and its store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003  (named tuples are built from it)
from typing import TYPE_CHECKING, NamedTuple

from headwater.model import NO_COUNTS, PageFacts

if TYPE_CHECKING:
    from headwater.model import Candidate, DiscoveredUrl


class Scan(NamedTuple):
    """Run over a site, finished or not."""

    number: int
    seeds: tuple[str, ...]
    settings: Mapping[str, object]
    state: str
    started: str
    finished: str | None = None


def read_extract_setting(scan: Scan) -> tuple[str, ...]:
    """Return the values that a scan extracted, as its setting names them."""
    stored = scan.settings.get("extract")
    return tuple(map(str, stored)) if isinstance(stored, list | tuple) else ()


class VisitResult(NamedTuple):
    """Result of visiting a candidate.

    `url` is the URL that answered, if the page is listed and requested under it from now on. `leads_to` is the target
    of a redirect, `spellings` are other URLs under which known pages were linked. `links` are the numbers of the
    page's links if links are stored, `cleared_suspects` the URLs that are no longer suspect.
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
    discovered: Sequence[DiscoveredUrl] = ()
    links: Sequence[int] | None = None
    content_hash: int | None = None
    url: str = ""
    leads_to: int | None = None
    noindex: bool = False
    unchanged: bool = False
    may_be_duplicate: bool = False
    text_hash: int | None = None
    spellings: Sequence[tuple[int, str]] = ()
    cleared_suspects: Sequence[int] = ()
    sketch: bytes | None = None
    facts: PageFacts = PageFacts()


class ExternalUrl(NamedTuple):
    """URL of another site that a scan found."""

    identity: int
    url: str


class ExternalCheck(NamedTuple):
    """Result of requesting a URL of another site; `reason` says why there is no usable response."""

    identity: int
    status: int | None = None
    reason: str = ""


class KnownUrl(NamedTuple):
    """Stored URL that a crawl no longer holds in memory; `number` grows with every URL that is added."""

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


class VisitedUrl(NamedTuple):
    """URL of a page that was visited."""

    url: str


class Counts(NamedTuple):
    """Progress of a scan."""

    known: int = 0
    candidates: int = 0
    fetched: int = 0
    failed: int = 0
    deferred: int = 0
    skipped: Mapping[str, int] = NO_COUNTS
    held: int = 0


class Event(NamedTuple):
    """Something that happened during a scan, for live displays."""

    number: int
    at: str
    kind: str
    data: Mapping[str, object]


class Classification(NamedTuple):
    """Result of classifying one page; `clusters` are (name, kind, title)."""

    identity: int
    priority: float
    language: str
    skip_scrape: bool
    clusters: Sequence[tuple[str, str, str]] = ()


class ClassifierInput(NamedTuple):
    """Input of classification for one listed page; `content_inlinks` counts links from the content of other pages."""

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
    """Cluster and the number of its pages."""

    name: str
    kind: str
    title: str
    pages: int
