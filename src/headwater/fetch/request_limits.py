"""Limits for each kind of request: content types, sizes, redirects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.pages.files.robots_txt import MAX_BYTES as MAX_ROBOTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.model import RequestPurpose
    from headwater.settings import Settings

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", ""})
ACCEPT_PAGES = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"
ACCEPT_SITEMAPS = "application/xml, text/xml, */*"


class RequestLimits(NamedTuple):
    """Limits for one kind of request; `content_types` None allows any, `should_truncate` keeps the first part."""

    accept: str
    content_types: frozenset[str] | None
    max_body: int
    max_decoded: int
    max_redirects: int
    should_truncate: bool = False


def build_limits(settings: Settings) -> Mapping[RequestPurpose, RequestLimits]:
    """Return the limits of every kind of request under these settings."""
    page = RequestLimits(ACCEPT_PAGES, HTML_TYPES, settings.max_body, settings.max_decoded, settings.max_redirects)
    large = settings.max_sitemap_bytes
    file = RequestLimits(ACCEPT_SITEMAPS, None, large, large, settings.max_file_redirects, should_truncate=True)
    return {
        "page": page,
        "probe": page,
        "robots": file._replace(accept="text/plain, */*;q=0.1", max_body=MAX_ROBOTS, max_decoded=MAX_ROBOTS),
        "sitemap": file,
        "feed": file,
        "script": page._replace(accept="*/*", content_types=None),
        "any": page._replace(accept="*/*", content_types=None),
        "check": page._replace(accept="*/*", content_types=frozenset()),  # only the status matters
    }
