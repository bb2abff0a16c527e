"""Records that are passed between packages; they hold data and no logic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003  (NamedTuple needs them at run time)
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

UrlKind = Literal["page", "external", "resource", "endpoint"]
"""The kind of a URL: a page to visit, a page on another site, an asset, or an endpoint that only programs call."""

RequestPurpose = Literal["page", "robots", "sitemap", "feed", "script", "any", "probe", "check"]
"""The purpose of a request, which decides what content types are read and how many redirects are followed."""

NO_HEADERS: Mapping[str, str] = MappingProxyType({})
NO_COUNTS: Mapping[str, int] = MappingProxyType({})
NO_CONTENT: Mapping[str, object] = MappingProxyType({})

DETECTED_SUFFIX = "-x-detected"
"""Suffix of a language tag (BCP 47, private use) that was detected in the text, not declared by the page."""


class Spelling(NamedTuple):
    """The three spellings of a page: the one to request, the one to list, and the key to compare."""

    fetch_url: str
    url: str
    key: str


class Verdict(NamedTuple):
    """The decision to visit a URL or not; `reason` is the rule that decided, `hops` counts steps off the site."""

    allowed: bool
    reason: str = ""
    kind: UrlKind | None = "page"
    hops: int = 0


class Request(NamedTuple):
    """A URL to fetch. `etag` and `last_modified` make the request conditional; `timeout` overrides the setting.

    `is_head` asks for the headers only.
    """

    url: str
    purpose: RequestPurpose = "page"
    etag: str = ""
    last_modified: str = ""
    timeout: float | None = None
    is_head: bool = False


class Redirect(NamedTuple):
    """A redirect that was followed."""

    url: str
    status: int


class Timings(NamedTuple):
    """Seconds from the start of a request to the connection, the first byte and the end."""

    connected: float = 0.0
    first_byte: float = 0.0
    total: float = 0.0


REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
"""Statuses that lead to another URL; 304 is not one, it means that the page is unchanged."""


class Response(NamedTuple):
    """A response: a 2xx, a 304, or a redirect that has not been followed. Header names are lower case."""

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
    """A request without a usable response: `reason` is for programs, `detail` for users.

    `retry_after` is the number of seconds that the server asks to wait.
    """

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
"""The part of a page that a link is in."""

REGIONS: tuple[Region, ...] = get_args(Region)

LINK_KINDS: tuple[str, ...] = (
    "a", "area", "data", "onclick", "button", "router", "json-ld", "loc", "template", "script", "form", "frame", "cite",
    "link", "meta", "header",
)  # fmt: skip
"""The kinds of links that lead to pages: by element, by attribute, or by another part of a page that names URLs."""

NOT_FOLLOWED = "link-not-followed"
"""The reason of a page to which all links are of a kind or region that is not followed."""

OVER_SOURCE_LIMIT = "max-urls-per-source"
"""The reason of a page that is held back because its source has reached its limit of pages."""

UrlState = Literal["discovered", "fetched", "failed", "deferred", "skipped"]
"""The state of a URL in a scan."""

SOURCES: tuple[str, ...] = (
    "seed", "navigation", "sitemap", "sitemap-index", "footer", "content-link", "header", "redirect", "feed", "render",
    "previous", "index", "parent", "script", "form", "robots", "wayback", "commoncrawl",
)  # fmt: skip
"""The sources of URLs, in the order of their bits in a store; new ones are added at the end."""

LIST_NAMES: tuple[str, ...] = ("pages", "redirects", "duplicates", "broken", "files", "skipped")
"""The lists of a scan; every URL of kind `page` is in one of them."""

NO_DEPTH = 1 << 20
"""The depth of a page that no click leads to, such as a page that is only in a sitemap."""


class Link(NamedTuple):
    """A link of a page: its URL, and what the page says about it."""

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
    """The placement of a link: the source it counts as, the region of the page, the element and its attribute.

    `is_next` marks links with `rel=next`.
    """

    source: str
    region: Region = "content"
    element: str = "a"
    attribute: str = "href"
    is_next: bool = False


class LinkBlock(NamedTuple):
    """Distinct links of a scan, numbered from `first` on: target, placement and text of each."""

    first: int
    targets: Sequence[int]
    places: Sequence[LinkPlacement]
    texts: Sequence[str]


class PageLinks(NamedTuple):
    """The links of one page: the number of the list, the identity of the page, the numbers of its links in order."""

    number: int
    page: int
    links: Sequence[int]


class StoredLink(NamedTuple):
    """A link between two pages, as stored."""

    source: str
    target: str
    element: str
    text: str = ""
    region: str = "content"


class Candidate(NamedTuple):
    """A URL that waits to be visited; `is_suspect` marks URLs that a crawler trap could have generated.

    `redirects` counts the redirects that led to it.
    """

    identity: int
    key: str
    url: str
    fetch_url: str
    depth: int = 0
    hops: int = 0
    is_suspect: bool = False
    redirects: int = 0


class DiscoveredUrl(NamedTuple):
    """A URL with the page that it was found on; `reason` says why it is not visited."""

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
    """Facts about a page from a sitemap, a feed or the navigation; `evidence` is the number of the evidence record."""

    evidence: int | None = None
    importance: float | None = None
    lastmod: str = ""
    changefreq: str = ""
    priority: float | None = None
    hreflang: str = ""


class Evidence(NamedTuple):
    """A step of a scan and its outcome; `content` holds facts that depend on the kind, in types that JSON has."""

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
    """A link that an earlier scan found on a page."""

    fetch_url: str
    kind: UrlKind
    place: LinkPlacement
    text: str = ""
    reason: str = ""


class ScriptRoute(NamedTuple):
    """A URL that the scripts of a page lead to; `how` is the means: a call such as `pushState`, a click, a route table.

    For an endpoint `how` is its method. `keeps_fragment` marks a hash route, a page that is identified by its fragment.
    `region` is the region of the link, if it was on an element that the page showed only for a moment.
    """

    url: str
    how: str
    text: str = ""
    kind: UrlKind = "page"
    keeps_fragment: bool = False
    region: Region | None = None


class IndexFile(NamedTuple):
    """An index file to request, and the kind of index that its content is parsed as."""

    kind: str
    url: str


class PageFacts(NamedTuple):
    """Facts from the head, the first heading and the response headers of a page; empty if the page does not say.

    `alternates`, `headers` and `extracted` are JSON objects, as stored. `robots` are the directives that apply to us,
    `size` the bytes of the decoded body. `word_count`, `text_language`, `simhash` and `minhash` are from the main text,
    if pages are analyzed.
    """

    description: str = ""
    heading: str = ""
    og_title: str = ""
    og_image: str = ""
    published: str = ""
    modified: str = ""
    robots: str = ""
    alternates: str = ""
    headers: str = ""
    insecure_resources: int = 0
    size: int | None = None
    response_ms: int | None = None
    word_count: int | None = None
    text_language: str = ""
    simhash: int | None = None
    minhash: bytes | None = None
    extracted: str = ""


class Hint(NamedTuple):
    """A URL that a source suggests; it is requested within a budget, and listed only if it proves to be a page.

    `source` is a name in the setting `sources`. Hints of a lower `rank` are requested first. A script file is no page,
    but it is requested for the strings in it.
    """

    source: str
    url: str
    rank: int = 0
    is_script: bool = False


class ContentSketch(NamedTuple):
    """The content of a page as sets of small hashes, to compare it with other pages.

    `heading` is the title with the first heading, `texts` are sentences, `labels` shorter texts, and `masked_labels`
    the labels without their digits. `template` is a hash of all that does not state the date, if the URL has one.
    `plain_texts` are the sentences without a value of the query; they are not stored.
    """

    heading: int = 0
    links: frozenset[int] = frozenset()
    texts: frozenset[int] = frozenset()
    labels: frozenset[int] = frozenset()
    masked_labels: frozenset[int] = frozenset()
    template: int = 0
    plain_texts: frozenset[int] = frozenset()


class Findings(NamedTuple):
    """The result of examining one response; `found` are URLs that are new, or reached in fewer clicks than before.

    `links` are the numbers of all links of the page, if links are kept. `cleared` are the identities of URLs that are
    no longer suspect, because a trap could not have generated them on this page. `new_links` are, for a suspect page,
    the identities and shapes of links that no page of an earlier round had; `new_pages` are, for a page that may be
    opened in a browser, the identities of pages that it links to and no page of an earlier round did. `wall` is the
    reason why the response is not the page that was asked for, such as `login-required`. `is_shell` means that only a
    browser can show the page; `max_probes` and `template` are from `ScriptInspection`.
    """

    found: list[DiscoveredUrl]
    links: Sequence[int] = ()
    skipped: Mapping[str, int] = NO_COUNTS
    title: str = ""
    language: str = ""
    canonical: str = ""
    fingerprint: int = 0
    facts: PageFacts = PageFacts()
    is_soft_404: bool = False
    script_reason: str = ""
    is_shell: bool = False
    max_probes: int = 0
    template: int = 0
    index_files: Sequence[IndexFile] = ()
    hints: Sequence[Hint] = ()
    content_hash: int | None = None
    text_hash: int | None = None
    noindex: bool = False
    redirect_to: str = ""
    spellings: Sequence[tuple[int, str]] = ()
    new_links: Sequence[tuple[int, str]] = ()
    cleared: Sequence[int] = ()
    wall: str = ""
    nofollow: bool = False
    new_pages: frozenset[int] = frozenset()
    sketch: ContentSketch | None = None


class Page(NamedTuple):
    """A URL in the result of a scan; `title` is the text of a link if the page has no `html_title`."""

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
    html_title: str | None = None
    description: str | None = None
    heading: str | None = None
    og_title: str | None = None
    og_image: str | None = None
    published: str | None = None
    modified: str | None = None
    robots: str | None = None
    alternates: dict[str, str] | None = None
    headers: dict[str, str] | None = None
    insecure_resources: int = 0
    size: int | None = None
    response_ms: int | None = None
    score: float | None = None
    word_count: int | None = None
    text_language: str | None = None
    near_duplicate_of: str | None = None
    similarity: float | None = None
    extracted: dict[str, str | list[str]] | None = None

    @property
    def redirect_to(self) -> str | None:
        """The URL that a redirect leads to."""
        return self.leads_to if self.list_name == "redirects" else None

    @property
    def duplicate_of(self) -> str | None:
        """The page that is listed instead of a duplicate."""
        return self.leads_to if self.list_name == "duplicates" else None


_ORDERED_FIELDS = (
    "url", "kind", "key", "fetch_url", "sources", "found_on", "region", "title", "depth", "hops", "state", "status",
    "content_type", "lastmod", "language", "clusters", "priority", "importance", "verified", "first_seen", "last_seen",
    "reason", "skip_scrape", "element", "attribute", "change", "text", "inlinks", "list", "redirect_to", "duplicate_of",
    "canonical", "noindex", "unchanged",
)  # fmt: skip
_OMITTED_FIELDS = {
    "changefreq",
    "sitemap_priority",
    "hreflang",
    "list_name",
    "leads_to",
    "content_inlinks",
    "html_title",
    "score",
}
EXPORTED_FIELDS = (
    *_ORDERED_FIELDS,
    *(name for name in Page._fields if name not in _OMITTED_FIELDS.union(_ORDERED_FIELDS)),
)
"""Names of the exported fields of a page; a new field of a page is added at the end."""

SCORE_FIELD = "score"
"""The field that is exported only for a list that is ranked for a question."""
