"""The values that pass between the parts; they hold data and decide nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003  (named tuples are built from it)
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

UrlKind = Literal["page", "external", "resource", "endpoint"]
"""What a URL is: a page to visit, on another site and not visited, an asset, or something only a program calls."""

RequestPurpose = Literal["page", "robots", "sitemap", "feed", "script", "any", "probe"]
"""What a request is for; it decides which types of content are read, and how many redirects are followed."""

NO_HEADERS: Mapping[str, str] = MappingProxyType({})
NO_COUNTS: Mapping[str, int] = MappingProxyType({})
NO_CONTENT: Mapping[str, object] = MappingProxyType({})

DETECTED_SUFFIX = "-x-detected"
"""Ending of a language tag (BCP 47, private use) that was detected in the text and not declared by the page."""


class Spelling(NamedTuple):
    """One page, three spellings: what is requested, what is listed, what is compared."""

    fetch_url: str
    url: str
    key: str


class Verdict(NamedTuple):
    """Whether a URL is visited; if not, the name of the rule that decided. `hops` counts steps off the site."""

    allowed: bool
    reason: str = ""
    kind: UrlKind | None = "page"
    hops: int = 0


class Request(NamedTuple):
    """One URL to fetch. `etag` and `last_modified` make it conditional; `timeout` replaces the setting."""

    url: str
    purpose: RequestPurpose = "page"
    etag: str = ""
    last_modified: str = ""
    timeout: float | None = None


class Redirect(NamedTuple):
    """One redirect that was followed."""

    url: str
    status: int


class Timings(NamedTuple):
    """Seconds from the start of the request: connected, first byte, done."""

    connected: float = 0.0
    first_byte: float = 0.0
    total: float = 0.0


REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
"""Answers that lead elsewhere; 304 is none, but the page as it was."""


class Response(NamedTuple):
    """What a server answered: a 2xx, a 304, or a redirect that nobody has followed yet. Header names are lower case."""

    url: str
    status: int
    headers: Mapping[str, str] = NO_HEADERS
    body: bytes = b""
    content_type: str = ""
    charset: str = ""
    hops: tuple[Redirect, ...] = ()
    timings: Timings = Timings()
    address: str = ""
    http_version: str = ""
    is_complete: bool = True
    insecure: bool = False


class FetchFailure(NamedTuple):
    """Why there is no response: `reason` is for programs, `detail` for people. `parse_retry_after` is the server's wish."""

    url: str
    reason: str
    detail: str = ""
    status: int | None = None
    headers: Mapping[str, str] = NO_HEADERS
    content_type: str = ""
    hops: tuple[Redirect, ...] = ()
    timings: Timings = Timings()
    address: str = ""
    retry_after: float | None = None
    attempts: int = 1


Region = Literal["header", "nav", "aside", "main", "footer", "content"]
"""Where on a page a link stands."""

REGIONS: tuple[Region, ...] = get_args(Region)

LINK_KINDS: tuple[str, ...] = (
    "a", "area", "data", "onclick", "button", "router", "json-ld", "loc", "template", "script", "form", "frame", "cite",
    "link", "meta", "header",
)  # fmt: skip
"""The kinds of links that lead to pages: an element, a family of attributes, or another place that names a URL."""

NOT_FOLLOWED = "link-not-followed"
"""The reason of a page that only links of kinds or regions that are not followed lead to."""

OVER_SOURCE_LIMIT = "max-urls-per-source"
"""The reason of a page that is held back because its source has named as many pages as it may."""

UrlState = Literal["discovered", "fetched", "failed", "deferred", "skipped"]
"""What has become of a URL."""

SOURCES: tuple[str, ...] = (
    "seed", "navigation", "sitemap", "sitemap-index", "footer", "content-link", "header", "redirect", "feed", "render",
    "previous",
)  # fmt: skip
"""Where a URL was found, in the order of their bits in a store; new ones join at the end."""

LIST_NAMES: tuple[str, ...] = ("pages", "redirects", "duplicates", "broken", "files", "skipped")
"""The lists of a scan; every URL of kind `page` stands in one of them."""

NO_DEPTH = 1 << 20
"""The depth of what no click led to, such as a page that only a sitemap names."""


class Link(NamedTuple):
    """One link of a page: where it leads, and everything the page says about it."""

    url: str
    text: str = ""
    region: Region = "content"
    kind: UrlKind = "page"
    element: str = "a"
    attribute: str = "href"
    rel: str = ""
    method: str = "GET"
    depth: int = 0


class LinkPlacement(NamedTuple):
    """Where a link stands: the source it counts as, the region of the page, the element and its attribute.

    `is_next` marks links with `rel=next`, which lead to the next part of the same list.
    """

    source: str
    region: Region = "content"
    element: str = "a"
    attribute: str = "href"
    is_next: bool = False


class LinkBlock(NamedTuple):
    """Different links of a scan, numbered from `first` on: target, place and text of each."""

    first: int
    targets: Sequence[int]
    places: Sequence[LinkPlacement]
    texts: Sequence[str]


