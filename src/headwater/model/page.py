"""Pages: the URLs in the result of a scan, the lists they are in, and the fields that are exported."""

from __future__ import annotations

from typing import NamedTuple

from headwater.model.url import UrlKind, UrlState  # noqa: TC001  (NamedTuple needs them at run time)

LIST_NAMES: tuple[str, ...] = ("pages", "redirects", "duplicates", "broken", "files", "skipped")
"""The lists of a scan; every URL of kind `page` is in one of them."""

DETECTED_SUFFIX = "-x-detected"
"""Suffix of a language tag (BCP 47, private use) that was detected in the text, not declared by the page."""


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
    last_modified: str | None = None
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
