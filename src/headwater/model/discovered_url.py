"""URLs that a scan has discovered, and the candidates among them."""

from __future__ import annotations

from typing import NamedTuple

from headwater.model.link import Region  # noqa: TC001  (NamedTuple needs it at run time)
from headwater.model.url import UrlKind  # noqa: TC001  (NamedTuple needs it at run time)


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


class SourceMetadata(NamedTuple):
    """Facts about a page from a sitemap, a feed or the navigation; `evidence` is the number of the evidence record."""

    evidence: int | None = None
    importance: float | None = None
    lastmod: str = ""
    changefreq: str = ""
    priority: float | None = None
    hreflang: str = ""


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