class PageLinks(NamedTuple):
    """The links of one page: its number among the lists, the page, the numbers of its links in document order."""

    number: int
    page: int
    links: Sequence[int]


class StoredLink(NamedTuple):
    """A link between two pages, as it was kept."""

    source: str
    target: str
    element: str
    text: str = ""
    region: str = "content"


class Candidate(NamedTuple):
    """A URL that waits to be visited; `is_suspect` marks what a trap could have made, `redirects` counts hops to it."""

    identity: int
    key: str
    url: str
    fetch_url: str
    depth: int = 0
    hops: int = 0
    is_suspect: bool = False
    redirects: int = 0


class DiscoveredUrl(NamedTuple):
    """A URL that a page revealed, with the page that did; `reason` says why it is not visited."""

    identity: int
    key: str
    url: str
    fetch_url: str
    kind: UrlKind
    depth: int
    parent: int
    parent_url: str
    source: str
    region: Region = "content"
    element: str = "a"
    attribute: str = "href"
    text: str = ""
    hops: int = 0
    reason: str = ""
    is_suspect: bool = False
    redirects: int = 0
    is_new: bool = True
    is_visited: bool = True
    metadata: SourceMetadata | None = None


class SourceMetadata(NamedTuple):
    """What a sitemap, a feed or the navigation says about a page; `evidence` is the number of the file's evidence."""

    evidence: int | None = None
    importance: float | None = None
    lastmod: str = ""
    changefreq: str = ""
    priority: float | None = None
    hreflang: str = ""


class Evidence(NamedTuple):
    """One thing that was done and what came of it: `content` holds what its kind has to say, as JSON can."""

    kind: str
    url: str = ""
    success: bool = True
    status: int | None = None
    error: str = ""
    content: Mapping[str, object] = NO_CONTENT
    started: str = ""
    finished: str = ""
    parent: int | None = None
    number: int = 0


class PreviousLink(NamedTuple):
    """A URL that a page of an earlier scan linked to, with what is known of the link."""

    fetch_url: str
    kind: UrlKind
    place: LinkPlacement
    text: str = ""
    reason: str = ""


class ScriptRoute(NamedTuple):
    """Where a page's scripts lead, and by which means: a call such as `pushState`, a click, a router's table.

    An endpoint has its method there. `keeps_fragment` marks a hash route, a page that its fragment tells apart.
    `region` is where the link stood, if it was on an element that the page showed for a moment.
    """

    url: str
    how: str
    text: str = ""
    kind: UrlKind = "page"
    keeps_fragment: bool = False
    region: Region | None = None


class Findings(NamedTuple):
    """What one response says, as far as it is new; `links` are the numbers of all its links, if links are kept.

    `new_links` are, for a suspect page, the identities and shapes of links that no page of an earlier round had;
    `new_pages`, for a page that may be opened in a browser, the identities of pages that it links to and none of an
    earlier round did; `cleared` the identities of URLs that were suspect, and that this page could not have made.
    """

    found: list[DiscoveredUrl]
    links: Sequence[int] = ()
    skipped: Mapping[str, int] = NO_COUNTS
    title: str = ""
    language: str = ""
    canonical: str = ""
    fingerprint: int = 0
    is_soft_404: bool = False
    script_reason: str = ""
    may_gain_links: bool = False
    content_hash: int | None = None
    text_hash: int | None = None
    noindex: bool = False
    redirect_to: str = ""
    spellings: Sequence[tuple[int, str]] = ()
    new_links: Sequence[tuple[int, str]] = ()
    cleared: Sequence[int] = ()
    new_pages: frozenset[int] = frozenset()


class Page(NamedTuple):
    """One row of the result."""

    url: str
    kind: UrlKind = "page"
    key: str = ""
    fetch_url: str = ""
    sources: tuple[str, ...] = ()
    found_on: str | None = None
    region: str | None = None
    title: str | None = None
    depth: int | None = None
    hops: int = 0
    state: UrlState = "discovered"
    status: int | None = None
    content_type: str | None = None
    lastmod: str | None = None
    language: str | None = None
    clusters: tuple[str, ...] | None = None
    priority: float | None = None
    importance: float | None = None
    verified: bool = False
    first_seen: str | None = None
    last_seen: str | None = None
    reason: str | None = None
    text: str | None = None
    changefreq: str | None = None
    skip_scrape: bool = False
    element: str | None = None
    attribute: str | None = None
    change: str | None = None
    inlinks: int = 0
    sitemap_priority: float | None = None
    hreflang: str | None = None
    canonical: str | None = None
    list_name: str = "pages"
    leads_to: str | None = None
    noindex: bool = False
    unchanged: bool = False
    content_inlinks: int = 0

    @property
    def redirect_to(self) -> str | None:
        """Where a redirect leads."""
        return self.leads_to if self.list_name == "redirects" else None

    @property
    def duplicate_of(self) -> str | None:
        """The page that is listed instead of a duplicate."""
        return self.leads_to if self.list_name == "duplicates" else None
