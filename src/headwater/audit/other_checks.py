"""The checks of URLs that are not pages of the site: pages of other sites, scripts and styles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.audit.checks import describe_failure
from headwater.urls.identity import compute_identity

if TYPE_CHECKING:
    from headwater.audit.site_facts import SiteFacts
    from headwater.model import Page

INCONCLUSIVE_STATUSES = frozenset({401, 402, 403, 405, 406, 407, 408, 418, 421, 423, 425, 426, 428, 429, 451, 503, 999})
"""Answers that a site gives to programs, or for a moment, although the page exists."""

FAILURES = frozenset({
    "dns", "refused", "tls", "disconnected", "protocol", "truncated", "timeout-connect", "timeout-idle",
    "timeout-total", "host-unresponsive", "redirect-loop", "too-many-redirects",
})  # fmt: skip
FIRST_ERROR_STATUS, LAST_ERROR_STATUS = 400, 599


def check_broken_external(page: Page, site: SiteFacts) -> str | None:
    """Find URLs of other sites that pages link to and that do not exist, or do not answer."""
    status, reason = site.external.get(compute_identity(page.key), (None, ""))
    if status is not None and FIRST_ERROR_STATUS <= status <= LAST_ERROR_STATUS:
        return None if status in INCONCLUSIVE_STATUSES else describe_failure(status, reason)
    return reason if reason in FAILURES else None


def check_blocked_resource(page: Page, site: SiteFacts) -> str | None:
    """Find scripts and styles that robots.txt keeps search engines from loading."""
    path = page.url.partition("?")[0].lower()
    is_style = page.element == "link" and path.endswith(".css")
    if not (page.element == "script" or is_style):
        return None
    return site.find_robots_rule(page.url) or None
