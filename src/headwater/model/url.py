"""URLs: their kinds, states and sources, the three spellings, and the decision to visit."""

from __future__ import annotations

from typing import Literal, NamedTuple

UrlKind = Literal["page", "external", "resource", "endpoint"]
"""The kind of a URL: a page to visit, a page on another site, an asset, or an endpoint that only programs call."""

UrlState = Literal["discovered", "fetched", "failed", "deferred", "skipped"]
"""The state of a URL in a scan."""

SOURCES: tuple[str, ...] = (
    "seed", "navigation", "sitemap", "sitemap-index", "footer", "content-link", "header", "redirect", "feed", "render",
    "previous", "index", "parent", "script", "form", "robots", "wayback", "commoncrawl",
)  # fmt: skip
"""The sources of URLs, in the order of their bits in a store; new ones are added at the end."""

NOT_FOLLOWED = "link-not-followed"
"""The reason of a page to which all links are of a kind or region that is not followed."""

OVER_SOURCE_LIMIT = "max-urls-per-source"
"""The reason of a page that is held back because its source has reached its limit of pages."""

NO_DEPTH = 1 << 20
"""The depth of a page that no click leads to, such as a page that is only in a sitemap."""


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
