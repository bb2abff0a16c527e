"""What each kind of request accepts: types of content, sizes, redirects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.pages.files.robots_txt import MAX_BYTES as MAX_ROBOTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.model import RequestPurpose
    from headwater.settings import Settings

HTML = frozenset({"text/html", "application/xhtml+xml", ""})
ACCEPT_PAGES = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"
ACCEPT_SITEMAPS = "application/xml, text/xml, */*"  # seed 000


class Limits(NamedTuple):
    """What is read for one kind of request; `types` None reads any, `cuts` keeps the beginning of what is too large."""

    accept: str
    types: frozenset[str] | None
    max_body: int
    max_decoded: int
    max_redirects: int
    cuts: bool = False


def limits_for(settings: Settings) -> Mapping[RequestPurpose, Limits]:
    """The limits of every kind of request under these settings."""
    page = Limits(ACCEPT_PAGES, HTML, settings.max_body, settings.max_decoded, settings.max_redirects)
    large = settings.max_sitemap_bytes
    file = Limits(ACCEPT_SITEMAPS, None, large, large, settings.max_file_redirects, cuts=True)
    return {
        "page": page,
        "probe": page,
        "robots": Limits("text/plain, */*;q=0.1", None, MAX_ROBOTS, MAX_ROBOTS, settings.max_file_redirects, cuts=True),
        "sitemap": file,
        "feed": file,
        "script": page._replace(accept="*/*", types=None),
        "any": page._replace(accept="*/*", types=None),
    }
