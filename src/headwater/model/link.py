"""Links of pages: as a page has them, as they are stored, and as an earlier scan found them."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003  (NamedTuple needs it at run time)
from typing import Literal, NamedTuple, get_args

from headwater.model.url import UrlKind  # noqa: TC001  (NamedTuple needs it at run time)

Region = Literal["header", "nav", "aside", "main", "footer", "content"]
"""The part of a page that a link is in."""

REGIONS: tuple[Region, ...] = get_args(Region)

LINK_KINDS: tuple[str, ...] = (
    "a", "area", "data", "onclick", "button", "router", "json-ld", "loc", "template", "script", "form", "frame", "cite",
    "link", "meta", "header", "option",
)  # fmt: skip
"""The kinds of links that lead to pages: by element, by attribute, or by another part of a page that names URLs."""


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


class PreviousLink(NamedTuple):
    """A link that an earlier scan found on a page."""

    fetch_url: str
    kind: UrlKind
    place: LinkPlacement
    text: str = ""
    reason: str = ""


class LinkCounts(NamedTuple):
    """The number of hyperlinks to and from a page; unique counts are of pages instead of links.

    External links lead to pages of other sites. Links of a page to itself are not counted.
    """

    inlinks: int = 0
    unique_inlinks: int = 0
    outlinks: int = 0
    unique_outlinks: int = 0
    external_outlinks: int = 0
    unique_external_outlinks: int = 0
