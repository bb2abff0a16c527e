"""Facts about a scan that explain why it found few pages."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (NamedTuple needs it at run time)
from typing import NamedTuple

from headwater.model import NO_COUNTS

FEW_PAGES = 3
"""Scans that list at most this many pages are explained."""


class ScanFacts(NamedTuple):
    """The start page, the sources of URLs, and what kept other URLs from being visited.

    `start_reason` and `start_status` are those of the start page, after redirects; `start_type` is its content type if
    it is not HTML. `redirected_to` is the URL that it redirected to. `link_hosts` and `sitemap_hosts` count the URLs of
    other hosts, `reasons` those of this site that were skipped or failed. `scripted` counts pages that look built by
    scripts, `opened` those that the browser opened, and `posts` the POST requests that pages would have sent.
    """

    seed: str
    pages: int = 0
    start_reason: str = ""
    start_status: int | None = None
    start_type: str = ""
    redirected_to: str = ""
    protection: str = ""
    has_robots: bool = False
    names_sitemap: bool = False
    reads_sitemaps: bool = True
    sitemap_files: int = 0
    sitemap_urls: int = 0
    blocked_sitemap: str = ""
    link_hosts: Mapping[str, int] = NO_COUNTS
    sitemap_hosts: Mapping[str, int] = NO_COUNTS
    reasons: Mapping[str, int] = NO_COUNTS
    scripted: int = 0
    opened: int = 0
    browser_problem: str = ""
    render: str = "auto"
    posts: int = 0
    nofollow: int = 0
    has_session: bool = False
