"""The record of a page: names and values, as JSON and tables write them."""

from __future__ import annotations

from operator import attrgetter

from headwater.model import Page

_ORDERED = (
    "url", "kind", "key", "fetch_url", "sources", "found_on", "region", "title", "depth", "hops", "state", "status",
    "content_type", "lastmod", "language", "clusters", "priority", "importance", "verified", "first_seen", "last_seen",
    "reason", "skip_scrape", "element", "attribute", "change", "text", "inlinks", "list", "redirect_to", "duplicate_of",
    "canonical", "noindex", "unchanged",
)  # fmt: skip
_OMITTED = {"changefreq", "sitemap_priority", "hreflang", "list_name", "leads_to", "content_inlinks", "html_title"}
FIELDS = (*_ORDERED, *(name for name in Page._fields if name not in _OMITTED.union(_ORDERED)))
"""Exported fields; a new field of a page is added at the end."""

_ATTRIBUTES = {"list": "list_name"}
get_values = attrgetter(*(_ATTRIBUTES.get(name, name) for name in FIELDS))
"""Return the values of the exported fields of a page, in order."""


def make_record(page: Page) -> dict[str, object]:
    """Return the values of all fields of a page by name."""
    return dict(zip(FIELDS, get_values(page), strict=True))
