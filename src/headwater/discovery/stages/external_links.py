"""Check the links to other sites: one HEAD request for each URL, and a GET request if the server refuses HEAD.

The egress guard and the rate limits apply to every request. A HEAD request reads nothing of a page, so robots.txt is
read only before a GET request. Results are kept in the store for a day, for all scans.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from headwater.discovery.stage import Stage, StageReport
from headwater.frontier.external_selection import select_external_urls
from headwater.model import FetchFailure, Request
from headwater.plurals import format_count
from headwater.store.records import ExternalCheck
from headwater.urls.parsing import get_authority

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from headwater.discovery.context import ScanContext, ScanProgress
    from headwater.model import Response
    from headwater.settings import Settings

DELAY = 1.0
"""Seconds between two requests to a host that is not part of the site."""

MAX_AGE = timedelta(days=1)
HEAD_REFUSED_STATUSES = frozenset({400, 403, 404, 405, 406, 500, 501, 503})
"""Answers to HEAD that many servers give although the page exists."""

_UNREAD_REASONS = frozenset({"wrong-type", "not-html", "too-large"})
"""The server answered with a page or file that is not read."""


class ExternalLinkStage(Stage):
    """Checks the URLs of other sites that the pages link to."""

    name = "external"
    ends_at_deadline = True

    def is_needed(self, settings: Settings, progress: ScanProgress) -> bool:
        """Return True if the user asked for it."""
        return settings.check_external

    async def run(self, context: ScanContext) -> StageReport:
        """Check the URLs that were not checked lately, several hosts at once and the URLs of each in turn."""
        store, scan, settings = context.store, context.scan, context.settings
        since = (datetime.now(UTC) - MAX_AGE).isoformat(timespec="seconds")
        known = {one.url: one.identity for one in store.unchecked_external_urls(scan, since)}
        groups = select_external_urls(known, settings.max_external)
        hosts = iter(groups)
        try:
            await asyncio.gather(*(_check_hosts(context, hosts, known) for _ in range(settings.max_parallel)))
        finally:
            store.copy_external_statuses(scan)
        checked = sum(map(len, groups))
        left = f", {len(known) - checked:,} left because of --max-external" if checked < len(known) else ""
        return StageReport(self.name, "done", note=f"{format_count(checked, 'URL')} of other sites checked{left}")


async def _check_hosts(context: ScanContext, hosts: Iterator[list[str]], known: Mapping[str, int]) -> None:
    """Check the URLs of one host after another, until none is left."""
    for urls in hosts:
        for url in urls:
            result = await _check_url(context, url)
            check = ExternalCheck(known[url], result.status, _get_reason(result))
            context.store.save_external_checks(context.scan, [check])


async def _check_url(context: ScanContext, url: str) -> Response | FetchFailure:
    """Request a URL without its body; further requests to its host wait."""
    result = await context.stack.head_fetcher.fetch(Request(url, "check", is_head=True))
    context.stack.polite.set_crawl_delay(get_authority(url), DELAY)
    if isinstance(result, FetchFailure) and result.status in HEAD_REFUSED_STATUSES:
        result = await context.stack.fetch(Request(url, "check"))
    return result


def _get_reason(result: Response | FetchFailure) -> str:
    return result.reason if isinstance(result, FetchFailure) and result.reason not in _UNREAD_REASONS else ""
